#include "machine/native/system/finish.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <typeinfo>
#include <vector>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/loaded_program.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/memory/arena.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/memory/stack.h"
#include "machine/native/primitives/keys.h"
#include "machine/native/primitives/mailbox.h"
#include "machine/native/system/counter.h"
#include "machine/native/system/failed_checks.h"
#include "machine/native/system/output.h"
#include "machine/native/system/property.h"
#include "machine/native/watch/module_watch.h"
#include "machine/native/watch/watchdog.h"

namespace mazur::native {
namespace {

// ---- atexit: the list is the program's, so it starts each execution as it was at the snapshot.

struct ExitHandler {
  void (*function)(void*);
  void* argument;
};
// Constructed before any constructor of a library can register one.
std::vector<ExitHandler>& exit_handlers() {
  static auto& list = *new std::vector<ExitHandler>;
  return list;
}
std::vector<ExitHandler> handlers_at_snapshot;
bool handlers_changed = false;
std::vector<ExitHandler> quick_exit_handlers;

const PerExecution reset_exit_handlers(
    [] {
      if (handlers_changed) exit_handlers() = handlers_at_snapshot;
      handlers_changed = false;
      quick_exit_handlers.clear();
    },
    [] {
      handlers_at_snapshot = exit_handlers();
      handlers_changed = false;
    });

void add_handler(std::vector<ExitHandler>& list, void (*function)(void*), void* argument) {
  handlers_changed = true;
  list.push_back({function, argument});
}

void run_handlers(std::vector<ExitHandler>& list) {
  handlers_changed = true;
  while (!list.empty()) {
    const ExitHandler handler = list.back();
    list.pop_back();
    handler.function(handler.argument);
  }
}

// ---- uncaught exceptions

using TerminateHandler = void (*)();
TerminateHandler previous_terminate = nullptr;
std::type_info* (*current_exception_type)() = nullptr;
const char* uncaught = nullptr;  // the type's name, while std::terminate runs because of it
bool terminating = false;

void on_terminate() {
  terminating = true;
  if (current_exception_type != nullptr)
    if (const std::type_info* type = current_exception_type(); type != nullptr)
      uncaught = type->name();
  if (previous_terminate != nullptr) previous_terminate();
  abort();
}

const PerExecution reset_terminate([] {
  uncaught = nullptr;
  terminating = false;
});

// ---- signals

const char* signal_name(int number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    default:
      return "a signal";
  }
}

// Whether a register holds what fresh memory is as a pointer, or an address a little above. An
// access to an address that cannot exist was then made through such a pointer.
bool holds_fresh_memory(const ucontext_t& context) {
  constexpr std::uint64_t kPointer = std::uint64_t{kPoison} * 0x0101010101010101;
  constexpr std::uint64_t kMember = 4096;
  for (const int number : {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_R8,
                           REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15})
    if (static_cast<std::uint64_t>(context.uc_mcontext.gregs[number]) - kPointer < kMember)
      return true;
  return false;
}

void on_fault(int number, siginfo_t* info, void* context) {
  const bool write_fault = number == SIGSEGV && info->si_code == SEGV_ACCERR;
  if (write_fault && (first_write(info->si_addr) || first_stack_write(info->si_addr))) return;
  if (runs_armed_code(number, *info, context)) return;
  // This is how the kernel reports that it refused an instruction.
  if (number == SIGSEGV && info->si_code == SI_KERNEL && answer_counter(context)) return;
  if (walking()) stop_walking();
  if (asking_predicate) die("%s", kPredicateFailed);
  if (!runtime.running)
    die("%s at %p in the runtime itself (pc %p)", signal_name(number), info->si_addr,
        reinterpret_cast<void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]));
  const PrivateHeapScope scope;
  Message message;
  if (in_guard(info->si_addr))
    message = "stack overflow";
  else if (number == SIGFPE)
    message.add("SIGFPE: %s",
                info->si_code == FPE_INTDIV ? "integer division by zero" : "arithmetic error");
  else if (number == SIGSEGV && info->si_code == SI_KERNEL &&
           holds_fresh_memory(*static_cast<const ucontext_t*>(context)))
    fail_in_handler(FailureKind::kUninitialised,
                    "access through a pointer that was read from memory nobody has initialised",
                    context);
  else if (number == SIGSEGV && info->si_code == SI_KERNEL)
    message = "SIGSEGV: access to an address that cannot exist";
  else
    message.add("%s: access to address %p", signal_name(number), info->si_addr);
  fail_in_handler(FailureKind::kCrash, std::move(message), context);
}

void on_breakpoint(int, siginfo_t* info, void* context) {
  if (asking_predicate) die("%s", kPredicateFailed);
  if (!runtime.running) die("SIGTRAP in the runtime itself");
  const PrivateHeapScope scope;
  breakpoint_hit(/*by_instruction=*/info->si_code == SI_KERNEL, context);
}

// The event with which the process ends; nothing of the program runs after it.
[[noreturn]] void end_process(int status, const void* pc) {
  visible({.kind = OpKind::kExit, .value = static_cast<std::uint64_t>(status & 0xff)}, pc);
  machine->process_ended();
  if (status != 0 && !only_ends_execution(FailureKind::kExitCode)) {
    const PrivateHeapScope scope;
    const std::string check = last_failed_check();
    fail(FailureKind::kExitCode, "the program ended with exit code %d%s%s", status & 0xff,
         check.empty() ? "" : "\n", check.c_str());
  }
  machine->thread_ended(*runtime.current);
  abandon();
}

}  // namespace

void fail_in_handler(FailureKind kind, Message message, void* context) {
  machine->failed(kind, std::move(message), call_stack_at(context));
  runtime.current->failed = true;
  machine->thread_ended(*runtime.current);
  abandon();
}

void finish_process(int status, const void* pc) {
  stop_if_in_block(pc);
  run_thread_local_destructors();  // exit() leaves the values of keys alone
  run_handlers(exit_handlers());
  run_destructor_functions();
  flush_output();
  end_process(status, pc);
}

void install_signal_handlers(bool watch) {
  stack_t stack{};
  stack.ss_size = 256 << 10;
  stack.ss_sp = map_pages(nullptr, stack.ss_size);
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
  if (!watch) return;
  // A debugger stops there itself.
  action.sa_sigaction = on_breakpoint;
  sigaction(SIGTRAP, &action, nullptr);
  start_watchdog();
}

void install_terminate_handler() {
  const auto set_terminate = reinterpret_cast<TerminateHandler (*)(TerminateHandler)>(
      dlsym(RTLD_DEFAULT, "_ZSt13set_terminatePFvvE"));
  current_exception_type =
      reinterpret_cast<std::type_info* (*)()>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  if (set_terminate != nullptr) previous_terminate = set_terminate(on_terminate);
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

extern "C" __attribute__((visibility("hidden"))) void* __dso_handle;

MAZUR_EXPORT int __cxa_atexit(void (*function)(void*), void* argument, void* object) noexcept {
  if (object == &__dso_handle) return 0;  // the runtime's own objects outlive every execution
  add_handler(exit_handlers(), function, argument);
  return 0;
}
// Programs that were linked with the stock runtime take these from it, not from libc's static part.
MAZUR_EXPORT int mazur_atexit(void (*function)()) asm("atexit");
int mazur_atexit(void (*function)()) {
  add_handler(exit_handlers(), reinterpret_cast<void (*)(void*)>(function), nullptr);
  return 0;
}
MAZUR_EXPORT int mazur_at_quick_exit(void (*function)()) asm("at_quick_exit");
int mazur_at_quick_exit(void (*function)()) {
  add_handler(quick_exit_handlers, reinterpret_cast<void (*)(void*)>(function), nullptr);
  return 0;
}
MAZUR_EXPORT int __cxa_at_quick_exit(void (*function)(void*), void*) noexcept {
  add_handler(quick_exit_handlers, function, nullptr);
  return 0;
}

MAZUR_EXPORT void exit(int status) noexcept {
  if (runtime.running) finish_process(status, MAZUR_CALLER);
  raw_syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

namespace {

[[noreturn]] void end_at_once(int status, const void* pc) {
  if (!runtime.running) {
    raw_syscall(SYS_exit_group, status);
    __builtin_unreachable();
  }
  stop_if_in_block(pc);
  end_process(status, pc);
}

}  // namespace

MAZUR_EXPORT void _exit(int status) { end_at_once(status, MAZUR_CALLER); }
MAZUR_EXPORT void _Exit(int status) noexcept { end_at_once(status, MAZUR_CALLER); }
MAZUR_EXPORT void quick_exit(int status) noexcept {
  if (runtime.running) run_handlers(quick_exit_handlers);
  end_at_once(status, MAZUR_CALLER);
}

MAZUR_EXPORT void abort() noexcept {
  if (asking_predicate) die("%s", kPredicateFailed);
  if (!runtime.running) die("abort() before main");
  if (uncaught != nullptr) {
    char name[256];
    {
      PrivateHeapScope scope;
      int status = 0;
      char* demangled = abi::__cxa_demangle(uncaught, nullptr, nullptr, &status);
      std::snprintf(name, sizeof name, "%s", demangled != nullptr ? demangled : uncaught);
      private_free(demangled);
    }
    fail(FailureKind::kUncaughtException, "uncaught exception of type %s", name);
  }
  if (terminating) fail(FailureKind::kAbort, "std::terminate was called without an exception");
  fail(FailureKind::kAbort, "abort() was called");
}

MAZUR_EXPORT void __assert_fail(const char* assertion, const char* file, unsigned line,
                                const char* function) noexcept {
  fail(FailureKind::kAssertion, "assertion failed: %s (%s:%u, %s)", assertion, file, line,
       function != nullptr ? function : "?");
}
MAZUR_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line,
                                       const char*) noexcept {
  fail(FailureKind::kAssertion, "assertion failed: unexpected error %d (%s:%u)", error, file, line);
}
MAZUR_EXPORT void __assert(const char* assertion, const char* file, int line) noexcept {
  fail(FailureKind::kAssertion, "assertion failed: %s (%s:%d)", assertion, file, line);
}
MAZUR_EXPORT void __stack_chk_fail() {
  fail(FailureKind::kCrash, "a buffer on the stack was overrun (stack protector)");
}
