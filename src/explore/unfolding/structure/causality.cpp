#include "explore/unfolding/structure/causality.h"

#include "explore/unfolding/structure/configuration.h"

namespace mazur::unfolding {

Causality::Causality(const EventStructure& structure, std::uint32_t step)
    : structure_(structure),
      objects_(structure.objects().size()),
      thread_trees_(step),
      object_trees_(step),
      nodes_(structure.touches(), SkipTree::kNone) {
  for (EventId e = 0; e < structure.size(); ++e)
    threads_ = std::max<std::size_t>(threads_, structure[e].thread + 1u);
  tmax_.assign(structure.size() * threads_, kBottom);
  lmax_.assign(structure.size() * objects_, kNoTouch);
  for (EventId e = 0; e < structure.size(); ++e) {
    const Node& n = structure[e];
    const EventId pt = n.program_predecessor;
    thread_trees_.add(n.place == 0 ? SkipTree::kNone : pt);
    if (pt != kBottom) join(e, pt);
    for (EventId c : structure.causes(e)) join(e, c);
    tmax_[e * threads_ + n.thread] = e;
    for (TouchIndex i = n.touches_begin; i < n.touches_begin + n.touches; ++i) {
      const Touch& t = structure.touch(i);
      if (!t.total) continue;
      const TouchIndex above = structure.parent(i);
      nodes_[i] = object_trees_.add(above == kNoTouch ? SkipTree::kNone : nodes_[above]);
      event_of_.push_back(e);
      lmax_[e * objects_ + t.object] = i;
    }
  }
}

// In one history, the events of a thread, and the total ones on an object, are in one branch.
void Causality::join(EventId into, EventId from) {
  for (std::size_t t = 0; t < threads_; ++t) {
    EventId& last = tmax_[into * threads_ + t];
    const EventId other = tmax_[from * threads_ + t];
    if (other != kBottom && (last == kBottom || structure_[last].place < structure_[other].place))
      last = other;
  }
  for (ObjectIndex o = 0; o < objects_; ++o) {
    TouchIndex& last = lmax_[into * objects_ + o];
    const TouchIndex other = lmax_[from * objects_ + o];
    if (other != kNoTouch && (last == kNoTouch || object_trees_.depth(nodes_[last]) <
                                                      object_trees_.depth(nodes_[other])))
      last = other;
  }
}

bool Causality::causes(EventId e, EventId f) const {
  const EventId last = tmax(f, structure_[e].thread);
  return last != kBottom && thread_trees_.is_ancestor(e, last);
}

bool Causality::conflict(EventId e, EventId f) const {
  for (ThreadId t = 0; t < threads_; ++t) {
    const EventId a = tmax(e, t);
    const EventId b = tmax(f, t);
    if (a != kBottom && b != kBottom && !thread_trees_.related(a, b)) return true;
  }
  if (needs_configuration()) {
    Configuration both(structure_);
    return !both.include(e, {}) || !both.include(f, {});
  }
  for (ObjectIndex o = 0; o < objects_; ++o)
    if (conflict_on(o, e, f)) return true;
  return false;
}

// Where objects are not independent of each other (ranges of memory that overlap) or conflict is
// not between two events (barriers).
bool Causality::needs_configuration() const {
  for (ObjectIndex o = 0; o < objects_; ++o)
    if (structure_.objects().space(o) == Space::kBarrier ||
        structure_.objects().overlapping(o).size() > 1)
      return true;
  return false;
}

bool Causality::conflict_on(ObjectIndex object, EventId e, EventId f) const {
  const TouchIndex a = lmax(e, object);
  const TouchIndex b = lmax(f, object);
  if (a == b) return leaves_conflict(object, e, f, a);
  if (a != kNoTouch && b != kNoTouch && !object_trees_.related(nodes_[a], nodes_[b])) return true;
  const bool e_above = a == kNoTouch || (b != kNoTouch && object_trees_.depth(nodes_[a]) <
                                                              object_trees_.depth(nodes_[b]));
  const TouchIndex above = e_above ? a : b;
  const TouchIndex below = e_above ? b : a;
  const std::uint32_t depth = above == kNoTouch ? 0 : object_trees_.depth(nodes_[above]) + 1;
  const EventId next = event_of_[object_trees_.ancestor(nodes_[below], depth)];
  return leaf_in_the_way(object, e_above ? e : f, above, next);
}

bool Causality::leaf_in_the_way(ObjectIndex object, EventId e, TouchIndex above,
                                EventId next) const {
  return !structure_.for_each_child(object, above, kNoThread, [&](const Touch& leaf) {
    return leaf.total || !causes(leaf.event, e) || causes(leaf.event, next);
  });
}

bool Causality::leaves_conflict(ObjectIndex object, EventId e, EventId f, TouchIndex above) const {
  const Space space = structure_.objects().space(object);
  return !structure_.for_each_child(object, above, kNoThread, [&](const Touch& a) {
    if (a.total || !causes(a.event, e) || causes(a.event, f)) return true;
    return structure_.for_each_child(object, above, kNoThread, [&](const Touch& b) {
      return b.total || !conflicting(space, a.mode, b.mode) || !causes(b.event, f) ||
             causes(b.event, e);
    });
  });
}

}  // namespace mazur::unfolding
