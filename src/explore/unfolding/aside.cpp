#include "explore/unfolding/aside.h"

namespace mazur::unfolding {

void Aside::put(EventId e, std::uint32_t position, EventId because) {
  Record& record = records_[e];
  if (record.position != kListed) return;
  structure_.unlink(e);
  record.because = because;
  const EventId first = records_[because].group;
  if (because != e && record.next == kBottom && first != kBottom &&
      records_[first].position == position && records_[first].because == because &&
      can_follow(e, first)) {
    record.position = kFollows;
    record.next = records_[first].next;
    records_[first].next = e;
    return;
  }
  record.position = position;
  records_[because].group = e;
  if (position >= aside_.size()) aside_.resize(position + 1u);
  aside_[position].push_back(e);
}

// A group is in one list, each event of it in no other, and who passes one by, because it is not in
// conflict, may pass all by.
bool Aside::can_follow(EventId e, EventId first) const {
  const std::span<const Touch> own = structure_.touched(e);
  const std::span<const Touch> others = structure_.touched(first);
  return own.size() == 1 && others.size() == 1 && own[0].family == others[0].family &&
         own[0].mode == others[0].mode &&
         structure_.objects().space(own[0].object) != Space::kBarrier;
}

void Aside::split(EventId e) {
  EventId next = records_[e].next;
  records_[e].next = kBottom;
  while (next != kBottom) {
    Record& record = records_[next];
    structure_.relink_after(e, next);
    record.position = kListed;
    next = record.next;
    record.next = kBottom;
  }
}

void Aside::truncate(std::size_t size) {
  for (std::size_t position = size; position < aside_.size(); ++position) {
    for (EventId e : aside_[position]) {
      records_[e].position = kListed;
      structure_.relink(e);
    }
    aside_[position].clear();
  }
}

void Aside::clear() {
  truncate(0);
  for (EventId e = 0; e < records_.size(); ++e) {
    records_[e].next = kBottom;
    if (records_[e].position != kFollows) continue;
    records_[e].position = kListed;
    structure_.relink(e);
  }
}

}  // namespace mazur::unfolding
