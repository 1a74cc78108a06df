#include "explore/observers/mailboxes.h"

#include <bit>

#include "trace/access.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// Whether the accesses of a receive in vain are exactly what it accepts.
bool is_exact(std::uint64_t alternatives) {
  const int runs = std::popcount(alternatives & ~(alternatives << 1));
  return runs <= kMaxAccesses;
}

MailOrder told_by(const Operation& receive) {
  if (is_selective(receive) || !is_exact(accepted(receive))) return MailOrder::kOrdered;
  const bool counts = is_blind(receive) && !receive.timed && accepted(receive) == ~std::uint64_t{0};
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
      return waits_for(op) != 0 && raise(least_, MailOrder::kOrdered);
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
