// What standard error tells about how far an exploration is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "check/loop.h"

namespace mazur {

enum class Progress : unsigned char {
  kNone,
  kLine,   // one line, written over again and again: on a terminal
  kLines,  // a line every few seconds
};

// "12,345 executions, 4,115/s, depth 31, 0 errors, 20,000 to 50,000 in all, 2 s to 9 s left"
// `before`: executions that had been run before these seconds.
std::string progress_text(const Tally& tally, const Explored& explored, double seconds,
                          std::uint64_t before = 0);

class ProgressLine {
 public:
  // `before`: executions that have been run already.
  explicit ProgressLine(Progress how, std::uint64_t before = 0);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shows the state, not more often than a reader can follow and not in the first moment.
  // `minimising`: an error was found, and its schedule is being made shorter.
  void update(const Tally& tally, const Explored& explored, bool minimising = false);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  Progress how_;
  std::uint64_t before_;
  bool visible_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace mazur
