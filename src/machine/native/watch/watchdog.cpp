#include "machine/native/watch/watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdio>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/system/finish.h"
#include "machine/native/watch/endless_code.h"
#include "machine/native/watch/endless_loop.h"
#include "machine/native/watch/ticks.h"

namespace mazur::native {
namespace {

constexpr double kTick = 0.05;
constexpr int kTries = 20;  // to interrupt the program outside of the runtime

double step_limit = 0;  // seconds of processor time; 0: none
double call_limit = 0;  // seconds; 0: none

// The step that the last tick found, and what is known of it.
struct Watched {
  std::uint32_t execution = 0;
  std::uint64_t step = 0;
  double began = 0;  // by processor time
  double in_call = 0;
  int tries = 0;
};
Watched watched;

double processor_time() {
  timespec t;
  raw_syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, reinterpret_cast<long>(&t));
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

std::uint64_t value_of(const ucontext_t& context, int number) {
  return static_cast<std::uint64_t>(context.uc_mcontext.gregs[number]);
}

CodeState code_state(const ucontext_t& context) {
  static constexpr int kNumbers[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                       REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                       REG_R12, REG_R13, REG_R14, REG_R15};
  CodeState state{.at = reinterpret_cast<const unsigned char*>(value_of(context, REG_RIP)),
                  .flags = value_of(context, REG_EFL)};
  for (int i = 0; i < 16; ++i) state.registers[i] = value_of(context, kNumbers[i]);
  return state;
}

// Whether the program waits in a system call: it is at the instruction if the kernel will start the
// call again (SA_RESTART), and behind it if the call gave up.
bool in_system_call(const unsigned char* next) {
  const auto is_call = [](const unsigned char* at) { return at[0] == 0x0f && at[1] == 0x05; };
  return is_call(next) || is_call(next - 2);
}

// A thread of the program has been in one step since an earlier tick. What to do about it; called
// in the signal handler, on its own stack.
void look_at_step(ucontext_t& context) {
  char text[160];
  const auto* next = reinterpret_cast<const unsigned char*>(value_of(context, REG_RIP));
  const bool in_runtime = is_runtime_code(reinterpret_cast<std::uint64_t>(next));
  watched.in_call = in_system_call(next) ? watched.in_call + kTick : 0;
  if (call_limit > 0 && watched.in_call >= call_limit) {
    std::snprintf(text, sizeof text,
                  "a system call that blocks for %g seconds (--call-limit) is not controlled by "
                  "Mazur",
                  call_limit);
    const PrivateHeapScope scope;
    fail_in_handler(FailureKind::kUnsupported, text, &context);
  }
  if (!in_runtime && !runtime.in_block && runtime.watch_loops)
    if (const unsigned char* loop = endless_loop_at(code_state(context)); loop != nullptr)
      stays_for_ever(loop + 1, reinterpret_cast<void*>(value_of(context, REG_RSP)));
  if (step_limit <= 0 || processor_time() - watched.began < step_limit) return;
  if (in_runtime && ++watched.tries < kTries) return;
  std::snprintf(text, sizeof text,
                "the thread has computed for %g seconds without a visible operation", step_limit);
  const PrivateHeapScope scope;
  fail_in_handler(FailureKind::kStepLimit, text, &context);
}

// The one place that decides what happens on a tick. Whatever else has to be asked while a step
// takes long belongs here.
void on_tick(int, siginfo_t*, void* context) {
  tick();
  if (!runtime.running || runtime.execution != watched.execution || runtime.hooks != watched.step) {
    watched = {.execution = runtime.execution, .step = runtime.hooks, .began = processor_time()};
    return;
  }
  if (PrivateHeapScope::active()) return;
  look_at_step(*static_cast<ucontext_t*>(context));
}

}  // namespace

void start_watchdog() {
  step_limit = runtime.channel->request.step_limit;
  call_limit = runtime.channel->request.call_limit;
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval interval{{0, 50'000}, {0, 50'000}};
  setitimer(ITIMER_REAL, &interval, nullptr);
}

ShortSteps::ShortSteps(double seconds) : before_(step_limit) {
  step_limit = step_limit > 0 ? std::min(step_limit, seconds) : seconds;
}
ShortSteps::~ShortSteps() { step_limit = before_; }

}  // namespace mazur::native
