#include "explore/unfolding/structure/configuration.h"

#include <algorithm>

namespace mazur::unfolding {

TouchIndex Configuration::last_total(ObjectIndex object) const {
  const std::span<const Entry> entries = on(object);
  for (std::size_t i = entries.size(); i-- > 0;)
    if (entries[i].total) return entries[i].touch;
  return kNoTouch;
}

void Configuration::push(EventId e) {
  const Node& node = structure_[e];
  if (e >= status_.size()) status_.resize(structure_.size());
  const auto position = static_cast<std::uint32_t>(events_.size());
  status_[e] = {position, kBottom, kIncluded};
  serials_.push_back(pushes_++);
  if (node.thread >= last_.size()) last_.resize(node.thread + 1u, kBottom);
  if (structure_.objects().size() > entries_.size()) entries_.resize(structure_.objects().size());
  events_.push_back(e);
  last_[node.thread] = e;
  TouchIndex index = node.touches_begin;
  for (const Touch& t : structure_.touched(e))
    entries_[t.object].push_back({e, index++, node.place, t.arrives ? t.phase() : 0, position,
                                  node.thread, t.mode, t.total});
}

void Configuration::truncate(std::size_t size) {
  while (events_.size() > size) {
    const EventId e = events_.back();
    const Node& node = structure_[e];
    events_.pop_back();
    serials_.pop_back();
    status_[e] = {};
    last_[node.thread] = node.place == 0 ? kBottom : node.program_predecessor;
    for (const Touch& t : structure_.touched(e)) entries_[t.object].pop_back();
  }
}

// Notes the distances in the trees for the questions that conflict() is about to ask.
void Configuration::note_distances(EventId e) const {
  const auto distance = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
  for (const Touch& t : structure_.touched(e)) {
    if (structure_.objects().space(t.object) == Space::kBarrier) continue;
    for (ObjectIndex o : structure_.objects().overlapping(t.object)) {
      const std::span<const Entry> entries = on(o);
      if (entries.empty()) continue;
      const Entry& x = entries.back();
      if (o == t.object)
        distances_->conflict.add(distance(t.depth(), structure_.touch(x.touch).depth()));
      const std::uint32_t clock = structure_.clock(e, x.thread);
      distances_->causality.add(distance(clock, x.place + 1));
    }
  }
}

std::uint32_t Configuration::conflict(EventId e) const {
  const Node& node = structure_[e];
  if (distances_ != nullptr) note_distances(e);
  EventId last = node.thread < last_.size() ? last_[node.thread] : kBottom;
  if (last != (node.place == 0 ? kBottom : node.program_predecessor)) {
    // Another event has taken its place in the thread.
    while (structure_[last].place > node.place) last = structure_[last].program_predecessor;
    return status_[last].position;
  }
  for (const Touch& t : structure_.touched(e)) {
    const Space space = structure_.objects().space(t.object);
    if (space == Space::kBarrier) {
      // Its phase is full. Later phases start after that.
      std::uint32_t arrived = 0;
      const std::span<const Entry> entries = on(t.object);
      for (std::size_t i = entries.size(); i-- > 0 && entries[i].phase >= t.phase();) ++arrived;
      if (arrived >= t.capacity()) return entries.back().position;
      continue;
    }
    // A dependent event is included that e does not happen after. The first such event is
    // reported: that holds longest.
    std::uint32_t position = kNone;
    for (ObjectIndex o : structure_.objects().overlapping(t.object)) {
      const std::span<const Entry> entries = on(o);
      for (std::size_t i = entries.size(); i-- > 0;) {
        const Entry& x = entries[i];
        const bool before = x.place < structure_.clock(e, x.thread);
        if (!before && conflicting(space, t.mode, x.mode))
          position = std::min(position, x.position);
        if (before && x.total) break;  // it happens after all that is older
      }
    }
    if (position != kNone) return position;
  }
  return kNone;
}

void Configuration::reject(EventId e, std::uint32_t position, EventId because) {
  if (e >= status_.size()) status_.resize(structure_.size());
  status_[e] = {position, because, serials_[position]};
}

bool Configuration::include(EventId e, std::span<const std::uint8_t> forbidden) {
  hindrance_ = kBottom;
  if (contains(e)) return true;
  path_.assign(1, e);
  while (!path_.empty()) {
    const EventId x = path_.back();
    if (contains(x)) {
      path_.pop_back();
      continue;
    }
    if (x < forbidden.size() && forbidden[x] != 0) {
      hindrance_ = x;
      return false;
    }
    if (const std::uint32_t position = rejected(x); position != kNone) {
      reject(e, position, rejected_because(x));
      return false;
    }
    const std::size_t depth = path_.size();
    const EventId pt = structure_[x].program_predecessor;
    if (pt != kBottom && !contains(pt)) path_.push_back(pt);
    for (EventId c : structure_.causes(x))
      if (!contains(c)) path_.push_back(c);
    if (path_.size() > depth) continue;
    if (const std::uint32_t position = conflict(x); position != kNone) {
      reject(x, position, x);
      reject(e, position, x);
      return false;
    }
    push(x);
    path_.pop_back();
  }
  return true;
}

void Configuration::rename(std::span<const EventId> names) {
  std::vector<EventId> events = std::move(events_);
  events_.clear();
  serials_.clear();
  status_.assign(structure_.size(), {});
  std::fill(last_.begin(), last_.end(), kBottom);
  for (std::vector<Entry>& entries : entries_) entries.clear();
  for (EventId e : events) push(names[e]);
}

}  // namespace mazur::unfolding
