// Who holds what a blocked operation waits for.
#include "machine/native/engine/native_machine.h"
#include "machine/native/primitives/mutex.h"

namespace mazur::native {

ThreadId once_runner(const Operation& op);  // once.cpp
ThreadId rwlock_writer(ObjectId lock);      // rwlock.cpp

ThreadId NativeMachine::holder(const Operation& op) const {
  switch (op.kind) {
    case OpKind::kLock:
      return thread_of(object_at<Mutex>(op.object).holder);
    case OpKind::kCondWake:
      return thread_of(object_at<Mutex>(op.object2).holder);
    case OpKind::kRdLock:
    case OpKind::kWrLock:
      return rwlock_writer(op.object);
    case OpKind::kOnceEnter:
      return once_runner(op);
    default:
      return kNoThread;
  }
}

}  // namespace mazur::native
