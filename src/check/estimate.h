// How much of an exploration is done: a range, or at most how much, or nothing.
//
// An explorer's own estimate (Explorer::progress) judges a tree by the part it has seen. It cannot
// know of branches that later races will add: early estimates can be too low by any factor, and
// some stay at their place for long. They are seldom much too high. So of the estimates of the last
// three quarters of the executions half of the smallest is what the exploration takes at least.
// Only if by this half of it may be done, and if the estimates have not doubled in this time, there
// is an upper end, too: twice the largest estimate, and more by as much as they have grown. (A tree
// whose branches come to light one after the other seems to be nearly done all the time.) If that
// is more than ten times the lower end, or after few executions, nothing is said.
// docs/measurements.md has how often this is right.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/verdict.h"

namespace mazur {

class Estimate {
 public:
  // Whether it wants to hear of the explorer's estimate after so many executions: now and then.
  bool is_due(std::uint64_t executions) const { return executions >= next_; }
  // `explored`: 0 if the explorer does not know.
  void note(std::uint64_t executions, double explored);

  Explored explored(std::uint64_t executions) const;

 private:
  struct Point {
    double executions, total;
  };
  // Nothing is told before kFew executions; then the last three quarters count.
  static constexpr std::uint64_t kFew = 100;
  std::vector<Point> points_;
  std::uint64_t next_ = kFew / 4;
};

}  // namespace mazur
