// v: the sequence that reverses a race modulo observability, to be explored after a prefix of the
// trace (the paper's Fig. 5, lines 3-8). What Reversal is for the dependence order.
//
// A race that needs no observer is reversed by v = notdep(e, E).e'. A race e <~ e' of two stores
// that a read o has observed must be observed again: v = notdep(e, E).e'.e.notobs(e, e', E).o,
// where notobs are the events after e that do not happen after an observer.
//
// What happens after a blind receive from a mailbox that is only counted need not happen after the
// send of the message it took: in v another one may do. Such receives wait, with what happens after
// them, until enough messages have been sent, and are left out if that never comes to be.
//
// Where the order is the dependence order of the trace, v is what Reversal makes of the race, which
// does without writing it out.
#pragma once

#include <span>
#include <vector>

#include "explore/observers/consistency.h"
#include "explore/observers/observability.h"

namespace mazur {

class ObservedReversal {
 public:
  using Match = Consistency::Match;

  ObservedReversal(const Observation& observation, const Observability& order)
      : observation_(observation),
        order_(order),
        plain_(&observation),
        rest_(observation),
        all_(observation) {}

  // The race e <~ f, which needs no observer.
  void race(const Trace& trace, EventIndex e, EventIndex f);
  // The race e <~ f, observed by these, in trace order.
  void observed_race(const Trace& trace, EventIndex e, EventIndex f,
                     std::span<const EventIndex> observers);
  // The race x <~ y, which needs no observer, in an execution with the same results in which this
  // is notdep(x, E) without y, and `last` is y after it (hidden_races.h).
  void hidden_race(const Trace& trace, EventIndex x, EventIndex y, const Event& last,
                   std::span<const EventIndex> notdep);
  // A disabling race (blocking.h), found by the same order.
  void disabling(const Trace& trace, std::span<const EventIndex> dropped, const Event& step,
                 EventIndex program_predecessor);
  // Event e with another outcome.
  void choice(const Trace& trace, EventIndex e, std::uint16_t choice);

  // From now on this event is in no v, unless it is the last one; kNoEvent for none.
  void leave_out(EventIndex event) { left_out_ = event; }

  // Whether v can be run. It cannot if its last step happens after a receive that was left out.
  bool possible() const { return possible_; }

  // E' = pre(E, first()).
  EventIndex first() const { return is_plain_ ? plain_.first() : first_; }

  // The step at the end of v. If it is a block and it is not yet known what that touches there, v
  // has to be run (prefix and rest, after restart() if something was taken). Then resolve() has to
  // be told the label that the step has, and v starts anew.
  const Event& last() const { return is_plain_ ? plain_.last() : last_; }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    if (is_plain_) return plain_.for_each(visit);
    for (std::size_t i = 0; i < rest_.size(); ++i) visit(rest_[i]);
  }
  // Whether there are blind stores in v, other than its last step, that have no order.
  bool has_unordered_stores() const;
  // After resolve(): the block at the end may see the order of stores in v that nothing else sees,
  // and in each order another one is the last. Adds orders of the other events of v in which some
  // other store is the last one that the block sees.
  using Arrangement = std::vector<EventIndex>;
  void add_other_arrangements(std::vector<Arrangement>& orders) const;
  // v with the other events in this order, and a block at the end of which nothing is known.
  Arrangement arrangement() const;
  void rearrange(const Arrangement& order);
  void restart() { is_plain_ ? plain_.restart() : rest_.restart(); }
  void resolve(const Label& label);

  // A step that was explored after the prefix of length `origin` of E', whose rest is w'.
  struct Done {
    EventIndex origin;
    bool ran;              // in w'
    bool independent;      // of all of w', observed or not
    std::uint64_t hidden;  // if it is tracked: see Consistency::match, match_ran
  };
  // Whether p is a weak initial of w'.v. It is one of w'. Only before the first take().
  Match match_done(const Event& p, const Done& done);
  // If p is the step at the end of v, goes over to its next outcome and returns true (see
  // Reversal::try_next_choice). After a match_done() that was no conflict.
  bool try_next_choice(const Event& p);

  // For WakeupTrees::insert: steps are taken out of v one after the other. `strict`: independent
  // steps count as in conflict, and leaves are extended.
  void set_strict(bool strict) { strict_ = strict; }
  bool extends_leaves() const { return strict_; }
  Match match(const Event& p);
  void take(const Event& p, Match match);
  // The part of what is left of v that has to be explored: what was in conflict, and the reversed
  // race, each with what happens before it.
  template <typename Visit>
  void for_each_needed(Visit&& visit) const {
    if (is_plain_) return plain_.for_each_needed(visit);
    for (std::size_t i = 0; i < elements_.size(); ++i)
      if (elements_[i].needed && !rest_.taken(i)) visit(rest_[i]);
  }

  // As Reversal::settled_by, for executions in which the events up to and including this position
  // have the same order, too (Observability::changed). Not if strict.
  EventIndex settled_by() const;

 private:
  struct Element {
    EventIndex origin;  // the event it is in E, or kNoEvent
    bool changed;       // its label is not the one it has in E, or it comes after others here
    bool needed;
  };

  bool keeps_reversed(const Arrangement& order) const;
  Arrangement last_writers(const Arrangement& order) const;
  bool may_move(const MemoryUse& seen, std::size_t k, Arrangement& order) const;
  bool start_plain(const Trace& trace, bool other_block = false);
  Match match_done_plain(const Event& p, const Done& done);
  Match match_all(const Event& p, EventIndex origin);
  void start(const Trace& trace, EventIndex first);
  void observed_race(const Trace& trace, EventIndex e, EventIndex f,
                     std::span<const EventIndex> observers, EventIndex o);
  void add_rest(std::span<const EventIndex> dropped);
  void add(EventIndex origin);
  void add_counting(EventIndex origin);
  void push(EventIndex origin) {
    elements_.push_back({origin, false, false});
    rest_.add((*trace_)[origin]);
  }
  void push_counting(EventIndex origin);
  void add_last(const Event& event, EventIndex origin, EventIndex program_predecessor,
                bool moved = false);
  std::int64_t& messages(ObjectId mailbox);
  bool can_run(EventIndex i, std::size_t waiting);
  bool is_counted(const Label& l, OpKind kind) const;
  void need_messages();
  void add_changed(const Event& event, EventIndex origin, bool moved = false);
  Match match_rest(const Event& p);
  void need(std::size_t i);
  void need_before(std::size_t k);
  void need_before_changed(std::size_t k);
  void need_newest();
  void rest_on(const Consistency& x, Match match, std::size_t offset);
  void need_what_was_in_the_way(const Consistency& x, std::size_t offset);

  const Observation& observation_;
  const Observability& order_;
  const Trace* trace_ = nullptr;
  bool is_plain_ = false;  // v is in plain_
  Reversal plain_;
  EventIndex first_ = 0;
  EventIndex end_ = 0;
  EventIndex left_out_ = kNoEvent;
  std::vector<Element> elements_;
  std::vector<std::size_t> reversed_;  // the elements that make v what it is
  Event last_;                         // the one element that may have another label than in E
  EventIndex last_predecessor_ = kNoEvent;
  bool choices_fixed_ = false;
  bool possible_ = true;
  bool strict_ = false;
  EventIndex used_until_ = 0;  // one past the last event that an answer rests on
  bool whole_ = false;         // an answer rests on all of v
  bool counting_ = false;      // some mailbox is only counted
  // Of counted mailboxes: how many messages there are after E' and what was added since.
  struct Counted {
    ObjectId mailbox;
    std::int64_t before, now;
  };
  std::vector<Counted> counted_;
  std::vector<EventIndex> later_;    // scratch
  std::vector<EventIndex> waiting_;  // receives without a message, and what happens after them
  Consistency rest_;                 // v, and later what is left of it
  Consistency all_;                  // w'.v, where w' starts at all_from_
  EventIndex all_from_ = kNoEvent;
};

}  // namespace mazur
