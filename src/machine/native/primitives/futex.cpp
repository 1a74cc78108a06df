// syscall(2), and with it futexes. A wait is two events: kFutexWait looks at the word and joins the
// waiters, kFutexWoken leaves them.
//
// Enabled:    leaving when a wake has chosen the thread; with a timeout always: not having been
//             chosen is then a timeout. The rest always.
// Does:       a wait joins the waiters only if the word has the expected value. A wake chooses as
//             many waiters as it was asked for among those whose mask meets its own: every subset
//             of that size is an outcome. Spurious wake-ups: hooks/spurious.h.
// Depends on: a wait reads the four bytes. Wakes depend on each other and on joining; leaving
//             depends on the wake that chose the thread, and with a timeout on every wake of that
//             word.
// Reversible: wake with wait, write with wait; with a timeout wake with leaving. Without one,
//             leaving was blocked before its wake.
//
// Other system calls: those that have a function of their own here go there, the rest go to the
// kernel.
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <cstdarg>

#include "machine/native/hooks/spurious.h"
#include "machine/native/hooks/timeouts.h"
#include "machine/native/library/failed_with.h"
#include "machine/native/memory/raw.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/system/clock.h"
#include "machine/native/system/randomness.h"
#include "machine/native/weak/parts.h"

namespace mazur::native {
namespace {

constexpr std::uint32_t kMostOutcomes = 4096;

bool can_leave(const Fiber& fiber) { return fiber.woken || fiber.op->timed; }

// What a pending wake asks for is in its Operation: how many, and the mask in the upper half.
std::uint64_t wake_request(std::uint32_t count, std::uint32_t mask) {
  return std::uint64_t{mask} << 32 | count;
}
std::uint32_t count_of(std::uint64_t request) { return static_cast<std::uint32_t>(request); }
std::uint32_t mask_of(std::uint64_t request) { return static_cast<std::uint32_t>(request >> 32); }

template <typename F>
void for_each_match(const void* word, std::uint32_t mask, F function) {
  for_each_waiter(word, [&](Fiber& waiter) {
    if ((waiter.wait_mask & mask) != 0) function(waiter);
  });
}

// How many subsets of size k a set of size n has, at most kMostOutcomes.
std::uint32_t subsets(std::uint32_t n, std::uint32_t k) {
  if (k > n) return 0;
  if (k > n - k) k = n - k;
  std::uint64_t result = 1;
  for (std::uint32_t i = 1; i <= k; ++i) {
    result = result * (n - k + i) / i;
    if (result >= kMostOutcomes) return kMostOutcomes;
  }
  return static_cast<std::uint32_t>(result);
}

std::uint16_t wake_outcomes(const Fiber& fiber) {
  std::uint32_t waiters = 0;
  for_each_match(&object_at<char>(fiber.op->object), mask_of(fiber.op->value),
                 [&](Fiber&) { ++waiters; });
  const std::uint32_t count = count_of(fiber.op->value);
  return static_cast<std::uint16_t>(subsets(waiters, count < waiters ? count : waiters));
}

Slept sleep_at(std::uint32_t* word, std::uint32_t expected, std::uint32_t mask, Deadline limit,
               const void* pc) {
  Label& looked = visible({.kind = OpKind::kFutexWait,
                           .timed = limit.strikes,
                           .size = 4,
                           .object = object_of(word),
                           .value = expected},
                          pc);
  looked.read = *word;
  looked.success = *word == expected;
  if (!looked.success) return Slept::kNot;
  Fiber& me = start_waiting(word, mask);
  Label& left = visible({.kind = OpKind::kFutexWoken,
                         .order = limit.order,
                         .timed = limit.strikes,
                         .object = object_of(word)},
                        pc, {.enabled = can_leave});
  left.success = me.woken;
  me.waiting_on = nullptr;
  return me.woken ? Slept::kWoken : Slept::kTimedOut;
}

long futex_wait(std::uint32_t* word, std::uint32_t expected, std::uint32_t mask, clockid_t clock,
                bool absolute, const timespec* timeout, const void* pc) {
  if (mask == 0 || (timeout != nullptr && !valid(*timeout))) return failed_with(EINVAL);
  if (wakes_spuriously(word, pc)) {
    Label& looked =
        visible({.kind = OpKind::kLoad, .size = sizeof *word, .object = object_of(word)}, pc);
    looked.read = *word;
    return *word == expected ? 0 : failed_with(EAGAIN);
  }
  const Deadline limit = deadline_at(timeout != nullptr, pc);
  const Slept slept = operations_in_parts ? futex_wait_in_parts(word, expected, mask, limit, pc)
                                          : sleep_at(word, expected, mask, limit, pc);
  if (slept == Slept::kNot) return failed_with(EAGAIN);
  if (slept == Slept::kWoken) return 0;
  note_timeout(pc);
  if (absolute) {
    let_pass_until(clock, *timeout);
  } else {
    let_pass(nanoseconds(*timeout));
  }
  return failed_with(ETIMEDOUT);
}

long futex_wake(std::uint32_t* word, std::uint32_t count, std::uint32_t mask, const void* pc) {
  if (mask == 0) return failed_with(EINVAL);
  if (operations_in_parts) return futex_wake_in_parts(word, count, mask, pc);
  Label& label = visible(
      {.kind = OpKind::kFutexWake, .object = object_of(word), .value = wake_request(count, mask)},
      pc, {.ways = wake_outcomes});
  std::uint32_t candidates = 0;
  for_each_match(word, mask, [&](Fiber&) { ++candidates; });
  // The subset with this number, in lexicographic order.
  std::uint32_t number = chosen();
  std::uint32_t wanted = count < candidates ? count : candidates;
  if (subsets(candidates, wanted) >= kMostOutcomes)
    unsupported("waking some of so many futex waiters that the choices are thousands", pc);
  label.read = wanted;
  label.written = 0;
  for_each_match(word, mask, [&](Fiber& waiter) {
    --candidates;
    if (wanted == 0) return;
    const std::uint32_t with_it = subsets(candidates, wanted - 1);
    if (number >= with_it) {
      number -= with_it;
      return;
    }
    --wanted;
    waiter.woken = true;
    label.written |= bit_of(waiter);
  });
  return static_cast<long>(label.read);
}

long futex(const long* a, const void* pc) {
  auto* word = reinterpret_cast<std::uint32_t*>(a[0]);
  const auto operation = static_cast<int>(a[1]);
  const auto value = static_cast<std::uint32_t>(a[2]);
  const auto* timeout = reinterpret_cast<const timespec*>(a[3]);
  const auto mask = static_cast<std::uint32_t>(a[5]);
  const clockid_t clock =
      (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return futex_wait(word, value, FUTEX_BITSET_MATCH_ANY, clock, false, timeout, pc);
    case FUTEX_WAIT_BITSET:
      return futex_wait(word, value, mask, clock, true, timeout, pc);
    case FUTEX_WAKE:
      return futex_wake(word, value, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET:
      return futex_wake(word, value, mask, pc);
    default:
      unsupported("syscall(SYS_futex) other than wait and wake", pc);
  }
}

// A system call inside an execution that must not go to the kernel.
bool controlled(long number, const long* a, const void* pc, long& result) {
  switch (number) {
    case SYS_futex:
      result = futex(a, pc);
      return true;
    case SYS_sched_yield:
      yield_event(pc);
      result = 0;
      return true;
    case SYS_gettid:
      result = current_thread_number();
      return true;
    case SYS_getpid:
      result = kProcessId;
      return true;
    case SYS_getrandom:
      fill_random(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]));
      result = a[1];
      return true;
    case SYS_clock_gettime:
      result = clock_gettime(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
      return true;
    case SYS_nanosleep:
      result = nanosleep(reinterpret_cast<timespec*>(a[0]), reinterpret_cast<timespec*>(a[1]));
      return true;
    case SYS_read:
      result = read(static_cast<int>(a[0]), reinterpret_cast<void*>(a[1]),
                    static_cast<std::size_t>(a[2]));
      return true;
    case SYS_exit_group:
      _exit(static_cast<int>(a[0]));
    case SYS_fork:
    case SYS_vfork:
    case SYS_clone:
    case SYS_clone3:
      unsupported("syscall(SYS_clone)", pc);
    case SYS_execve:
    case SYS_execveat:
      unsupported("syscall(SYS_execve)", pc);
    case SYS_exit:
      unsupported("syscall(SYS_exit)", pc);
    case SYS_kill:
    case SYS_tkill:
    case SYS_tgkill:
      unsupported("syscall(SYS_tgkill)", pc);
    case SYS_futex_waitv:
      unsupported("syscall(SYS_futex_waitv)", pc);
    case SYS_poll:
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
      unsupported("syscall(SYS_poll)", pc);
    default:
      return false;
  }
}

}  // namespace
}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT long syscall(long number, ...) noexcept {
  long a[6];
  std::va_list arguments;
  va_start(arguments, number);
  for (long& argument : a) argument = va_arg(arguments, long);
  va_end(arguments);
  long result = 0;
  if (in_execution() && controlled(number, a, MAZUR_CALLER, result)) return result;
  result = raw_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0 && result > -4096) return failed_with(static_cast<int>(-result));
  return result;
}
