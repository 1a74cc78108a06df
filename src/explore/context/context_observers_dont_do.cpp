// Context-sensitive independence: what need not be done, and races that are not seen because of it.
#include <algorithm>

#include "explore/context/context_observers.h"
#include "explore/observers/memory_use.h"
#include "trace/comparison.h"

namespace mazur {

// Lines 28-29 and 32: if after ance(e, f, E).f.e the state is what it is after f in E, which is
// what this returns. A race that was observed is done only when all its observers have seen it
// again (Alg. 2 line 74): their own races with e are new.
//
// The order of two events that commute can hide a race of two sends that is a race only when other
// sends are in another order. So no two events count as equal where messages may have no order, and
// messages that come up later are ordered.
bool ContextObservers::add_dont_do(const Trace& trace, EventIndex e, EventIndex f) {
  if (observation_.mailboxes().unordered()) return false;
  auto other = swapped(trace, e, f);
  if (!other && published_ && same_for_observers(trace, e))
    other = ContextIndependence::Swapped{.f = trace[f], .e = trace[e]};
  if (!other) return false;
  observation_.order_messages();
  const EventIndex end = observers_.empty() ? f : observers_.back();
  DontDo::Sequence dont;
  for (EventIndex i : ancestors_) dont.push_back(steps_.add(trace[i]));
  dont.push_back(steps_.add(other->f));
  dont.push_back(steps_.add(other->e));
  for (EventIndex i = e + 1; i <= end; ++i) {  // notobs and the observers
    if (i == f || std::binary_search(ancestors_.begin(), ancestors_.end(), i)) continue;
    const bool sees = std::any_of(observers_.begin(), observers_.end(),
                                  [&](EventIndex o) { return order_.happens_before(i, o); });
    if (sees) dont.push_back(steps_.add(trace[i]));
  }
  dont_do_.add(e, std::move(dont), DontDo::swap_of(trace, e, f));
  for (EventIndex i = 0; i <= e; ++i) nodes_[i].pruned = true;
  return true;
}

// ance(e, f, E).f.e, if it leads to the same state as ance(e, f, E).e.f.
std::optional<ContextIndependence::Swapped> ContextObservers::swapped(const Trace& trace,
                                                                      EventIndex e, EventIndex f) {
  ancestors_.clear();
  for (EventIndex i = e + 1; i < f; ++i)
    if (!order_.happens_before(e, i) && order_.happens_before(i, f)) ancestors_.push_back(i);
  return independence_.swapped(trace, ancestors_, e, f);
}

// The check of section 4.3, Alg. 2 line 73: whether each observer alone gets the same result if it
// sees e instead. This is not sound: another read after an observer need not get the same result.
bool ContextObservers::same_for_observers(const Trace& trace, EventIndex e) const {
  const Label& write = trace[e].label;
  return !observers_.empty() &&
         std::all_of(observers_.begin(), observers_.end(), [&](EventIndex o) {
           const Label& read = trace[o].label;
           if (write.kind != OpKind::kStore || read.kind != OpKind::kLoad ||
               write.object != read.object || write.size != read.size)
             return false;
           return is_observed_assertion(read) ? holds(read, write.written) == read.success
                                              : read.read == write.written;
         });
}

// Operations that commute, but whose order hides a race (hidden_races.h), are explored in both
// orders. The race is found if both its events are in the don't-do sequence itself, which is run.
void ContextObservers::ban_hiding(const Trace& trace, const Frontier& frontier) {
  hidden_plans_.stop_if_waiting(trace, keep_, frontier);
  find_blocked(frontier, unfinished_);
  hidden_.find(
      trace, order_.changed(), {trace, order_.clocks()}, unfinished_,
      [&](std::span<const EventIndex> u, EventIndex x, EventIndex y) {
        return independence_.equal(trace, u, x, y).has_value();
      },
      [&](EventIndex x, EventIndex y) {
        if (observation_.dependent(trace[x], trace[y])) return true;
        order_.observers(x, y, observers_);
        return !observers_.empty();
      },
      [&](EventIndex x, EventIndex y, const Event& last, std::span<const EventIndex> notdep) {
        return reverse_hidden(trace, x, y, last, notdep);
      },
      [&](EventIndex e, EventIndex f, EventIndex x, EventIndex y) {
        nodes_[e].contested = nodes_[x].contested = true;
        if (!is_run(trace, e, f, x, y)) dont_do_.ban(e, DontDo::swap_of(trace, e, f));
      });
}

// Whether the don't-do sequence of e and f shows the race of x and y, when it is run: if it goes on
// until y because of an observer, and the race needs none.
bool ContextObservers::is_run(const Trace& trace, EventIndex e, EventIndex f, EventIndex x,
                              EventIndex y) {
  if (y == kNoEvent || !observation_.dependent(trace[x], trace[y])) return false;
  order_.observers(e, f, observers_);
  return std::any_of(observers_.begin(), observers_.end(),
                     [&](EventIndex o) { return order_.happens_before(y, o); });
}

// Two writes that depend only if somebody reads: whether someone may, after pre(E, x).notdep(x).x.
bool ContextObservers::may_be_observed(const Trace& trace, EventIndex x, EventIndex y,
                                       std::span<const EventIndex> notdep) const {
  const Label& write = trace[y].label;
  const MemoryUse bytes{write.object, write.object + write.size};
  for (EventIndex r = x + 1; r < trace.size(); ++r) {
    const bool reads = r != y && any_use(trace[r].label, [&](const MemoryUse& use) {
                         return use.reads && use.overlaps(bytes);
                       });
    if (reads && !std::binary_search(notdep.begin(), notdep.end(), r)) return true;
  }
  return false;
}

// Explores the reversal of the race, as if the execution in which it shows had been explored. Not
// if it takes an observer.
bool ContextObservers::reverse_hidden(const Trace& trace, EventIndex x, EventIndex y,
                                      const Event& last, std::span<const EventIndex> notdep) {
  if (!hidden_plans_.may_plan()) return false;
  if (!observation_.dependent(trace[x], trace[y])) return !may_be_observed(trace, x, y, notdep);
  reversal_.leave_out(cut_for_others(trace, trace.thread(y)));
  reversal_.hidden_race(trace, x, y, last, notdep);
  reverse(trace);
  return true;
}

}  // namespace mazur
