#include "cli/progress_line.h"

#include <fmt/format.h>

#include <cstdio>

#include "report/text.h"

namespace mazur {

ProgressLine::ProgressLine(bool shown)
    : shown_(shown), next_(start_ + std::chrono::milliseconds(300)) {}

void ProgressLine::update(const Tally& tally, double explored) {
  const auto now = Clock::now();
  if (!shown_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string line = fmt::format(
      "{} executions, {}/s", with_commas(tally.total()),
      with_commas(static_cast<std::uint64_t>(static_cast<double>(tally.total()) / seconds)));
  if (explored > 0 && explored < 1) {
    const double left = seconds * (1 - explored) / explored;
    line += fmt::format(", {:.2g}% explored", explored * 100);
    if (left < 3600 * 100)
      line += left < 120    ? fmt::format(", about {:.0f} s left", left)
              : left < 7200 ? fmt::format(", about {:.0f} min left", left / 60)
                            : fmt::format(", about {:.0f} h left", left / 3600);
  }
  if (tally.failures > 0)
    line += fmt::format(", {} failed execution{}", with_commas(tally.failures),
                        tally.failures == 1 ? "" : "s");
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  visible_ = true;
}

void ProgressLine::clear() {
  if (visible_) std::fputs("\r\033[K", stderr);
  visible_ = false;
}

}  // namespace mazur
