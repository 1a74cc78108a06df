#include "explore/observers/reversal/observed_reversal.h"

#include <algorithm>

#include "trace/atomic_block/block.h"
#include "trace/blocking/blocking.h"
#include "trace/blocking/memory_value.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

bool same_outcome(const Event& a, const Event& b) {
  return a.choice == b.choice && a.label.success == b.label.success &&
         (a.label.kind != OpKind::kBarrierArrive ||
          arrival_phase(a.label) == arrival_phase(b.label)) &&
         (a.label.kind != OpKind::kAtomicBlock || a.label.value == b.label.value) &&
         (a.label.kind != OpKind::kReceive || taken_message(a.label) == taken_message(b.label));
}

// The observer o of e <~ f as it is after f.e: bytes that it took from f and that e writes, too,
// are e's now.
Event after_swap(const Trace& trace, EventIndex e, EventIndex f, EventIndex o) {
  Event event = trace[o];
  Label& read = event.label;
  if (read.kind == OpKind::kAtomicBlock) forget_accesses(read);
  if (read.kind == OpKind::kReceive) read.read = sent_message(trace[f].label);
  if (read.kind != OpKind::kCas && read.kind != OpKind::kFutexWait) return event;
  for (std::uint32_t i = 0; i < std::min(read.size, 8u); ++i) {
    const ByteWrite first = byte_write(trace[e].label, read.object + i);
    const ByteWrite last = byte_write(trace[f].label, read.object + i);
    if (!first.written || !last.written) continue;
    // Another store may have come after f; then the byte is not f's.
    if ((read.read >> (i * 8) & 0xff) != last.after) continue;
    read.read &= ~(std::uint64_t{0xff} << (i * 8));
    read.read |= std::uint64_t{first.after} << (i * 8);
  }
  read.success = truncated(read.read, read.size) == truncated(expected(read), read.size);
  return event;
}

}  // namespace

// Whether v is left to plain_. Not if an event is left out, and not if the last step is a block
// that reads something else in v than in E: it may write blindly there, and then has another order.
bool ObservedReversal::start_plain(const Trace& trace, bool other_block) {
  trace_ = &trace;
  possible_ = true;
  is_plain_ = order_.is_dependence() && left_out_ == kNoEvent && !other_block;
  return is_plain_;
}

void ObservedReversal::start(const Trace& trace, EventIndex first) {
  trace_ = &trace;
  is_plain_ = false;
  first_ = first;
  const auto size = static_cast<EventIndex>(trace.size());
  // The end of the process depends on nothing but comes when nothing else can: it is in no v.
  end_ = size > 0 && trace[size - 1].label.kind == OpKind::kExit ? size - 1 : size;
  elements_.clear();
  reversed_.clear();
  last_predecessor_ = kNoEvent;
  choices_fixed_ = false;
  used_until_ = first + 1;
  whole_ = false;
  possible_ = true;
  counting_ = observation_.mailboxes().counting();
  counted_.clear();
  waiting_.clear();
  all_from_ = kNoEvent;
  rest_.start(trace, first);
}

bool ObservedReversal::is_counted(const Label& l, OpKind kind) const {
  return l.kind == kind && observation_.mailboxes().order(l.object) == MailOrder::kCounted;
}

std::int64_t& ObservedReversal::messages(ObjectId mailbox) {
  for (Counted& c : counted_)
    if (c.mailbox == mailbox) return c.now;
  std::int64_t count = 0;
  for (EventIndex i = 0; i < first_; ++i) {
    const Label& l = (*trace_)[i].label;
    if (l.object != mailbox) continue;
    count += l.kind == OpKind::kSend ? 1 : l.kind == OpKind::kReceive ? -1 : 0;
  }
  counted_.push_back({mailbox, count, count});
  return counted_.back().now;
}

// Whether the event can be added: it does not happen after any of these that wait, and has a
// message to take.
bool ObservedReversal::can_run(EventIndex i, std::size_t waiting) {
  for (std::size_t w = 0; w < waiting; ++w)
    if (order_.happens_before(waiting_[w], i)) return false;
  const Label& l = (*trace_)[i].label;
  return !is_counted(l, OpKind::kReceive) || messages(l.object) > 0;
}

void ObservedReversal::push_counting(EventIndex origin) {
  const Label& l = (*trace_)[origin].label;
  if (is_counted(l, OpKind::kSend)) ++messages(l.object);
  if (is_counted(l, OpKind::kReceive)) --messages(l.object);
  push(origin);
}

inline void ObservedReversal::add(EventIndex origin) {
  if (counting_)
    add_counting(origin);
  else
    push(origin);
}

void ObservedReversal::add_counting(EventIndex origin) {
  if (!can_run(origin, waiting_.size())) {
    waiting_.push_back(origin);
    whole_ = true;  // with more messages to come it might not wait
    return;
  }
  push_counting(origin);
  if (!is_counted((*trace_)[origin].label, OpKind::kSend)) return;
  for (std::size_t w = 0; w < waiting_.size(); ++w) {
    if (!can_run(waiting_[w], w)) continue;
    push_counting(waiting_[w]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(w));
    w = static_cast<std::size_t>(-1);
  }
}

// The step that v is about.
void ObservedReversal::add_last(const Event& event, EventIndex origin,
                                EventIndex program_predecessor, bool moved) {
  last_predecessor_ = program_predecessor;
  for (EventIndex w : waiting_)
    if ((program_predecessor != kNoEvent && order_.happens_before(w, program_predecessor)) ||
        observation_.dependent((*trace_)[w], event))
      possible_ = false;
  add_changed(event, origin, moved);
  need_newest();
}

void ObservedReversal::add_changed(const Event& event, EventIndex origin, bool moved) {
  last_ = event;
  const bool changed = moved || origin == kNoEvent || !same_outcome(event, (*trace_)[origin]);
  elements_.push_back({origin, changed, false});
  rest_.add(last_);
}

// What follows E' without the dropped events and all that happens after them.
void ObservedReversal::add_rest(std::span<const EventIndex> dropped) {
  const auto others = dropped.subspan(1);
  const auto after = order_.after(dropped[0]);
  const EventIndex end = end_;
  if (others.empty() && !counting_) {
    for (EventIndex i = first_ + 1; i < end; ++i)
      if (!after(i) && i != left_out_) push(i);
    return;
  }
  for (EventIndex i = first_ + 1; i < end; ++i) {
    if (i == left_out_ || after(i)) continue;
    const bool out = std::any_of(others.begin(), others.end(),
                                 [&](EventIndex d) { return order_.happens_before(d, i); });
    if (!out) add(i);
  }
}

void ObservedReversal::race(const Trace& trace, EventIndex e, EventIndex f) {
  const bool other_block =
      trace[f].label.kind == OpKind::kAtomicBlock && reads_from(trace[f].label, trace[e].label);
  if (start_plain(trace, other_block))
    return plain_.race(trace, e, f, static_cast<EventIndex>(trace.size()));
  start(trace, e);
  add_rest({&e, 1});
  used_until_ = f + 1;
  const Event reversed = after_reversal(trace, e, f);
  whole_ = whole_ || may_gain_dependences(trace[e].label, reversed.label);
  add_last(reversed, f, trace.program_predecessor(f));
}

void ObservedReversal::hidden_race(const Trace& trace, EventIndex x, EventIndex y,
                                   const Event& last, std::span<const EventIndex> notdep) {
  start(trace, x);
  for (EventIndex i : notdep)
    if (i != left_out_) add(i);
  whole_ = true;
  add_last(last, y, trace.program_predecessor(y), /*moved=*/true);
}

void ObservedReversal::observed_race(const Trace& trace, EventIndex e, EventIndex f,
                                     std::span<const EventIndex> observers) {
  // Any observer will do that does not wait for a message that only comes after another one. The
  // first one is the same with every suffix. For the check of section 4.3 it is the last one.
  for (std::size_t i = 0; i < observers.size(); ++i) {
    observed_race(trace, e, f, observers, observers[strict_ ? observers.size() - 1 - i : i]);
    if (possible_) return;
  }
}

void ObservedReversal::observed_race(const Trace& trace, EventIndex e, EventIndex f,
                                     std::span<const EventIndex> observers, EventIndex o) {
  start(trace, e);
  const auto after_first = order_.after(observers[0]);
  const auto others = observers.subspan(1);
  const auto observes = [&](EventIndex i) {
    return after_first(i) || std::any_of(others.begin(), others.end(), [&](EventIndex by) {
             return order_.happens_before(by, i);
           });
  };
  // notobs comes after the rest.
  later_.clear();
  const auto after = order_.after(e);
  const EventIndex end = end_;
  for (EventIndex i = e + 1; i < end; ++i) {
    if (i == left_out_) continue;
    if (!after(i))
      add(i);
    else if (i != f && !observes(i))
      later_.push_back(i);
  }
  for (EventIndex i : {f, e}) {
    add(i);
    if (!waiting_.empty() && waiting_.back() == i) {
      possible_ = false;
      return;
    }
    // Stores happen before what has observed them, and are needed with that.
    reversed_.push_back(elements_.size() - 1);
    if (trace[i].label.kind == OpKind::kSend) need(elements_.size() - 1);
  }
  for (EventIndex i : later_) add(i);
  used_until_ = std::max(f, o) + 1;
  add_last(after_swap(trace, e, f, o), o, trace.program_predecessor(o));
  whole_ = whole_ || elements_.back().changed;  // it may depend on what comes later
}

void ObservedReversal::disabling(const Trace& trace, std::span<const EventIndex> dropped,
                                 const Event& step, EventIndex program_predecessor) {
  if (start_plain(trace))
    return plain_.disabling(trace, dropped, step, program_predecessor,
                            static_cast<EventIndex>(trace.size()));
  start(trace, dropped[0]);
  add_rest(dropped);
  // No suffix has events on the object that do not happen after e; or, here, it may.
  whole_ = whole_ || dropped.size() > 1 || step.label.kind == OpKind::kCondWake ||
           step.label.kind == OpKind::kWrLock || step.label.kind == OpKind::kAwait;
  add_last(step, kNoEvent, program_predecessor);
}

void ObservedReversal::choice(const Trace& trace, EventIndex e, std::uint16_t choice) {
  if (start_plain(trace))
    return plain_.choice(trace, e, choice, static_cast<EventIndex>(trace.size()));
  start(trace, e);
  add_rest({&e, 1});
  Event event = trace[e];
  event.choice = choice;
  if (event.label.kind != OpKind::kChoose) forget_woken(event.label);
  choices_fixed_ = true;
  add_last(event, kNoEvent, trace.program_predecessor(e));
}

// The element that was added last has to be explored.
void ObservedReversal::need_newest() {
  reversed_.push_back(elements_.size() - 1);
  need(elements_.size() - 1);
}

void ObservedReversal::resolve(const Label& label) {
  if (is_plain_) return plain_.resolve(label);
  last_.label = label;
  Element& last = elements_.back();
  last.changed = last.origin == kNoEvent || !same_outcome(last_, (*trace_)[last.origin]);
  for (Element& e : elements_) e.needed = false;
  rest_.restart();
  for (std::size_t k : reversed_) need(k);
}

// Marks the element and all of v that happens before it.
void ObservedReversal::need(std::size_t k) {
  Element& last = elements_[k];
  if (last.needed) return;
  last.needed = true;
  if (last.changed)
    need_before_changed(k);
  else
    need_before(k);
  if (!counted_.empty()) need_messages();
}

void ObservedReversal::need_before(std::size_t k) {
  const Trace& trace = *trace_;
  const std::uint32_t* clock = order_.clocks() + elements_[k].origin * trace.stride();
  Element* elements = elements_.data();
  for (std::size_t i = 0; i < k; ++i) {
    const EventIndex e = elements[i].origin;
    if (clock[trace.thread(e)] > trace.place(e)) elements[i].needed = true;
  }
}

void ObservedReversal::need_before_changed(std::size_t k) {
  const Element& last = elements_[k];
  for (std::size_t i = 0; i < k; ++i) {
    const Element& before = elements_[i];
    if (before.needed) continue;
    if (last.origin != kNoEvent && before.origin != kNoEvent &&
        order_.happens_before(before.origin, last.origin)) {
      elements_[i].needed = true;  // and so is, or will be, all that happens before it
      continue;
    }
    if (rest_[i].thread == rest_[k].thread || before.origin == last_predecessor_ ||
        (!clearly_independent(rest_[i].label, rest_[k].label) &&
         observation_.dependent(rest_[i], rest_[k])))
      need(i);
  }
}

// For as many receives of a counted mailbox as are needed, as many sends.
void ObservedReversal::need_messages() {
  for (const Counted& c : counted_) {
    std::int64_t sends = -c.before;
    for (std::size_t i = 0; i < elements_.size(); ++i)
      if (elements_[i].needed && rest_[i].label.object == c.mailbox &&
          rest_[i].label.kind == OpKind::kReceive)
        ++sends;
    for (std::size_t i = 0; sends > 0 && i < elements_.size(); ++i) {
      if (rest_[i].label.kind != OpKind::kSend || rest_[i].label.object != c.mailbox) continue;
      --sends;
      need(i);
    }
  }
}

}  // namespace mazur
