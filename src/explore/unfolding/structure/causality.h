// Causality and conflict between any two events of U (Quasi-Optimal POR, Theorem 6), which need not
// have anything to do with a configuration at hand.
//
// For every event there are two maps: tmax(e, i), the last event of thread i in [e], and lmax(e,
// l), the last total event on object l in [e]. Then e <= f iff e is an ancestor of tmax(f, i)
// in the tree of its thread i. e # f iff for some thread or object the maxima are in different
// branches; or, as other accesses than total ones are leaves, one of them is in the way:
// lmax(e, l) is above lmax(f, l), and a leaf below it in [e] does not happen before the next access
// of that kind in [f].
//
// A snapshot: events that are added to U later are unknown.
#pragma once

#include <vector>

#include "explore/unfolding/structure/event_structure.h"
#include "explore/unfolding/structure/skip_tree.h"

namespace mazur::unfolding {

class Causality {
 public:
  explicit Causality(const EventStructure& structure, std::uint32_t step = 4);

  // e <= f.
  bool causes(EventId e, EventId f) const;
  // e # f.
  bool conflict(EventId e, EventId f) const;

  EventId tmax(EventId e, ThreadId thread) const { return tmax_[e * threads_ + thread]; }
  // As a touch, or kNoTouch.
  TouchIndex lmax(EventId e, ObjectIndex object) const { return lmax_[e * objects_ + object]; }

 private:
  void join(EventId into, EventId from);
  bool conflict_on(ObjectIndex object, EventId e, EventId f) const;
  bool leaf_in_the_way(ObjectIndex object, EventId e, TouchIndex above, EventId next) const;
  bool leaves_conflict(ObjectIndex object, EventId e, EventId f, TouchIndex above) const;
  bool needs_configuration() const;

  const EventStructure& structure_;
  std::size_t threads_ = 0;
  std::size_t objects_ = 0;
  std::vector<EventId> tmax_;     // threads_ per event
  std::vector<TouchIndex> lmax_;  // objects_ per event
  SkipTree thread_trees_;         // nodes are events
  SkipTree object_trees_;
  std::vector<EventId> event_of_;       // by node of object_trees_
  std::vector<SkipTree::Index> nodes_;  // by touch, for total ones
};

}  // namespace mazur::unfolding
