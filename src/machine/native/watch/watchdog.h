// The watchdog: looks every 50 milliseconds at a program that runs without coming to an operation.
//
// A thread that computes is let run. What it uses is processor time, so a machine that is busy with
// something else makes no difference. After --step-limit of it in one step the exploration ends as
// incomplete. A thread in a loop that can be proved endless stays there for good (endless_loop.h).
// A system call that blocks for --call-limit waits for the outside, and is not supported.
#pragma once

namespace mazur::native {

// Begins to look, with the limits of the request.
void start_watchdog();

// While one lives, a step may take at most so many seconds of processor time.
class ShortSteps {
 public:
  explicit ShortSteps(double seconds);
  ~ShortSteps();
  ShortSteps(const ShortSteps&) = delete;
  ShortSteps& operator=(const ShortSteps&) = delete;

 private:
  double before_;
};

}  // namespace mazur::native
