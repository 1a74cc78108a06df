// Time. It is virtual, and the same in all schedules of one trace: causal_time.h says what time it
// is for a thread.
//
// Enabled:    sleeps and yields always. Reading a clock is no event.
// Does:       a sleep moves the thread's own clock on, and so does a timeout of any other call; for
//             a thread that is released by it afterwards, that time has passed too. A read takes a
//             microsecond. A thread that has read the clock very often is waiting for it, and from
//             then on a read takes a millisecond.
// Depends on: nothing.
// Reversible: nothing to reverse. The explorer may run the others as long as it likes while a
//             thread sleeps.
//
// All clocks agree, the processor's counter (rdtsc) included: it counts nanoseconds.
#include "machine/native/system/clock.h"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <algorithm>

#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/library/failed_with.h"
#include "machine/native/library/library_call.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/memory/raw.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/system/counter.h"

namespace mazur::native {
namespace {

constexpr std::int64_t kRealtime = 1'700'000'000 * kSecond;  // when executions begin
constexpr std::int64_t kMonotonic = 1'000 * kSecond;
constexpr std::int64_t kForever = CausalTime::kForever;
constexpr std::int64_t kRead = 1'000;
constexpr std::int64_t kImpatientRead = 1'000'000;
constexpr std::uint32_t kPatience = 256;

std::uint32_t clock_reads[kMaxThreads];
// What main slept, or read, before executions began: constructors see the same times in every
// process.
std::int64_t before_main = 0;
std::int64_t before_main_at_snapshot = 0;

const PerExecution reset_clocks(
    [] {
      for (ThreadId id = 0; id < known_threads(); ++id) clock_reads[id] = 0;
      before_main = before_main_at_snapshot;
    },
    [] { before_main_at_snapshot = before_main; });

bool is_virtual() { return runtime.running || runtime.booting; }

std::int64_t passed() {
  if (!runtime.running) return before_main;
  return std::min(machine->time_of_current(), kForever - before_main) + before_main;
}

std::int64_t base_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
      return kRealtime;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
      return kMonotonic;
    default:
      return 0;  // processor time
  }
}

std::int64_t read_clock(clockid_t clock) {
  note_change(LoopObstacle::kClock);
  note_time_seen();
  std::uint32_t& count = clock_reads[current_thread()];
  let_pass(++count > kPatience ? kImpatientRead : kRead);
  return now(clock);
}

// The program's variable that the time goes to.
template <typename T>
void tell_result(const char* function, T* to, const void* pc) {
  LibraryCall call(function, pc);
  call.touches([&] { call.writes(to, sizeof *to); });
}

timespec as_timespec(std::int64_t time) { return {time / kSecond, time % kSecond}; }

// The C library's function asks the processor's counter, so it is of no use once that counter
// answers with virtual time.
int real_clock_gettime(clockid_t clock, timespec* time) {
  if (counts_for_program())
    return raw_syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(time)) < 0 ? -1 : 0;
  static int (*slot)(clockid_t, timespec*);
  return real(slot, "clock_gettime")(clock, time);
}

timespec any_clock(clockid_t clock) {
  if (is_virtual()) return as_timespec(read_clock(clock));
  timespec time = {};
  real_clock_gettime(clock, &time);
  return time;
}

void sleep_for(std::int64_t duration, const void* pc) {
  yield_event(pc);
  let_pass(duration);
}

}  // namespace

std::int64_t nanoseconds(const timespec& time) {
  if (time.tv_sec >= kForever / kSecond) return kForever;
  if (time.tv_sec < 0) return 0;
  return time.tv_sec * kSecond + time.tv_nsec;
}

std::int64_t now(clockid_t clock) { return base_of(clock) + passed(); }

void let_pass(std::int64_t duration) {
  if (duration <= 0) return;
  if (runtime.running) {
    note_time_passes();
    machine->current_sleeps(duration);
  } else if (runtime.booting) {
    before_main = duration > kForever - before_main ? kForever : before_main + duration;
  }
}

void let_pass_until(clockid_t clock, const timespec& deadline) {
  const std::int64_t until = nanoseconds(deadline);
  const bool relative = clock == CLOCK_MONOTONIC && until >= kDeadlineBase;
  let_pass(until - (relative ? kDeadlineBase : now(clock)));
}

std::uint64_t virtual_counter() {
  return static_cast<std::uint64_t>(is_virtual() ? read_clock(CLOCK_MONOTONIC) : 0);
}

void yield_event(const void* pc) { visible({.kind = OpKind::kYield}, pc); }

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (!is_virtual()) return real_clock_gettime(clock, time);
  tell_result("clock_gettime", time, MAZUR_CALLER);
  *time = as_timespec(read_clock(clock));
  return 0;
}

// std::chrono::steady_clock::now() of libstdc++: who asks is known only here. It returns a class with
// a number of nanoseconds, which is passed as the number is.
MAZUR_EXPORT std::int64_t mazur_steady_now() noexcept asm("_ZNSt6chrono3_V212steady_clock3nowEv");
std::int64_t mazur_steady_now() noexcept {
  if (!in_execution()) return nanoseconds(any_clock(CLOCK_MONOTONIC));
  switch (clock_read_at(MAZUR_CALLER)) {
    case ClockRead::kDeadline:
      return kDeadlineBase;
    case ClockRead::kUnknown:
      note_change(mazur::LoopObstacle::kClock);
      return now(CLOCK_MONOTONIC);
    case ClockRead::kLook:
      break;
  }
  return read_clock(CLOCK_MONOTONIC);
}

MAZUR_EXPORT int gettimeofday(timeval* __restrict time, void* __restrict) noexcept {
  tell_result("gettimeofday", time, MAZUR_CALLER);
  const timespec now = any_clock(CLOCK_REALTIME);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

MAZUR_EXPORT time_t time(time_t* out) noexcept {
  tell_result("time", out, MAZUR_CALLER);
  const time_t seconds = any_clock(CLOCK_REALTIME).tv_sec;
  if (out != nullptr) *out = seconds;
  return seconds;
}

MAZUR_EXPORT int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC) return 0;
  tell_result("timespec_get", time, MAZUR_CALLER);
  *time = any_clock(CLOCK_REALTIME);
  return base;
}

MAZUR_EXPORT clock_t clock() noexcept {
  const timespec used = any_clock(CLOCK_PROCESS_CPUTIME_ID);
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (kSecond / CLOCKS_PER_SEC);
}

MAZUR_EXPORT clock_t times(tms* out) noexcept {
  tell_result("times", out, MAZUR_CALLER);
  constexpr std::int64_t kTick = kSecond / 100;
  const timespec used = any_clock(CLOCK_PROCESS_CPUTIME_ID);
  const clock_t ticks = used.tv_sec * 100 + used.tv_nsec / kTick;
  if (out != nullptr) *out = {.tms_utime = ticks, .tms_stime = 0, .tms_cutime = 0, .tms_cstime = 0};
  return kMonotonic / kTick + ticks;
}

MAZUR_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* duration, timespec*) {
  tell_access(duration, sizeof *duration, false, MAZUR_CALLER);
  const timespec time = *duration;
  if (!valid(time) || time.tv_sec < 0) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) {
    sleep_for(nanoseconds(time), MAZUR_CALLER);
  } else {
    yield_event(MAZUR_CALLER);
    let_pass_until(clock, time);
  }
  return 0;
}

MAZUR_EXPORT int nanosleep(const timespec* duration, timespec*) {
  tell_access(duration, sizeof *duration, false, MAZUR_CALLER);
  const timespec time = *duration;
  if (!valid(time) || time.tv_sec < 0) return failed_with(EINVAL);
  sleep_for(nanoseconds(time), MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int usleep(useconds_t microseconds) {
  sleep_for(std::int64_t{microseconds} * 1000, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT unsigned sleep(unsigned seconds) {
  sleep_for(std::int64_t{seconds} * kSecond, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int sched_yield() noexcept {
  yield_event(MAZUR_CALLER);
  return 0;
}

// The header makes the name another one for sched_yield.
MAZUR_EXPORT int mazur_pthread_yield() noexcept asm("pthread_yield");
int mazur_pthread_yield() noexcept {
  yield_event(MAZUR_CALLER);
  return 0;
}
