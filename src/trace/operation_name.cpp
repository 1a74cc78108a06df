#include "trace/operation_name.h"

namespace mazur {

std::string_view operation_name(OpKind kind) {
  switch (kind) {
    case OpKind::kNone:
      return "nothing";
    case OpKind::kLoad:
      return "atomic load";
    case OpKind::kStore:
      return "atomic store";
    case OpKind::kRmw:
      return "atomic read-modify-write";
    case OpKind::kCas:
      return "compare-exchange";
    case OpKind::kLock:
      return "lock";
    case OpKind::kTryLock:
      return "trylock";
    case OpKind::kUnlock:
      return "unlock";
    case OpKind::kRdLock:
      return "read lock";
    case OpKind::kWrLock:
      return "write lock";
    case OpKind::kTryRdLock:
      return "try read lock";
    case OpKind::kTryWrLock:
      return "try write lock";
    case OpKind::kRdUnlock:
      return "read unlock";
    case OpKind::kWrUnlock:
      return "write unlock";
    case OpKind::kSemWait:
      return "semaphore wait";
    case OpKind::kSemTryWait:
      return "semaphore trywait";
    case OpKind::kSemPost:
      return "semaphore post";
    case OpKind::kSemRead:
      return "semaphore value";
    case OpKind::kBarrierArrive:
      return "barrier arrival";
    case OpKind::kBarrierDepart:
      return "barrier departure";
    case OpKind::kCondWait:
      return "condition wait";
    case OpKind::kCondWake:
      return "condition wake-up";
    case OpKind::kCondSignal:
      return "condition signal";
    case OpKind::kCondBroadcast:
      return "condition broadcast";
    case OpKind::kFutexWait:
      return "futex wait";
    case OpKind::kFutexWoken:
      return "futex wake-up";
    case OpKind::kFutexWake:
      return "futex wake";
    case OpKind::kOnceEnter:
      return "once enter";
    case OpKind::kOnceLeave:
      return "once leave";
    case OpKind::kCreate:
      return "thread create";
    case OpKind::kJoin:
      return "thread join";
    case OpKind::kSend:
      return "send";
    case OpKind::kReceive:
      return "receive";
    case OpKind::kAwait:
      return "await";
    case OpKind::kChoose:
      return "choose";
    case OpKind::kYield:
      return "yield";
    case OpKind::kExit:
      return "process exit";
    case OpKind::kNever:
      return "failed assume";
    case OpKind::kBlock:
      return "atomic block";
    case OpKind::kFree:
      return "free";
    case OpKind::kInit:
      return "init";
    case OpKind::kDestroy:
      return "destroy";
  }
  return "unknown operation";
}

}  // namespace mazur
