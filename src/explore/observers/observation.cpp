// Which dependences need an observer (observability.h).
#include <algorithm>

#include "explore/observers/observability.h"
#include "trace/dependence.h"

namespace mazur {

bool Observation::note_awaited(const Operation& await) {
  bool added = false;
  for (ObjectId object : {await.object, second_location(await)}) {
    if (object == 0) continue;
    const Range range{object, object + await.size};
    const bool known = std::any_of(awaited_.begin(), awaited_.end(), [&](const Range& r) {
      return r.begin == range.begin && r.end == range.end;
    });
    if (known) continue;
    awaited_.push_back(range);
    added = true;
  }
  return added;
}

bool Observation::awaited(const MemoryUse& use) const {
  return std::any_of(awaited_.begin(), awaited_.end(),
                     [&](const Range& r) { return use.begin < r.end && r.begin < use.end; });
}

// Whether the block writes only one place that it has not read. Of several, others can overwrite
// some, and what comes after them would see parts of both.
bool Observation::writes_one_place(const Label& block) {
  int places = 0;
  return all_uses(block, [&](const MemoryUse& use) {
    if (use.writes && !use.reads) ++places;
    return places < 2;
  });
}

bool Observation::block_writes_blindly(const Label& l) const {
  return is_unknown_block(l) || any_use(l, [&](const MemoryUse& use) { return blind(l, use); });
}

bool Observation::compete(const Label& a, const Label& b) const {
  if (!writes_blindly(a) || !writes_blindly(b)) return false;
  if (a.kind == OpKind::kSend || b.kind == OpKind::kSend)
    return a.kind == b.kind && a.object == b.object;
  return any_use(a, [&](const MemoryUse& x) {
    return blind(a, x) &&
           any_use(b, [&](const MemoryUse& y) { return blind(b, y) && x.overlaps(y); });
  });
}

// Whether the labels, which depend, do so only by blind writes.
bool Observation::only_blind(const Label& a, const Label& b) const {
  if (a.kind == OpKind::kSend || b.kind == OpKind::kSend) return false;
  if (!writes_blindly(a) || !writes_blindly(b)) return false;
  if (a.kind == OpKind::kStore && b.kind == OpKind::kStore) return true;
  if (is_unknown_block(a) || is_unknown_block(b)) return false;
  for (const Access& x : accesses(a))
    for (const Access& y : accesses(b))
      if (x.space != Space::kMemory && x.space == y.space && overlapping(x, y) &&
          conflicting(x.space, x.mode, y.mode))
        return false;
  return all_uses(a, [&](const MemoryUse& x) {
    return all_uses(b, [&](const MemoryUse& y) {
      return !x.overlaps(y) || !(x.writes || y.writes) || (blind(a, x) && blind(b, y));
    });
  });
}

// Whether the labels, which depend, are of messages that have no order by themselves.
bool Observation::unordered_messages(const Label& a, const Label& b) const {
  const bool send_a = a.kind == OpKind::kSend;
  const bool send_b = b.kind == OpKind::kSend;
  if (!send_a && !send_b) return false;
  const MailOrder order = mailboxes_.order(a.object);
  return send_a && send_b ? order != MailOrder::kOrdered : order == MailOrder::kCounted;
}

bool Observation::dependent(const Event& a, const Event& b) const {
  return mazur::dependent(a, b) &&
         !(on_ && (only_blind(a.label, b.label) || unordered_messages(a.label, b.label)));
}

bool Observation::dependent_next(const Event& p, const Event& q) const {
  return mazur::dependent_next(p, q) &&
         !(on_ && (only_blind(p.label, q.label) || unordered_messages(p.label, q.label)));
}

}  // namespace mazur
