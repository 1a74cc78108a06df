#include "cli/options/common_options.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "report/findings/files.h"
#include "report/findings/names.h"
#include "report/json.h"

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

int deliver(const Result& result, const CommonOptions& options) {
  // Standard output belongs to programs when they asked for it.
  std::FILE* people = options.json == "-" ? stderr : stdout;
  const std::string text = text_report(result, text_style(options, fileno(people)));
  std::fputs(text.c_str(), people);
  std::fflush(people);
  if (options.json == "-") {
    std::fputs(json_report(result).c_str(), stdout);
    std::fflush(stdout);
  } else if (!options.json.empty() && !write_file(options.json, json_report(result))) {
    throw UsageError(fmt::format("the result could not be written to '{}'.", options.json));
  }
  return exit_code(result.verdict);
}

}  // namespace mazur
