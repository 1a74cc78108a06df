// Signals. The real ones belong to the runtime (crashes, the watchdog); the program's handlers and
// masks are kept here and never reach the kernel.
//
// raise() and signals sent to the calling thread are no events. They happen at once: the program's
// handler is called as a function, and without one the program ends as the signal says.
//
// pthread_kill of another thread that blocks the signal is a post, and sigwait a wait, of a
// semaphore that counts the signals pending for that thread: enabled, depends on and reversible are
// as in semaphore.cpp. sigwait takes the lowest pending signal, as Linux does. What would not be a
// semaphore is not controlled: a signal that was not blocked in the target during all of its life
// (it could come at any time), one that is pending already (it would not be counted twice), and one
// that sigwait does not ask for. Signals from timers are not controlled either. None come from
// outside.
#include "machine/native/system/signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/library/failed_with.h"
#include "machine/native/library/library_call.h"
#include "machine/native/memory/raw.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/system/randomness.h"

MAZUR_EXPORT void mazur_runtime_name_object(const void* object, const char* name);

namespace mazur::native {
namespace {

struct sigaction actions[NSIG];
struct sigaction actions_at_snapshot[NSIG];
bool actions_changed = false;

// What each thread believes it has blocked; nothing is delivered asynchronously anyway.
sigset_t masks[kMaxThreads];
bool masks_changed = false;

// A thread's signals, as far as other threads are concerned. A change of the mask is no event, so
// no set may depend on how it is ordered with other threads' steps.
struct Signals {
  std::uint64_t pending = 0;         // bit n: signal n was sent and not taken yet
  std::uint64_t sent = 0;            // bit n: signal n was sent at some time
  std::uint64_t always_blocked = 0;  // bit n: since before another thread could send it
};
Signals signals_of[kMaxThreads];

const PerExecution reset_signals(
    [] {
      if (actions_changed) memcpy(actions, actions_at_snapshot, sizeof actions);
      if (masks_changed) {
        memset(masks, 0, sizeof masks);
        for (Signals& signals : signals_of) signals = {};
      }
      actions_changed = masks_changed = false;
    },
    [] { memcpy(actions_at_snapshot, actions, sizeof actions); });

bool is_signal(int number) { return number > 0 && number < NSIG; }

bool is_mine(const void* pc) { return is_runtime_code(reinterpret_cast<std::uint64_t>(pc)); }

int set_action(int number, const struct sigaction* action, struct sigaction* old) {
  if (!is_signal(number) || (action != nullptr && (number == SIGKILL || number == SIGSTOP)))
    return failed_with(EINVAL);
  if (old != nullptr) *old = actions[number];
  if (action != nullptr) {
    actions[number] = *action;
    actions_changed = true;
  }
  return 0;
}

sighandler_t set_handler(int number, sighandler_t handler, unsigned flags) {
  struct sigaction action = {}, old;
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(flags);
  return set_action(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

bool ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

int deliver(int number) {
  if (!is_signal(number)) return failed_with(EINVAL);
  struct sigaction& action = actions[number];
  const sighandler_t handler = action.sa_handler;
  if (handler == SIG_IGN || (handler == SIG_DFL && ignored_by_default(number))) return 0;
  if (handler == SIG_DFL) {
    if (number == SIGABRT) abort();
    const char* const name = sigabbrev_np(number);  // real-time signals have none
    if (name == nullptr) fail(FailureKind::kCrash, "the program raised signal %d", number);
    fail(FailureKind::kCrash, "the program raised signal %d (SIG%s)", number, name);
  }
  const bool with_information = (action.sa_flags & SA_SIGINFO) != 0;
  void (*const long_handler)(int, siginfo_t*, void*) = action.sa_sigaction;
  if ((static_cast<unsigned>(action.sa_flags) & SA_RESETHAND) != 0) action.sa_handler = SIG_DFL;
  if (with_information) {
    siginfo_t information = {};
    information.si_signo = number;
    information.si_code = SI_TKILL;
    information.si_pid = kProcessId;
    long_handler(number, &information, nullptr);
  } else {
    handler(number);
  }
  return 0;
}

std::uint64_t bits_of(const sigset_t& set) {
  std::uint64_t bits = 0;
  for (int number = 1; number < 64; ++number)
    if (sigismember(&set, number) == 1) bits |= std::uint64_t{1} << number;
  return bits;
}

// The calling thread has changed its mask: updates what other threads may rely on.
void mask_changed(const void* pc) {
  if (!in_execution()) return;
  Signals& mine = signals_of[current_thread()];
  const std::uint64_t blocked = bits_of(masks[current_thread()]);
  // Nobody but main runs before it has created a thread.
  const bool alone = current_thread() == 0 && runtime.current->children == 0;
  mine.always_blocked = alone ? blocked : mine.always_blocked & blocked;
  if ((mine.sent & ~blocked) != 0) unsupported("unblocking a signal that was sent", pc);
}

ObjectId pending_object(ThreadId thread) {
  char name[32];
  snprintf(name, sizeof name, thread == 0 ? "signals of main" : "signals of thread %d", thread);
  mazur_runtime_name_object(&signals_of[thread], name);
  return object_of(&signals_of[thread]);
}

bool has_pending(const Fiber& fiber) { return signals_of[fiber.id].pending != 0; }

void send_to(ThreadId target, int number, const void* pc) {
  Label& label = visible({.kind = OpKind::kSemPost, .object = pending_object(target)}, pc);
  Signals& signals = signals_of[target];
  const std::uint64_t bit = number < 64 ? std::uint64_t{1} << number : 0;
  if ((signals.always_blocked & bit) == 0)
    unsupported("pthread_kill with a signal that the thread does not always block", pc);
  if ((signals.pending & bit) != 0)
    unsupported("pthread_kill with a signal that is pending already", pc);
  label.read = static_cast<std::uint64_t>(__builtin_popcountll(signals.pending));
  label.written = label.read + 1;
  signals.pending |= bit;
  signals.sent |= bit;
}

int set_mask(int how, const sigset_t* set, sigset_t* old) {
  sigset_t& mask = masks[current_thread()];
  if (old != nullptr) *old = mask;
  if (set == nullptr) return 0;
  masks_changed = true;
  switch (how) {
    case SIG_BLOCK:
      sigorset(&mask, &mask, set);
      return 0;
    case SIG_UNBLOCK:
      for (int number = 1; number < NSIG; ++number)
        if (sigismember(set, number) == 1) sigdelset(&mask, number);
      return 0;
    case SIG_SETMASK:
      mask = *set;
      return 0;
    default:
      return EINVAL;
  }
}

// sigprocmask and pthread_sigmask: returns 0 or the error.
int change_mask(const char* function, int how, const sigset_t* set, sigset_t* old, const void* pc) {
  LibraryCall call(function, pc);
  call.touches([&] {
    call.reads(set, sizeof *set);
    call.writes(old, sizeof *old);
  });
  const int error = set_mask(how, set, old);
  if (set != nullptr) mask_changed(pc);
  return error;
}

}  // namespace

void inherit_signal_mask(ThreadId parent, ThreadId child) {
  if (!masks_changed) return;  // nobody blocks anything
  masks[child] = masks[parent];
  signals_of[child] = {.always_blocked = bits_of(masks[child])};
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int sigaction(int number, const struct sigaction* action,
                           struct sigaction* old) noexcept {
  if (!is_mine(MAZUR_CALLER)) {
    LibraryCall call("sigaction", MAZUR_CALLER);
    call.touches([&] {
      call.reads(action, sizeof *action);
      call.writes(old, sizeof *old);
    });
    return set_action(number, action, old);
  }
  static decltype(sigaction)* slot;
  return real(slot, "sigaction")(number, action, old);
}

MAZUR_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESTART);
}
MAZUR_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESETHAND | SA_NODEFER);
}
MAZUR_EXPORT sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return set_handler(number, handler, SA_RESETHAND | SA_NODEFER);
}

MAZUR_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  const int error = change_mask("sigprocmask", how, set, old, MAZUR_CALLER);
  return error == 0 ? 0 : failed_with(error);
}
MAZUR_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change_mask("pthread_sigmask", how, set, old, MAZUR_CALLER);
}

// The program's own stack for handlers is never needed; the runtime's is.
MAZUR_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  if (is_mine(MAZUR_CALLER))
    return raw_syscall(SYS_sigaltstack, reinterpret_cast<long>(stack),
                       reinterpret_cast<long>(old)) < 0
               ? failed_with(EINVAL)
               : 0;
  if (old != nullptr) *old = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  return 0;
}

MAZUR_EXPORT int raise(int number) noexcept {
  if (!in_execution()) die("before main: signal %d was raised", number);
  return deliver(number);
}

MAZUR_EXPORT int kill(pid_t process, int number) noexcept {
  if (!in_execution()) return raw_syscall(SYS_kill, process, number) < 0 ? failed_with(ESRCH) : 0;
  if (process != kProcessId && process != 0) unsupported("kill", MAZUR_CALLER);
  if (number == 0) return 0;
  return deliver(number);
}

MAZUR_EXPORT int tgkill(pid_t process, pid_t thread, int number) {
  if (in_execution() && process == kProcessId && thread == current_thread_number())
    return number == 0 ? 0 : deliver(number);
  unsupported("tgkill", MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_kill(pthread_t thread, int number) noexcept {
  const Fiber* target = in_execution() ? fiber_by_fs(reinterpret_cast<void*>(thread)) : nullptr;
  // A thread that has ended still has its handle until it is joined: the answer is the same.
  if (target == nullptr || target->joined) return ESRCH;
  if (number == 0) return 0;
  if (!is_signal(number)) return EINVAL;
  if (target == runtime.current) return deliver(number) == 0 ? 0 : EINVAL;
  send_to(target->id, number, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT int pthread_sigqueue(pthread_t, int, const sigval) noexcept {
  unsupported("pthread_sigqueue", MAZUR_CALLER);
}
MAZUR_EXPORT int sigqueue(pid_t, int, const sigval) noexcept {
  unsupported("sigqueue", MAZUR_CALLER);
}

// ---- Waiting for signals, and asking for them

MAZUR_EXPORT int pause() { unsupported("pause", MAZUR_CALLER); }
MAZUR_EXPORT int sigsuspend(const sigset_t*) { unsupported("sigsuspend", MAZUR_CALLER); }
MAZUR_EXPORT int sigwait(const sigset_t* set, int* number) {
  if (!in_execution()) die("before main: a signal is waited for that nobody can send");
  const ThreadId me = current_thread();
  Label& label = visible({.kind = OpKind::kSemWait, .object = pending_object(me)}, MAZUR_CALLER,
                         {.enabled = has_pending});
  Signals& mine = signals_of[me];
  if ((mine.pending & ~bits_of(*set)) != 0)
    unsupported("sigwait without a signal that is pending", MAZUR_CALLER);
  label.read = static_cast<std::uint64_t>(__builtin_popcountll(mine.pending));
  label.written = label.read - 1;
  tell_access(number, sizeof *number, true, MAZUR_CALLER);
  *number = __builtin_ctzll(mine.pending);
  mine.pending &= mine.pending - 1;
  return 0;
}
MAZUR_EXPORT int sigwaitinfo(const sigset_t*, siginfo_t*) {
  unsupported("sigwaitinfo", MAZUR_CALLER);
}
MAZUR_EXPORT int sigtimedwait(const sigset_t*, siginfo_t*, const timespec*) {
  unsupported("sigtimedwait", MAZUR_CALLER);
}

MAZUR_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (seconds == 0) return 0;
  unsupported("alarm", MAZUR_CALLER);
}
MAZUR_EXPORT unsigned ualarm(unsigned, unsigned) noexcept { unsupported("ualarm", MAZUR_CALLER); }

MAZUR_EXPORT int setitimer(__itimer_which_t which, const itimerval* value,
                           itimerval* old) noexcept {
  if (!is_mine(MAZUR_CALLER)) unsupported("setitimer", MAZUR_CALLER);
  return raw_syscall(SYS_setitimer, which, reinterpret_cast<long>(value),
                     reinterpret_cast<long>(old)) < 0
             ? failed_with(EINVAL)
             : 0;
}

MAZUR_EXPORT int timer_create(clockid_t, sigevent*, timer_t*) noexcept {
  unsupported("timer_create", MAZUR_CALLER);
}
