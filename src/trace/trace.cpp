#include "trace/trace.h"

#include <algorithm>

#include "trace/clock_row.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

bool names_thread(const Label& l) { return l.kind == OpKind::kCreate || l.kind == OpKind::kJoin; }

bool may_wait_for_order(const Label& l) {
  return ((l.kind == OpKind::kLoad || l.kind == OpKind::kStore) && waits_for(l) == 0) ||
         names_thread(l) || l.kind == OpKind::kExit;
}

}  // namespace

void Trace::append(const Event& event) {
  events_.push_back(event);
  if (relation_ == Relation::kSequence) return;

  const auto self = static_cast<EventIndex>(events_.size() - 1);
  const ThreadId thread = event.thread;
  const Label& label = event.label;
  const ThreadId highest = names_thread(label) ? std::max(thread, child_of(label)) : thread;
  if (highest >= of_thread_.size()) make_room(highest);

  std::vector<EventIndex>& own = of_thread_[thread];
  records_.push_back({thread, static_cast<std::uint32_t>(own.size()),
                      own.empty() ? creation_[thread] : own.back()});
  const std::size_t row = self * stride_;
  if (counts_.size() < row + stride_) {
    counts_.resize(2 * row + stride_);
    clocks_.resize(2 * row + stride_);
  }
  std::uint32_t* counts = counts_.data() + row;
  if (self > 0) {
    copy_clock(counts, counts - stride_, stride_);
    ++counts[records_[self - 1].thread];
  } else {
    std::fill_n(counts, stride_, 0);
  }
  if (label.kind == OpKind::kCreate) creation_[child_of(label)] = self;
  own.push_back(self);
  if (first_other_ == kNoEvent && !may_wait_for_order(label)) first_other_ = self;
  if (!postponed_ || first_other_ != kNoEvent) complete();
}

// All events before it must have theirs.
void Trace::find_dependences(EventIndex self) const {
  const Record& record = records_[self];
  const Label& label = events_[self].label;
  // In place: a record that is put together in small pieces and then moved has to wait for its
  // stores.
  Dependences& found = dependences_.emplace_back();
  found.last_disabler = names_thread(label) ? kNoEvent : history_.last_disabler(label);
  std::uint32_t* clock = clocks_.data() + self * stride_;
  const auto join = [&](EventIndex e) {
    join_clock(clock, clocks_.data() + e * stride_, stride_);
    if (found.latest_predecessor == kNoEvent || e > found.latest_predecessor)
      found.latest_predecessor = e;
  };
  const EventIndex p = found.latest_predecessor = record.program_predecessor;
  start_clock(clock, p == kNoEvent ? nullptr : clocks_.data() + p * stride_, stride_, record.thread,
              record.place + 1);
  if (label.kind == OpKind::kJoin) {
    const ThreadId child = child_of(label);
    const EventIndex last = of_thread_[child].empty() ? creation_[child] : of_thread_[child].back();
    if (last != kNoEvent) join(last);
  }

  // Only the last predecessor of each thread counts. They are taken in descending order. Then e
  // races with the new event iff neither a later predecessor nor that of the program order has
  // already brought it into the past.
  if (!names_thread(label)) {
    direct_.clear();
    history_.predecessors(record.thread, label,
                          [&](EventIndex e) { note_predecessor(e, record.thread); });
    if (direct_.size() > 1) std::sort(direct_.begin(), direct_.end(), std::greater<>());
    for (EventIndex e : direct_) {
      EventIndex& last = last_in_[records_[e].thread];
      if (e != last) continue;  // overtaken by a later event of its thread
      last = kNoEvent;
      if (clock[records_[e].thread] > records_[e].place) continue;
      join(e);
      races_.push_back(e);
    }
    history_.record(self, label);
  }
  found.races_end = static_cast<std::uint32_t>(races_.size());
  found.touches_end = static_cast<std::uint32_t>(history_.size());
}

void Trace::note_predecessor(EventIndex e, ThreadId own) const {
  const ThreadId thread = records_[e].thread;
  if (thread == own) return;
  EventIndex& last = last_in_[thread];
  if (last != kNoEvent && last >= e) return;
  last = e;
  direct_.push_back(e);
}

void Trace::truncate(std::size_t size) {
  if (size >= events_.size()) return;
  if (relation_ == Relation::kDependence) {
    for (std::size_t i = events_.size(); i-- > size;) {
      of_thread_[records_[i].thread].pop_back();
      const Label& label = events_[i].label;
      if (label.kind == OpKind::kCreate) creation_[child_of(label)] = kNoEvent;
    }
    if (size < dependences_.size()) {
      history_.undo(size == 0 ? 0 : dependences_[size - 1].touches_end);
      races_.resize(size == 0 ? 0 : dependences_[size - 1].races_end);
      dependences_.resize(size);
    }
    records_.resize(size);
    if (first_other_ != kNoEvent && first_other_ >= size) first_other_ = kNoEvent;
  }
  events_.resize(size);
}

EventIndex Trace::last_of(ThreadId thread) const {
  if (relation_ == Relation::kDependence) {
    const std::span<const EventIndex> own = events_of(thread);
    return own.empty() ? kNoEvent : own.back();
  }
  for (std::size_t i = events_.size(); i-- > 0;)
    if (events_[i].thread == thread) return static_cast<EventIndex>(i);
  return kNoEvent;
}

void Trace::make_room(ThreadId thread) {
  of_thread_.resize(thread + 1);
  creation_.resize(thread + 1, kNoEvent);
  last_in_.resize(thread + 1, kNoEvent);
  if (thread < stride_) return;
  // Rows grow by doubling: a new thread rarely moves them.
  const std::size_t least = (thread / kClockStep + 1) * kClockStep;
  const std::size_t stride = std::max(stride_ * 2, least);
  for (std::vector<std::uint32_t>* rows : {&clocks_, &counts_}) {
    std::vector<std::uint32_t> wider(records_.size() * stride);
    for (std::size_t e = 0; e < records_.size(); ++e)
      std::copy_n(rows->data() + e * stride_, stride_, wider.data() + e * stride);
    *rows = std::move(wider);
  }
  stride_ = stride;
}

}  // namespace mazur
