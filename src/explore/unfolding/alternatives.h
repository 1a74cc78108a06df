// Alt: k-partial alternatives by search in a comb (Quasi-Optimal POR, section 5).
//
// The comb has a spike for each of the k events of D: the events of U that are in conflict with it.
// Only the minimal ones of them matter: an event that is in conflict with d only because it happens
// after another such event can be replaced by that. As d is enabled after C, they are d's siblings
// in its thread's tree and in the trees of the objects that it touches. So a spike is a few lists
// of children, and is never built: the search walks along it.
//
// Spikes are searched depth first; the configuration C + J grows with the chosen events, and events
// of D that it is already in conflict with need no choice.
#pragma once

#include <span>
#include <vector>

#include "explore/unfolding/aside.h"
#include "explore/unfolding/structure/configuration.h"

namespace mazur::unfolding {

// Whether e, another event in the place of d in its thread, can be in conflict with d while e's
// history is not. If both do the same with the same objects, then either some event that they
// depend on is in the history of e and in conflict with d; or such an event is in the history of d,
// hence in C, and in conflict with e; or only the outcome is another one.
bool may_be_minimal(const EventStructure& structure, EventId d, EventId e);

// Calls visit(e) for those events of the spike of d that have its place in its thread, until visit
// returns false. Returns whether it never did.
template <typename Visit>
bool for_each_instead(const EventStructure& structure, EventId d, Visit&& visit) {
  const Node& node = structure[d];
  const auto sibling = [&](EventId e) {
    return e == d || !may_be_minimal(structure, d, e) || visit(e);
  };
  return !structure.varied(node.thread, node.program_predecessor) ||
         structure.for_each_next(node.thread, node.program_predecessor, sibling);
}

// Calls visit(e) for the events of the spike of d, which can be added to the configuration, until
// visit returns false.
template <typename Visit>
void for_each_in_spike(const EventStructure& structure, const Configuration& configuration,
                       EventId d, Visit&& visit) {
  if (!for_each_instead(structure, d, visit)) return;
  for (const Touch& t : structure.touched(d)) {
    const Space space = structure.objects().space(t.object);
    for (ObjectIndex o : structure.objects().overlapping(t.object)) {
      const auto child = [&](const Touch& other) {
        const bool in_conflict = space == Space::kBarrier ? other.phase() == t.phase()
                                                          : conflicting(space, t.mode, other.mode);
        return !in_conflict || visit(other.event);
      };
      const TouchIndex parent = configuration.last_total(o);
      if (!structure.for_each_child(o, parent, structure[d].thread, child)) return;
    }
  }
}

class Alternatives {
 public:
  struct Counts {
    std::uint64_t sought = 0;
    std::uint64_t found = 0;
    std::uint64_t tried = 0;  // events of spikes
    std::uint64_t aside = 0;  // of those: put aside because they were not possible
  };

  Alternatives(EventStructure& structure, Configuration& configuration)
      : structure_(structure), configuration_(configuration), aside_(structure) {}

  // A k-partial alternative to `disabled` after the configuration C (k = 0: an alternative), or
  // nothing. disabled: those events of D that can be added to C, the one explored last at the end.
  // On success, alternative() is J \ C, causes first. The configuration is C again.
  bool find(std::span<const EventId> disabled, std::size_t k);
  std::span<const EventId> alternative() const { return alternative_; }
  const Counts& counts() const { return counts_; }

  // Whether e is an arrival at a barrier: that is then what it touches first.
  bool is_arrival(EventId e) const;

  // The configuration has become shorter: those events that were put aside because they were in
  // conflict with what is gone are in their trees again.
  void truncate(std::size_t size) { aside_.truncate(size); }
  // All that were put aside are in their trees again.
  void put_back() { aside_.clear(); }
  // Must follow put_back().
  void rename(std::span<const EventId> names);

 private:
  // Why an event cannot be added: `because` cannot, which is the event or in its history, and that
  // holds as long as the configuration is longer than `position`.
  struct Hindrance {
    EventId because = kBottom;  // it can be added
    std::uint32_t position = Configuration::kNone;
  };

  bool search(std::size_t from, std::uint64_t after);
  bool can_be_filled(EventId d) const;
  Hindrance include(EventId e);
  void put_aside(EventId e, const Hindrance& hindrance);
  bool group_is_aside(EventId e);

  EventStructure& structure_;
  Configuration& configuration_;
  std::vector<EventId> wanted_;             // the events that J must be in conflict with
  std::vector<std::uint8_t> forbidden_;     // by event: is in D
  std::vector<std::uint32_t> disabled_at_;  // by event of D: it is in D while C has this position
  std::vector<EventId> alternative_;
  Counts counts_;
  std::size_t size_ = 0;  // of C
  Aside aside_;
};

}  // namespace mazur::unfolding
