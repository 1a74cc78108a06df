#include "trace/operation_name.h"

#include <iterator>

namespace mazur {
namespace {

struct Name {
  OpKind kind;
  std::string_view text;
};

// In the order of OpKind.
constexpr Name kNames[] = {
    {OpKind::kNone, "nothing"},
    {OpKind::kLoad, "atomic load"},
    {OpKind::kStore, "atomic store"},
    {OpKind::kRmw, "atomic read-modify-write"},
    {OpKind::kCas, "compare-exchange"},
    {OpKind::kLock, "lock"},
    {OpKind::kTryLock, "trylock"},
    {OpKind::kUnlock, "unlock"},
    {OpKind::kRdLock, "read lock"},
    {OpKind::kWrLock, "write lock"},
    {OpKind::kTryRdLock, "try read lock"},
    {OpKind::kTryWrLock, "try write lock"},
    {OpKind::kRdUnlock, "read unlock"},
    {OpKind::kWrUnlock, "write unlock"},
    {OpKind::kSemWait, "semaphore wait"},
    {OpKind::kSemTryWait, "semaphore trywait"},
    {OpKind::kSemPost, "semaphore post"},
    {OpKind::kSemRead, "semaphore value"},
    {OpKind::kBarrierArrive, "barrier arrival"},
    {OpKind::kBarrierDepart, "barrier departure"},
    {OpKind::kCondWait, "condition wait"},
    {OpKind::kCondWake, "condition wake-up"},
    {OpKind::kCondSignal, "condition signal"},
    {OpKind::kCondBroadcast, "condition broadcast"},
    {OpKind::kFutexWait, "futex wait"},
    {OpKind::kFutexWoken, "futex wake-up"},
    {OpKind::kFutexWake, "futex wake"},
    {OpKind::kOnceEnter, "once enter"},
    {OpKind::kOnceLeave, "once leave"},
    {OpKind::kCreate, "thread create"},
    {OpKind::kJoin, "thread join"},
    {OpKind::kSend, "send"},
    {OpKind::kReceive, "receive"},
    {OpKind::kAwait, "await"},
    {OpKind::kChoose, "choose"},
    {OpKind::kYield, "yield"},
    {OpKind::kExit, "process exit"},
    {OpKind::kNever, "failed assume"},
    {OpKind::kAtomicBlock, "atomic block"},
    {OpKind::kFree, "free"},
    {OpKind::kInit, "init"},
    {OpKind::kDestroy, "destroy"},
    {OpKind::kFence, "fence"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i].kind != static_cast<OpKind>(i)) return false;
  return kNames[std::size(kNames) - 1].kind == kLastKind;
}
static_assert(in_order());

}  // namespace

std::string_view operation_name(OpKind kind) {
  const auto i = static_cast<std::size_t>(kind);
  return i < std::size(kNames) ? kNames[i].text : "unknown operation";
}

std::string_view waits_for_object(OpKind kind) {
  switch (kind) {
    case OpKind::kLock:
      return "waits for mutex ";
    case OpKind::kRdLock:
    case OpKind::kWrLock:
      return "waits for rwlock ";
    case OpKind::kSemWait:
      return "waits for semaphore ";
    case OpKind::kBarrierDepart:
      return "waits at barrier ";
    case OpKind::kCondWake:
      return "waits on condition variable ";
    case OpKind::kFutexWoken:
      return "waits on futex ";
    default:
      return "";
  }
}

std::string_view memory_order_name(std::uint8_t order) {
  constexpr std::string_view kOrders[] = {"relaxed", "consume", "acquire",
                                          "release", "acq_rel", "seq_cst"};
  return order < std::size(kOrders) ? kOrders[order] : "plain";
}

}  // namespace mazur
