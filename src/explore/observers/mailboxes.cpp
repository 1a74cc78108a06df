#include "explore/observers/mailboxes.h"

#include <bit>

#include "trace/access.h"

namespace mazur {
namespace {

// Whether the accesses of a receive in vain are exactly what it accepts.
bool is_exact(std::uint64_t accepted) {
  const int runs = std::popcount(accepted & ~(accepted << 1));
  return runs <= kMaxAccesses;
}

MailOrder told_by(const Operation& receive) {
  if (receive.size > 1 || !is_exact(receive.value)) return MailOrder::kOrdered;
  const bool counts = receive.size == 0 && !receive.timed && receive.value == ~std::uint64_t{0};
  return counts ? MailOrder::kCounted : MailOrder::kLooked;
}

}  // namespace

bool Mailboxes::note(const Operation& op) {
  switch (op.kind) {
    case OpKind::kSend:
      seen_ = true;
      find(op.object);
      return false;
    case OpKind::kReceive: {
      const MailOrder before = order(op.object);
      Mailbox& mailbox = find(op.object);
      raise(mailbox.order, told_by(op));
      return order(op.object) != before && mailbox.since < execution_;
    }
    case OpKind::kLoad:
    case OpKind::kRmw:
    case OpKind::kCas:
      return op.object2 != 0 && raise(least_, MailOrder::kOrdered);
    case OpKind::kWrLock:
    case OpKind::kAwait:
    case OpKind::kCondWait:
    case OpKind::kCondWake:
    case OpKind::kFutexWait:
    case OpKind::kFutexWoken:
    case OpKind::kBarrierArrive:
    case OpKind::kBarrierDepart:
    case OpKind::kAtomicBlock:
      return raise(least_, MailOrder::kLooked);
    default:
      return false;
  }
}

}  // namespace mazur
