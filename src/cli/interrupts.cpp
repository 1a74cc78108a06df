#include "cli/interrupts.h"

namespace mazur {
namespace {

volatile sig_atomic_t count = 0;

}  // namespace

InterruptGuard::InterruptGuard() {
  count = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { count = count + 1; };
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

int interrupts() { return count; }

}  // namespace mazur
