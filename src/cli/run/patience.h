// How long mazur waits for a program that does not end when it should.
#pragma once

#include <chrono>

#include "cli/run/interrupts.h"
#include "protocol/channel.h"

namespace mazur {

// The program did not end when it should have: it computes for long in one step, say. What it has
// told so far counts.
class Patience {
 public:
  explicit Patience(double time_limit) : limit_(time_limit) {}

  bool is_over(Phase phase) {
    const double now =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (exploring_ < 0 && phase >= Phase::kExploring) exploring_ = now;
    const bool late = limit_ > 0 && exploring_ >= 0 && now - exploring_ > limit_;
    if (asked_ < 0 && (late || interrupts() > 0)) asked_ = now;
    return asked_ >= 0 && now - asked_ > 0.6;
  }

 private:
  double limit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double exploring_ = -1, asked_ = -1;  // since when; negative: not yet
};

}  // namespace mazur
