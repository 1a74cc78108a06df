// The line on the terminal that tells how far an exploration is.
#pragma once

#include <chrono>

#include "check/loop.h"

namespace mazur {

class ProgressLine {
 public:
  explicit ProgressLine(bool shown);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shows the state, not more often than a reader can follow and not in the first moment.
  void update(const Tally& tally, double explored);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  bool visible_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace mazur
