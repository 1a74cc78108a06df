// How much of an exploration is done: a range, or at most how much, or nothing.
//
// An explorer's own estimate (Explorer::progress) judges a tree by the part it has seen. It cannot
// know of branches that later races will add. So early estimates of the total can be too low by any
// factor, and some do not change for long. They are seldom much too high.
//
// The estimates of the last three quarters of the executions count. The exploration takes at least
// half of the smallest one. There is an upper end only if half of that lower end has been done and
// the estimates have not doubled in this time. (A tree whose branches come to light one after the
// other seems to be nearly done all the time.) The upper end is twice the largest estimate, times
// the factor by which the estimates have grown. If it is more than ten times the lower end, or
// after few executions, nothing is said. docs/measurements.md says how often this is right.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/verdict.h"

namespace mazur {

class Estimate {
 public:
  // Whether it wants to hear the explorer's estimate after so many executions: now and then it
  // does.
  bool is_due(std::uint64_t executions) const { return executions >= next_; }
  // `explored`: 0 if the explorer does not know.
  void note(std::uint64_t executions, double explored);

  Explored explored(std::uint64_t executions) const;

  // What it remembers, for those who go on later.
  struct Point {
    double executions, total;
  };
  const std::vector<Point>& points() const { return points_; }
  // Goes on from there instead. `points`: as points() had them.
  void go_on(std::vector<Point> points);

 private:
  // Nothing is told before kFew executions; then the last three quarters count.
  static constexpr std::uint64_t kFew = 100;
  std::vector<Point> points_;
  std::uint64_t next_ = kFew / 4;
};

}  // namespace mazur
