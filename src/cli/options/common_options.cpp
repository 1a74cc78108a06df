#include "cli/options/common_options.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace mazur {

TextStyle text_style(const CommonOptions& options, int descriptor) {
  TextStyle style;
  style.color = options.color == Color::kAlways ||
                (options.color == Color::kAuto && isatty(descriptor) == 1 &&
                 std::getenv("NO_COLOR") == nullptr);
  style.verbose = options.verbose;
  style.output = options.output != Shown::kNone;
  style.findings = !options.quiet;
  if (const char* launcher = std::getenv("MAZUR_LAUNCHER")) style.command = launcher;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && !options.verbose) style.width = size.ws_col;
  return style;
}

std::string parse_output(std::string_view option, const std::string& value) {
  if (value.empty()) throw UsageError(fmt::format("--{} takes a file name or -.", option));
  return value == "/dev/stdout" ? "-" : value;
}

}  // namespace mazur
