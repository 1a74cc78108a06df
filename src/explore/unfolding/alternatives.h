// Alt: k-partial alternatives by search in a comb (Quasi-Optimal POR, section 5).
//
// The comb has a spike for each of the k events of D: the events of U that are in conflict with it.
// Of those only the minimal ones matter: an event in conflict with d because of another one that it
// happens after can be replaced by that. As d is enabled after C, they are d's siblings in its
// thread's tree and in the trees of the objects that it touches. So a spike is a few lists of
// children, and is never built: the search walks along it.
//
// Spikes are searched depth first; the configuration C + J grows with the chosen events, and events
// of D that it is already in conflict with need no choice.
#pragma once

#include <span>
#include <vector>

#include "explore/unfolding/configuration.h"

namespace mazur::unfolding {

class Alternatives {
 public:
  Alternatives(const EventStructure& structure, Configuration& configuration)
      : structure_(structure), configuration_(configuration) {}

  // A k-partial alternative to `disabled` after the configuration C (k = 0: an alternative), or
  // nothing. disabled: those events of D that can be added to C, the one explored last at the end.
  // On success, alternative() is J \ C, causes first. The configuration is C again.
  bool find(std::span<const EventId> disabled, std::size_t k);
  std::span<const EventId> alternative() const { return alternative_; }

  // Calls visit(e) for the events of the spike of d, which can be added to the configuration.
  template <typename Visit>
  void for_each_in_spike(EventId d, Visit&& visit) const;

 private:
  bool search(std::size_t from);

  const EventStructure& structure_;
  Configuration& configuration_;
  std::vector<EventId> wanted_;          // the events that J must be in conflict with
  std::vector<std::uint8_t> forbidden_;  // by event: is in D
  std::vector<EventId> alternative_;
};

template <typename Visit>
void Alternatives::for_each_in_spike(EventId d, Visit&& visit) const {
  const Node& node = structure_[d];
  structure_.for_each_next(node.thread, node.program_predecessor, [&](EventId e) {
    if (e != d) visit(e);
  });
  for (const Touch& t : node.touched()) {
    const Space space = structure_.objects().space(t.object);
    for (ObjectIndex o : structure_.objects().overlapping(t.object))
      structure_.for_each_child(o, configuration_.last_total(o), [&](EventId e) {
        const Touch& other = *structure_.touch(e, o);
        const bool in_conflict = space == Space::kBarrier ? other.phase == t.phase
                                                          : conflicting(space, t.mode, other.mode);
        if (in_conflict && structure_[e].thread != node.thread) visit(e);
      });
  }
}

}  // namespace mazur::unfolding
