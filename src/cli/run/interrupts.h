// Ctrl-C, counted instead of deadly.
#pragma once

#include <signal.h>

namespace mazur {

// While it lives, SIGINT and SIGTERM only raise interrupts(), which starts at 0. One inside of
// another does nothing.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

int interrupts();

// While it lives, this process is told to stop (base/stop.h) by a Ctrl-C, and after so many
// seconds (0: never). One at a time, inside of an InterruptGuard.
class StopWatch {
 public:
  explicit StopWatch(double seconds);
  ~StopWatch();
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

 private:
  struct sigaction old_alarm_ {};
};

}  // namespace mazur
