// v: the sequence that reverses a race, to be explored after a prefix of the trace.
//
// For a race e <~ e' (JACM Alg. 2 lines 4-5), E' = pre(E, e) and v = notdep(e, E).e'. A race with a
// blocked operation (Alg. 6 lines 9-13) drops more events than e, and ends in a step that need not
// have run. The other outcomes of a step with several are treated like races of the step with
// itself.
//
// v is never written out. Whether an event is in v, is initial in it or independent of it takes
// O(1) looks at clocks, or a look at the histories of the objects involved. So most questions cost
// much less than the length of v.
//
// The last step may be an unknown atomic block (atomic_block/block.h): one that reads what e wrote,
// so that nobody knows yet what it will touch. Then it is taken to depend on all of v and on every
// step that it is compared with. The exception is the atomic block itself, executed after E'.u:
// then its label tells. So v is never taken for covered when it is not, but it may be taken for not
// covered when it is. resolve() ends that. Algorithm 2 needs it: whatever is asleep after a leaf of
// a wakeup tree is taken to have been in no conflict with the leaf. So traces are left out where a
// conflict was assumed and there is none. Algorithm 1 does without resolve().
//
// Steps are taken out of v one after the other, as in Lemma 4.6. match() and take() decide its
// relation v ~ w step by step, along a path w in a wakeup tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/trace.h"

namespace mazur {

// Which steps depend, for an explorer that takes fewer of them to depend than the labels say.
class WeakerDependence {
 public:
  virtual bool dependent(const Event& a, const Event& b) const = 0;

 protected:
  ~WeakerDependence() = default;
};

// Whether f, with the outcome it has when it comes before e, can depend on events that neither e
// nor f as it was depends on:
//   a futex wait that then goes to sleep,
//   a compare-exchange that then succeeds and writes bytes that e did not,
//   an atomic block that reads what e wrote.
// Such events may be anywhere in notdep(e, E), so v is another one with every suffix of E.
bool may_gain_dependences(const Label& e, const Label& f);

class Reversal {
 public:
  // A step that is not in v counts as independent of v if `weaker` says so, whatever the labels
  // say. `weaker` must order the events of the traces as the labels do. Null: labels alone tell.
  explicit Reversal(const WeakerDependence* weaker = nullptr) : weaker_(weaker) {}

  // How a next step p after E'.u relates to the rest of v.
  enum class Match : std::uint8_t {
    kInitial,      // p is in I(v): take() removes it from v
    kIndependent,  // p is not in v and independent of all of it: p <> v
    kConflict,     // neither: p is not a weak initial of v
  };

  // The race e <~ f. Only events before `end` belong to E.
  void race(const Trace& trace, EventIndex e, EventIndex f, EventIndex end);
  // A disabling race (blocking.h).
  void disabling(const Trace& trace, std::span<const EventIndex> dropped, const Event& step,
                 EventIndex program_predecessor, EventIndex end);
  // Event e with another outcome.
  void choice(const Trace& trace, EventIndex e, std::uint16_t choice, EventIndex end);

  // Whether the label of the last step may differ from what it will be at the end of v: it is an
  // unknown atomic block, or a guess (blocking.h).
  bool unresolved() const;
  // Sets the label that the last step has at the end of v. v then is as if it had just been made.
  void resolve(const Label& label);

  // E' = pre(E, first()).
  EventIndex first() const { return dropped_[0]; }
  // The step at the end of v, with the outcome it has there.
  const Event& last() const { return last_; }

  // p has the thread, choice and label that it has after E'.u. On kConflict, notes which part of v
  // is needed for the conflict: for for_each_needed().
  Match match(const Event& p);
  // Whether the step is in I(v). No label is needed for that.
  bool is_initial(Step p) const;
  // After match() said kInitial or kIndependent: goes on to E'.u.p.
  void take(const Event& p, Match match);
  // Notes for settled_by() that the answer was used, without going on.
  void rest_on(const Event& p, Match match);
  // Notes for for_each_needed() that an event of v is needed, with all of v that happens before it.
  void need(EventIndex i);

  // For WakeupTrees::insert: whether a leaf that v can start with is extended by the rest of v.
  bool extends_leaves() const { return false; }

  // If p, an initial, is the step at the end of v and has another outcome, goes over to that one
  // and returns true. p must have the number of outcomes that it has after E'.
  //
  // A step that has several outcomes only when it comes earlier ends v with its first one. If that
  // one is redundant, the others may not be.
  bool try_next_choice(const Event& p);

  // A step in I(v): the first one that the last step happens after, or the last step itself if
  // there is none. Only before the first match().
  Step first_step() const;
  // Whether the last step of v is the thread's next one in v, or happens after it. Only before the
  // first match().
  bool precedes_last(ThreadId thread) const;

  // The part of what is left of v that has to be explored after E'.u, so that every p that was in
  // conflict stays so. It is a happens-before closed subsequence of v that ends with the last step.
  template <typename Visit>
  void for_each_needed(Visit&& visit) const;
  // The same by position in the trace, with kNoEvent for the last step.
  template <typename Visit>
  void for_each_needed_index(Visit&& visit) const;

  // A position of the trace. The answers given since the start hold for every execution that shares
  // the trace up to and including it, whatever comes later. kNoEvent if there is no such position.
  EventIndex settled_by() const;

  // Begins v again: nothing is taken.
  void restart();
  // All that is left of v, in order.
  template <typename Visit>
  void for_each(Visit&& visit) const;

  // v, or what is left of it, written out: for tests and for reading.
  std::vector<Event> sequence() const;

 private:
  void start(const Trace& trace, std::span<const EventIndex> dropped, EventIndex end);
  bool contains(EventIndex i) const {
    for (EventIndex d : dropped_)
      if (trace_->happens_before(d, i)) return false;
    return i < end_;
  }
  bool taken(EventIndex i) const { return trace_->place(i) < taken_[trace_->thread(i)]; }
  bool needed(EventIndex i) const { return trace_->place(i) < needed_[trace_->thread(i)]; }
  // The thread's next event in what is left of v, without the last step; kNoEvent if none.
  EventIndex next_of(ThreadId thread) const;
  // How many events have not been taken, of i and those that happen before it.
  std::uint32_t not_taken(EventIndex i) const;
  bool past_taken(EventIndex i) const;
  bool last_is_initial() const;
  bool depend(const Event& a, const Event& b) const;
  bool independent(const Event& p);
  bool independent_of_events(const Event& p);
  // Whether an event of v that touches anything is left.
  bool any_left() const;
  bool arrival_independent(const Event& p);
  void need_last();
  EventIndex needed_until() const;

  const WeakerDependence* weaker_;
  const Trace* trace_ = nullptr;
  std::vector<EventIndex> dropped_;
  EventIndex end_ = 0;
  // The step at the end of v.
  Event last_;
  EventIndex last_event_ = kNoEvent;  // what it is in E, if its clock there tells its past in v
  EventIndex last_predecessor_ = kNoEvent;
  bool last_taken_ = false;
  bool choices_fixed_ = false;  // v is about this outcome of the last step
  bool guess_ = false;          // the label of the last step is a guess

  // For each thread, how many of its events: are in E' or have been taken; are needed.
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> needed_;
  std::vector<ObjectId> arrivals_;    // barriers that taken steps have arrived at
  std::vector<EventIndex> arriving_;  // scratch
  EventIndex used_until_ = 0;         // one past the last event that an answer rests on
  bool whole_ = false;                // an answer rests on all of v
};

template <typename Visit>
void Reversal::for_each_needed(Visit&& visit) const {
  for_each_needed_index([&](EventIndex i) { visit(i == kNoEvent ? last_ : (*trace_)[i]); });
}

template <typename Visit>
void Reversal::for_each_needed_index(Visit&& visit) const {
  const EventIndex until = needed_until();
  for (EventIndex i = first() + 1; i < until; ++i)
    if (needed(i) && !taken(i) && contains(i)) visit(i);
  if (!last_taken_) visit(kNoEvent);
}

template <typename Visit>
void Reversal::for_each(Visit&& visit) const {
  for (EventIndex i = first() + 1; i < end_; ++i)
    if (contains(i) && !taken(i)) visit((*trace_)[i]);
  if (!last_taken_) visit(last_);
}

}  // namespace mazur
