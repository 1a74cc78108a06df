// The order of messages modulo observability.
#include <algorithm>

#include "explore/observers/observability.h"
#include "trace/fields.h"

namespace mazur {

// For a mailbox that is not ordered. A receive that took none needs no order: all it would have
// accepted was taken before, by its own thread.
void Observability::append_message(EventIndex self) {
  const Label& label = (*trace_)[self].label;
  const bool looked = observation_.mailboxes().order(label.object) == MailOrder::kLooked;
  const std::uint32_t slot = granule(kMailbox | label.object);
  std::vector<Touch>& list = touches_[slot];
  Touch touch{self, Kind::kSent, 0, kNone};
  if (label.kind == OpKind::kSend) {
    for (const Touch& t : list) {
      if (t.kind == Kind::kSent || !looked || !accepts((*trace_)[t.event].label, label)) continue;
      before_.push_back(t.kind == Kind::kMissed ? t.event : t.write);
    }
  } else if (taken_message(label) == 0) {
    touch.kind = Kind::kMissed;
  } else {
    touch.kind = Kind::kTook;
    direct_.clear();  // what was taken before
    for (const Touch& t : list) {
      if (t.kind == Kind::kTook) direct_.push_back(t.write);
      if (t.kind == Kind::kSent && sent_message((*trace_)[t.event].label) == taken_message(label))
        touch.write = t.event;
    }
    std::sort(direct_.begin(), direct_.end());
    if (looked) before_.push_back(touch.write);
    for (const Touch& t : list) {
      if (t.kind != Kind::kSent || !looked || t.event <= touch.write) continue;
      if (accepts(label, (*trace_)[t.event].label) &&
          !std::binary_search(direct_.begin(), direct_.end(), t.event))
        add_edge(touch.write, t.event, self);
    }
  }
  list.push_back(touch);
  granules_.push_back(slot);
}

EventIndex Observability::uncertain_count() const {
  if (is_dependence() || !observation_.mailboxes().counting()) return kNoEvent;
  const auto size = static_cast<EventIndex>(records_.size());
  for (EventIndex r = 0; r < size; ++r) {
    const Label& l = (*trace_)[r].label;
    if (l.kind != OpKind::kReceive || blind_ones_to_come(l) != 0 ||
        observation_.mailboxes().order(l.object) != MailOrder::kCounted)
      continue;
    std::size_t received = 0;
    std::size_t sent = 0;
    for (const Touch& t : touches_[granules_of_.known(kMailbox | l.object)]) {
      if (t.kind == Kind::kTook)
        received += t.event <= r ? 1 : 0;
      else
        sent += happens_before(r, t.event) ? 0 : 1;
    }
    if (sent != received) return r;
  }
  return kNoEvent;
}

}  // namespace mazur
