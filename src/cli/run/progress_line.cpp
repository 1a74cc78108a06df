#include "cli/run/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/text.h"
#include "report/words.h"

namespace mazur {
namespace {

// Two digits: an estimate is not better than that.
std::uint64_t rounded(double number) {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 1));
  return static_cast<std::uint64_t>(std::round(number / unit) * unit);
}

}  // namespace

std::string progress_text(const Tally& tally, const Explored& explored, double seconds,
                          std::uint64_t before) {
  const auto total = static_cast<double>(tally.total());
  const auto here = static_cast<double>(tally.total() - std::min(before, tally.total()));
  std::string text =
      fmt::format("{} executions, {}/s, depth {}, {} error{}", with_commas(tally.total()),
                  with_commas(static_cast<std::uint64_t>(here / std::max(seconds, 1e-3))),
                  tally.depth, with_commas(tally.failures), tally.failures == 1 ? "" : "s");
  if (tally.complete == 0 && seconds > 3) return text + ", none of them complete";
  constexpr double kMost = 1e15;  // beyond that there is no point in a number
  if (!explored.known() || explored.at_least >= 1) return text;
  if (total / explored.at_most > kMost) return text + ", no end in sight";
  const auto all = [&](double part) {
    return with_commas(std::max(rounded(total / part), tally.total()));
  };
  if (here == 0) return text;
  const auto left = [&](double part) { return (total / part - total) * seconds / here; };
  if (explored.at_least <= 0)
    return text + fmt::format(", at least {} in all, {} left", all(explored.at_most),
                              at_least_duration(left(explored.at_most)));
  return text +
         fmt::format(", {} in all, {} left", range(all(explored.at_most), all(explored.at_least)),
                     range(duration(left(explored.at_most)), duration(left(explored.at_least))));
}

ProgressLine::ProgressLine(Progress how, std::uint64_t before)
    : how_(how),
      before_(before),
      next_(start_ + std::chrono::milliseconds(how == Progress::kLines ? 3000 : 300)) {}

void ProgressLine::update(const Tally& tally, const Explored& explored, bool minimising) {
  if (how_ == Progress::kNone) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(how_ == Progress::kLines ? 3000 : 200);
  std::string line =
      minimising ? "an error was found; looking for a shorter schedule to it"
                 : progress_text(tally, explored,
                                 std::chrono::duration<double>(now - start_).count(), before_);
  if (how_ == Progress::kLines) {
    std::fprintf(stderr, "mazur: %s\n", line.c_str());
    return;
  }
  // A line that wraps could not be written over.
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && line.size() >= size.ws_col)
    line.resize(size.ws_col - 1u);
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  visible_ = true;
}

void ProgressLine::clear() {
  if (visible_) std::fputs("\r\033[K", stderr);
  visible_ = false;
}

}  // namespace mazur
