// pthread_cleanup_push and pthread_cleanup_pop in C code that is compiled without -fexceptions, and
// whether a thread may be cancelled.
// (Otherwise they are destructors, and unwinding the stack runs them like any other.)
//
// Enabled, does, depends on, reversible: no events. What the handlers do is the program's own code.
//
// The macros save their frame with setjmp and register it. pthread_exit unwinds the stack; once it
// has passed a registered frame it jumps back into it with longjmp, the frame calls its handler,
// and __pthread_unwind_next goes on unwinding from there. So handlers and the destructors of C++
// frames run in the order of the stack.
#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>

#include <cerrno>
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/system/finish.h"

namespace mazur::native {

// Over glibc's __pthread_unwind_buf_t: what setjmp saved, and four words for us.
struct CleanupFrame {
  __cancel_jmp_buf_tag environment;
  CleanupFrame* outer;
};
static_assert(sizeof(CleanupFrame) <= sizeof(__pthread_unwind_buf_t));
static_assert(offsetof(CleanupFrame, outer) == offsetof(__pthread_unwind_buf_t, __pad));

namespace {

CleanupFrame* frame_at(__pthread_unwind_buf_t* buffer) {
  return reinterpret_cast<CleanupFrame*>(buffer);
}

// Called before each frame is left, with the stack pointer that the frame has.
_Unwind_Reason_Code before_frame(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                 _Unwind_Exception*, _Unwind_Context* context, void*) {
  Fiber& me = *runtime.current;
  const bool at_end = (actions & _UA_END_OF_STACK) != 0;
  // The registered buffer is a local variable: below the stack pointer, its frame has been passed.
  if (me.cleanup != nullptr &&
      (at_end || reinterpret_cast<std::uintptr_t>(me.cleanup) < _Unwind_GetCFA(context)))
    longjmp(reinterpret_cast<__jmp_buf_tag*>(&me.cleanup->environment), 1);
  if (!at_end) return _URC_NO_REASON;
  run_thread_destructors();
  end_thread();
}

[[noreturn]] void unwind() {
  // One for each thread: the unwinder keeps its place in it.
  static _Unwind_Exception exceptions[kMaxThreads];
  _Unwind_Exception& exception = exceptions[runtime.current->id];
  std::memset(static_cast<void*>(&exception), 0, sizeof exception);
  _Unwind_ForcedUnwind(&exception, before_frame, nullptr);
  run_thread_destructors();
  end_thread();
}

}  // namespace

// If the thread has none, pthread_exit does its own unwinding.
void run_c_cleanup_handlers() {
  if (runtime.current->cleanup != nullptr) unwind();
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (!in_execution()) return;
  frame_at(buffer)->outer = runtime.current->cleanup;
  runtime.current->cleanup = frame_at(buffer);
}

MAZUR_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (in_execution()) runtime.current->cleanup = frame_at(buffer)->outer;
}

MAZUR_EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t* buffer) {
  __pthread_register_cancel(buffer);
}

MAZUR_EXPORT void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t* buffer) {
  __pthread_unregister_cancel(buffer);
}

MAZUR_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  runtime.current->cleanup = frame_at(buffer)->outer;
  unwind();
}

namespace {

// Nobody is ever cancelled: each thread only notes for itself what it has asked for.
int set_noted(int Fiber::*noted, int value, int* old) {
  int& mine = fiber_of(current_thread()).*noted;
  if (old != nullptr) *old = mine;
  mine = value;
  return 0;
}

}  // namespace

MAZUR_EXPORT int pthread_setcancelstate(int state, int* old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  return set_noted(&Fiber::cancel_state, state, old);
}

MAZUR_EXPORT int pthread_setcanceltype(int type, int* old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  return set_noted(&Fiber::cancel_type, type, old);
}
