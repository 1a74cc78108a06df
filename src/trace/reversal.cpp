#include "trace/reversal.h"

#include <algorithm>

#include "trace/access.h"
#include "trace/atomic_block/block.h"
#include "trace/blocking/blocking.h"
#include "trace/blocking/look.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// Whether an operation that had label b touches the same with label a, in the same modes.
bool touches_as_before(const Label& a, const Label& b) {
  if (is_unknown_block(a)) return false;
  return a.success == b.success && (!arrives(a) || arrival_phase(a) == arrival_phase(b));
}

}  // namespace

bool may_gain_dependences(const Label& e, const Label& f) {
  if (f.kind == OpKind::kFutexWait) return slept(f);
  if (f.kind == OpKind::kAtomicBlock) return is_unknown_block(f);
  if (f.kind != OpKind::kCas || !wrote(f)) return false;
  if (e.kind == OpKind::kAtomicBlock) return !writes_all(e, f.object, f.size);
  return f.object < e.object || e.object + e.size < f.object + f.size;
}

void Reversal::start(const Trace& trace, std::span<const EventIndex> dropped, EventIndex end) {
  trace_ = &trace;
  dropped_.assign(dropped.begin(), dropped.end());
  // The end of the process depends on nothing, but comes when nothing else can: it is in no v.
  end_ = end > 0 && trace[end - 1].label.kind == OpKind::kExit ? end - 1 : end;
  last_event_ = kNoEvent;
  used_until_ = dropped[0] + 1;
  whole_ = false;
  choices_fixed_ = false;
  guess_ = false;
  restart();
}

void Reversal::restart() {
  last_taken_ = false;
  arrivals_.clear();
  const auto before = trace_->counts_before(first());
  taken_.assign(before.begin(), before.end());
  needed_.assign(before.size(), 0);
}

bool Reversal::unresolved() const { return guess_ || is_unknown_block(last_.label); }

void Reversal::resolve(const Label& label) {
  restart();
  last_.label = label;
  if (last_event_ != kNoEvent && !touches_as_before(label, (*trace_)[last_event_].label))
    last_event_ = kNoEvent;
  // With another suffix of E it may have another label.
  whole_ = true;
  guess_ = false;
  need_last();
}

void Reversal::race(const Trace& trace, EventIndex e, EventIndex f, EventIndex end) {
  start(trace, {&e, 1}, end);
  last_ = after_reversal(trace, e, f);
  guess_ = is_guess(trace, e, f);
  // In E, f happens after e and after all that it happens after in v. If reversing changes what it
  // depends on, only its program predecessor and its label tell.
  if (touches_as_before(last_.label, trace[f].label))
    last_event_ = f;
  else
    whole_ = may_gain_dependences(trace[e].label, last_.label);
  last_predecessor_ = trace.program_predecessor(f);
  used_until_ = f + 1;
  need_last();
  // e conflicts with f, which v ends with. Only two arrivals do not conflict by themselves: it
  // takes as many arrivals as fill the phase to be in conflict with e.
  if (arrives(last_.label) && arrives(trace[e].label)) arrival_independent(trace[e]);
}

void Reversal::disabling(const Trace& trace, std::span<const EventIndex> dropped, const Event& step,
                         EventIndex program_predecessor, EventIndex end) {
  start(trace, dropped, end);
  last_ = step;
  last_predecessor_ = program_predecessor;
  if (end < trace.size()) used_until_ = end + 1;
  // In most cases no suffix of E has events on the object that do not happen after e. Here it may.
  whole_ = dropped.size() > 1 || step.label.kind == OpKind::kCondWake ||
           step.label.kind == OpKind::kWrLock || step.label.kind == OpKind::kAwait ||
           is_look(step.label);
  need_last();
}

void Reversal::choice(const Trace& trace, EventIndex e, std::uint16_t choice, EventIndex end) {
  start(trace, {&e, 1}, end);
  last_ = trace[e];
  last_.choice = choice;
  choices_fixed_ = true;
  if (last_.label.kind != OpKind::kChoose) forget_woken(last_.label);
  last_predecessor_ = trace.program_predecessor(e);
  need_last();
}

EventIndex Reversal::next_of(ThreadId thread) const {
  if (thread >= taken_.size()) return kNoEvent;
  const auto events = trace_->events_of(thread);
  const std::uint32_t next = taken_[thread];
  if (next >= events.size() || events[next] >= end_ || !contains(events[next])) return kNoEvent;
  return events[next];
}

std::uint32_t Reversal::not_taken(EventIndex i) const {
  const std::uint32_t* clock = trace_->clock(i).data();
  std::uint32_t missing = 0;
  for (std::size_t t = 0; t < taken_.size(); ++t)
    missing += clock[t] > taken_[t] ? clock[t] - taken_[t] : 0;
  return missing;
}

// Whether every event of v that happens before i, which is in v, has been taken.
bool Reversal::past_taken(EventIndex i) const {
  const EventIndex latest = trace_->latest_predecessor(i);
  if (latest == kNoEvent || latest < first()) return true;
  return not_taken(i) <= 1;  // i itself
}

bool Reversal::last_is_initial() const {
  // The race's later event also happens after e, and neither of them is in v.
  if (last_event_ != kNoEvent) return not_taken(last_event_) <= 2;
  if (last_predecessor_ != kNoEvent && last_predecessor_ > first() && !taken(last_predecessor_))
    return false;
  if (is_unknown_block(last_.label)) return !any_left();
  return trace_->history().conflicts_after(last_.label, first(), [&](EventIndex x) {
    return x >= end_ || taken(x) || !contains(x) || !dependent((*trace_)[x], last_);
  });
}

bool Reversal::is_initial(Step p) const {
  if (const EventIndex i = next_of(p.thread); i != kNoEvent)
    return (*trace_)[i].choice == p.choice && past_taken(i);
  return !last_taken_ && last_.step() == p && last_is_initial();
}

Reversal::Match Reversal::match(const Event& p) {
  if (const EventIndex i = next_of(p.thread); i != kNoEvent) {
    if ((*trace_)[i].choice == p.choice && past_taken(i)) return Match::kInitial;
    need(i);
    return Match::kConflict;
  }
  if (!last_taken_ && last_.thread == p.thread) {
    // What the atomic block does after E'.u is known, what it does at the end of v is not.
    if (is_unknown_block(last_.label) && !is_unknown_block(p.label))
      return independent_of_events(p) ? Match::kInitial : Match::kConflict;
    return last_.choice == p.choice && last_is_initial() ? Match::kInitial : Match::kConflict;
  }
  return independent(p) ? Match::kIndependent : Match::kConflict;
}

bool Reversal::try_next_choice(const Event& p) {
  if (p.ways < 2 || last_taken_ || p.thread != last_.thread || last_.choice + 1 >= p.ways)
    return false;
  if (choices_fixed_ || next_of(p.thread) != kNoEvent) return false;
  ++last_.choice;
  return true;
}

void Reversal::take(const Event& p, Match match) {
  if (arrives(p.label)) arrivals_.push_back(p.label.object);
  rest_on(p, match);
  if (match == Match::kIndependent) return;
  if (next_of(p.thread) != kNoEvent)
    ++taken_[p.thread];
  else
    last_taken_ = true;
}

void Reversal::rest_on(const Event& p, Match match) {
  if (match == Match::kIndependent)
    whole_ = true;
  else if (const EventIndex i = next_of(p.thread); i != kNoEvent)
    used_until_ = std::max(used_until_, i + 1);
}

bool Reversal::depend(const Event& a, const Event& b) const {
  return weaker_ != nullptr ? weaker_->dependent(a, b) : dependent(a, b);
}

bool Reversal::independent(const Event& p) {
  if (arrives(p.label)) return arrival_independent(p);
  if (!last_taken_ && depend(p, last_)) return false;
  return independent_of_events(p);
}

// Whether p is independent of v without its last step.
bool Reversal::independent_of_events(const Event& p) {
  if (is_unknown_block(p.label)) return !any_left();
  // The first conflict in v keeps the needed part short.
  EventIndex earliest = kNoEvent;
  trace_->history().conflicts_after(p.label, first(), [&](EventIndex x) {
    if (x < earliest && x < end_ && !taken(x) && contains(x) && depend((*trace_)[x], p))
      earliest = x;
    return true;
  });
  if (earliest == kNoEvent) return true;
  need(earliest);
  return false;
}

bool Reversal::any_left() const {
  for (EventIndex i = first() + 1; i < end_; ++i)
    if (!taken(i) && contains(i) && touches_anything((*trace_)[i].label)) return true;
  return false;
}

// An arrival is independent of v as long as v leaves it its place in the phase that is open after
// E'.u. With n places left, v must have fewer than n arrivals, or p would be moved to the next
// phase. Nor may the barrier begin or end in v.
bool Reversal::arrival_independent(const Event& p) {
  const Label& l = p.label;
  if (!last_taken_ && is_life(last_.label.kind) && depend(p, last_)) return false;
  EventIndex life = kNoEvent;
  trace_->history().conflicts_after(l, first(), [&](EventIndex x) {
    if (x < life && x < end_ && is_life((*trace_)[x].label.kind) && !taken(x) && contains(x))
      life = x;
    return true;
  });
  if (life != kNoEvent) {
    need(life);
    return false;
  }
  std::uint64_t arrived = trace_->history().arrived(l.object, capacity(l), first());
  arrived += static_cast<std::uint64_t>(std::count(arrivals_.begin(), arrivals_.end(), l.object));
  std::size_t places = capacity(l) - arrived % capacity(l);
  arriving_.clear();
  trace_->history().conflicts_after(l, first(), [&](EventIndex x) {
    if (x < end_ && arrives((*trace_)[x].label) && !taken(x) && contains(x)) arriving_.push_back(x);
    return true;
  });
  if (!last_taken_ && arrives(last_.label) && last_.label.object == l.object)
    --places;  // the last step is needed anyway
  if (arriving_.size() < places) return true;
  std::sort(arriving_.begin(), arriving_.end());
  for (std::size_t i = 0; i < places; ++i) need(arriving_[i]);
  return false;
}

void Reversal::need(EventIndex i) {
  const std::uint32_t* clock = trace_->clock(i).data();
  for (std::size_t t = 0; t < needed_.size(); ++t) needed_[t] = std::max(needed_[t], clock[t]);
}

// Notes what has to come before the last step.
void Reversal::need_last() {
  if (last_event_ != kNoEvent) {
    need(last_event_);
    // It is in v, but not as this event.
    --needed_[last_.thread];
    return;
  }
  if (last_predecessor_ != kNoEvent && last_predecessor_ > first()) need(last_predecessor_);
  if (is_unknown_block(last_.label)) {
    for (EventIndex i = first() + 1; i < end_; ++i)
      if (contains(i)) need(i);
    return;
  }
  trace_->history().conflicts_after(last_.label, first(), [&](EventIndex x) {
    if (x < end_ && contains(x) && dependent((*trace_)[x], last_)) need(x);
    return true;
  });
}

// One past the last event of v that is needed.
EventIndex Reversal::needed_until() const {
  const std::uint32_t* before = trace_->counts_before(first()).data();
  EventIndex until = 0;
  for (std::size_t t = 0; t < needed_.size(); ++t)
    if (needed_[t] > before[t])
      until = std::max(until, trace_->events_of(static_cast<ThreadId>(t))[needed_[t] - 1] + 1);
  return until;
}

Step Reversal::first_step() const {
  const EventIndex until = needed_until();
  for (EventIndex i = first() + 1; i < until; ++i)
    if (needed(i) && contains(i)) return (*trace_)[i].step();
  return last_.step();
}

bool Reversal::precedes_last(ThreadId thread) const {
  const EventIndex i = next_of(thread);
  return i == kNoEvent ? thread == last_.thread : needed(i);
}

EventIndex Reversal::settled_by() const {
  return whole_ ? kNoEvent : std::max(used_until_, needed_until()) - 1;
}

std::vector<Event> Reversal::sequence() const {
  std::vector<Event> v;
  for_each([&](const Event& e) { v.push_back(e); });
  return v;
}

}  // namespace mazur
