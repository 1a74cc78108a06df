// Threads.
//
// create: always enabled; makes the child, which runs up to its first operation in the same step;
// depends on nothing (the child's events happen after it); not reversible. join: enabled once the
// thread has ended; depends on the thread's last event; not reversible. A thread's end is part of
// its last event.
#include "machine/native/primitives/thread.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unwind.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine/native/engine/loaded_program.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/library/library_call.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/system/finish.h"
#include "machine/native/system/signals.h"

namespace mazur::native {
namespace {

void fiber_main() {
  Fiber& self = *runtime.current;
  self.result = self.function(self.argument);
  run_thread_destructors();
  end_thread();
}

bool has_ended(const Fiber& waiting) {
  const Fiber* target = find_fiber(static_cast<ThreadId>(waiting.op->object));
  return target == nullptr || target->ended;
}

Fiber* fiber_of_handle(pthread_t thread) {
  return fiber_by_fs(reinterpret_cast<const void*>(thread));
}

// What pthread_exit unwinds with: destructors and cleanup handlers of the frames run, and then the
// thread ends.
_Unwind_Reason_Code unwind_step(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                _Unwind_Exception*, _Unwind_Context*, void*) {
  if ((actions & _UA_END_OF_STACK) == 0) return _URC_NO_REASON;
  run_thread_destructors();
  end_thread();
}

}  // namespace

void end_thread() {
  Fiber& self = *runtime.current;
  // A program counter in a record is one past what it stands for.
  if (self.function != nullptr) stack_ends(reinterpret_cast<const char*>(self.function) + 1);
  // The process ends with its last thread.
  if (machine->live_threads() == 1) finish_process(0, nullptr);
  machine->thread_ended(self);
  abandon();
}

int create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*),
                  void* argument, const void* pc) {
  if (!runtime.running) failure_before_main("a library created a thread before main");
  Fiber& self = *runtime.current;
  const ThreadId id = child_id(self, self.children);
  if (id == kNoThread) unsupported("creating more than 512 threads", pc);
  Label& label = visible({.kind = OpKind::kCreate, .object = id}, pc);
  label.written = id;
  ++self.children;
  Fiber& child = fiber_of(id);
  child.function = function;
  child.argument = argument;
  child.result = nullptr;
  inherit_signal_mask(self.id, id);
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach_state);
  child.detached = detach_state == PTHREAD_CREATE_DETACHED;
  prepare(child, fiber_main);
  machine->thread_created(child);
  // The new thread may look at its handle before it is written.
  tell_access(handle, sizeof *handle, true, pc);
  *handle = reinterpret_cast<pthread_t>(child.fs);
  return 0;
}

int join_thread(pthread_t handle, void** result, const void* pc) {
  if (!in_execution()) return ESRCH;
  Fiber* target = fiber_of_handle(handle);
  if (target == nullptr || target->joined) return ESRCH;
  if (target == runtime.current) {
    // libstdc++ makes an exception of the error code; C code rarely looks at it.
    if (!is_program_code(reinterpret_cast<std::uint64_t>(pc))) return EDEADLK;
    fail(FailureKind::kDeadlock, "a thread joins itself");
  }
  if (target->detached) return EINVAL;
  visible({.kind = OpKind::kJoin, .object = target->id}, pc, {.enabled = has_ended});
  target->joined = true;
  tell_access(result, sizeof *result, true, pc);
  if (result != nullptr) *result = target->result;
  return 0;
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                void* (*function)(void*), void* argument) noexcept {
  return create_thread(handle, attributes, function, argument, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_join(pthread_t thread, void** result) {
  return join_thread(thread, result, MAZUR_CALLER);
}
// Whether a thread has ended yet is not an event that others could be ordered with.
MAZUR_EXPORT int pthread_tryjoin_np(pthread_t, void**) noexcept {
  unsupported("pthread_tryjoin_np", MAZUR_CALLER);
}
MAZUR_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* deadline) {
  if (deadline != nullptr) unsupported("pthread_timedjoin_np", MAZUR_CALLER);
  return join_thread(thread, result, MAZUR_CALLER);
}
MAZUR_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t,
                                      const timespec* deadline) {
  if (deadline != nullptr) unsupported("pthread_clockjoin_np", MAZUR_CALLER);
  return join_thread(thread, result, MAZUR_CALLER);
}

MAZUR_EXPORT int pthread_detach(pthread_t thread) noexcept {
  if (!in_execution()) return ESRCH;
  Fiber* target = fiber_of_handle(thread);
  if (target == nullptr) return ESRCH;
  if (target->detached || target->joined) return EINVAL;
  target->detached = true;
  return 0;
}

MAZUR_EXPORT pthread_t pthread_self() noexcept {
  const void* fs = runtime.current != nullptr ? runtime.current->fs : runtime.main_fs;
  if (fs == nullptr) asm("mov %%fs:0, %0" : "=r"(fs));
  return reinterpret_cast<pthread_t>(fs);
}

// Under another name, because pthread.h has an inline one.
MAZUR_EXPORT int mazur_pthread_equal(pthread_t a, pthread_t b) noexcept asm("pthread_equal");
int mazur_pthread_equal(pthread_t a, pthread_t b) noexcept { return a == b; }

MAZUR_EXPORT void pthread_exit(void* result) {
  if (!in_execution()) die("pthread_exit before main");
  Fiber& self = *runtime.current;
  self.result = result;
  run_c_cleanup_handlers();
  // The exception object must live until the stack is unwound.
  static _Unwind_Exception exceptions[kMaxThreads];
  _Unwind_Exception& exception = exceptions[self.id];
  std::memset(&exception, 0, sizeof exception);
  _Unwind_ForcedUnwind(&exception, unwind_step, nullptr);
  // Without unwind information up to the end of the stack (assembly, old C code), it ends all the
  // same.
  run_thread_destructors();
  end_thread();
}

MAZUR_EXPORT int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  if (std::strlen(name) > 15) return ERANGE;
  Fiber* target = in_execution() ? fiber_of_handle(thread) : nullptr;
  if (target != nullptr) std::snprintf(target->name, sizeof target->name, "%s", name);
  return 0;
}

MAZUR_EXPORT int pthread_getname_np(pthread_t thread, char* out, std::size_t size) noexcept {
  if (size < 16) return ERANGE;
  const Fiber* target = in_execution() ? fiber_of_handle(thread) : nullptr;
  std::snprintf(out, size, "%s", target != nullptr && target->name[0] != 0 ? target->name : "main");
  return 0;
}

MAZUR_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  const Fiber* target = in_execution() ? fiber_of_handle(thread) : nullptr;
  if (target == nullptr) return ESRCH;
  pthread_attr_init(attributes);
  pthread_attr_setstack(attributes, target->stack, kStackSize);
  pthread_attr_setdetachstate(attributes,
                              target->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return 0;
}

// Where a thread runs and with what priority is the explorer's business.
MAZUR_EXPORT int pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t*) noexcept {
  return 0;
}
MAZUR_EXPORT int pthread_setschedparam(pthread_t, int, const sched_param*) noexcept { return 0; }
MAZUR_EXPORT int pthread_setschedprio(pthread_t, int) noexcept { return 0; }
MAZUR_EXPORT int pthread_getschedparam(pthread_t, int* policy, sched_param* parameters) noexcept {
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return 0;
}
