// Ctrl-C, counted instead of deadly.
#pragma once

#include <signal.h>

namespace mazur {

// While it lives, SIGINT and SIGTERM only raise interrupts(), which starts at 0. One at a time.
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

}  // namespace mazur
