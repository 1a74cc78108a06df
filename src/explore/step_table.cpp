#include "explore/step_table.h"

#include "base/hash.h"

namespace mazur {
namespace {

// What is left of a label when only dependence counts.
Event essence(const Event& event) {
  const Label& l = event.label;
  Event e{.thread = event.thread, .choice = event.choice, .ways = event.ways, .label = {}};
  e.label.kind = l.kind;
  e.label.timed = l.timed;
  e.label.size = l.size;
  e.label.object = l.object;
  e.label.object2 = l.object2;
  e.label.success = l.success;
  switch (l.kind) {
    case OpKind::kBarrierDepart:
    case OpKind::kAtomicBlock:
    case OpKind::kSend:
    case OpKind::kInit:
    case OpKind::kDestroy:
      e.label.value = l.value;
      break;
    case OpKind::kReceive:
      e.label.value = l.value;
      e.label.read = l.read;
      break;
    case OpKind::kBarrierArrive:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
      e.label.written = l.written;
      break;
    default:
      break;
  }
  return e;
}

bool same(const Event& a, const Event& b) {
  const Label& x = a.label;
  const Label& y = b.label;
  return a.thread == b.thread && a.choice == b.choice && a.ways == b.ways && x.kind == y.kind &&
         x.object == y.object && x.object2 == y.object2 && x.size == y.size &&
         x.success == y.success && x.timed == y.timed && x.value == y.value &&
         x.written == y.written && x.read == y.read;
}

std::uint64_t hash(const Event& e) {
  const Label& l = e.label;
  std::uint64_t h = mixed(0, l.object);
  h = mixed(h, std::uint64_t{e.thread} << 48 | std::uint64_t{e.choice} << 32 | l.size);
  h = mixed(h, static_cast<std::uint64_t>(l.kind) << 2 | std::uint64_t{l.success} << 1 | l.timed);
  h = mixed(h, l.object2 ^ l.value << 32 ^ l.written ^ l.read ^ std::uint64_t{e.ways} << 48);
  return h ^ h >> 32;
}

}  // namespace

StepId StepTable::add(const Event& event) {
  const Event e = essence(event);
  const StepId known = numbers_.find(hash(e), [&](StepId id) { return same(events_[id], e); });
  if (known != NumberTable::kNone) return known;
  const auto id = static_cast<StepId>(events_.size());
  events_.push_back(e);
  numbers_.add(id, [this](StepId other) { return hash(events_[other]); });
  return id;
}

}  // namespace mazur
