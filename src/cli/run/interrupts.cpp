#include "cli/run/interrupts.h"

#include <sys/time.h>
#include <time.h>

#include <atomic>

#include "base/stop.h"

namespace mazur {
namespace {

volatile sig_atomic_t count = 0;
std::atomic<int> guards = 0;

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  count = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { count = count + 1; };
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  if (--guards > 0) return;
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

int interrupts() { return count; }

namespace {

double deadline = 0;  // 0: none

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

void set_timer(int microseconds) {
  const itimerval interval{{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &interval, nullptr);
}

}  // namespace

StopWatch::StopWatch(double seconds) {
  deadline = seconds > 0 ? now() + seconds : 0;
  stop_wish = false;
  struct sigaction action {};
  action.sa_handler = [](int) {
    clock_ticks.fetch_add(1, std::memory_order_relaxed);
    if (count > 0 || (deadline > 0 && now() >= deadline)) stop_wish = true;
  };
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &old_alarm_);
  set_timer(50'000);
}

StopWatch::~StopWatch() {
  set_timer(0);
  sigaction(SIGALRM, &old_alarm_, nullptr);
  stop_wish = false;
}

}  // namespace mazur
