// The papers' words for sequences of steps, each as the definition reads: for tests, and as the
// meaning of what Reversal decides without writing sequences out.
//
// A sequence is a list of events with the labels they have when it is executed after E. Dependence
// inside it is judged by labels, so none of these functions needs E itself.
#pragma once

#include <span>
#include <vector>

#include "trace/trace.h"

namespace mazur {

using Sequence = std::vector<Event>;

// pre(E, e): the events before e.
Sequence pre(const Trace& trace, EventIndex e);
// notdep(e, E): the events after e that do not happen after it.
Sequence notdep(const Trace& trace, EventIndex e);

// Whether w[i] -> w[j], for i < j, by one dependence: the same thread, creation, join, or labels.
bool directly_ordered(const Sequence& w, std::size_t i, std::size_t j);

// Where the thread's first event in w is, if no other event of w happens before it; w.size()
// otherwise.
std::size_t initial_at(const Sequence& w, ThreadId thread);
// I(w), in the order of their events: Lemma 4.2 (1).
std::vector<Step> initials(const Sequence& w);
// p <> w: p, with this label, is not in w and depends on nothing in it.
bool independent(const Event& p, const Sequence& w);
// p is in WI(w): Lemma 4.2 (2).
bool is_weak_initial(const Event& p, const Sequence& w);
// v ~ w: Lemma 4.6. Some execution starts with either.
bool consistent(std::span<const Event> v, Sequence w);

}  // namespace mazur
