#include "trace/trace.h"

#include <algorithm>
#include <numeric>

#include "trace/clock_row.h"

namespace mazur {

void Trace::append(const Event& event) {
  events_.push_back(event);
  if (order_ == Order::kSequence) return;

  const auto self = static_cast<EventIndex>(events_.size() - 1);
  const ThreadId thread = event.thread;
  const Label& label = event.label;
  const bool names_thread = label.kind == OpKind::kCreate || label.kind == OpKind::kJoin;
  const ThreadId highest =
      names_thread ? std::max(thread, static_cast<ThreadId>(label.object)) : thread;
  if (highest >= of_thread_.size()) make_room(highest);

  std::vector<EventIndex>& own = of_thread_[thread];
  // In place: what is put together in small pieces and then moved has to wait for its stores.
  Record& record = records_.emplace_back();
  record.thread = thread;
  record.place = static_cast<std::uint32_t>(own.size());
  record.program_predecessor = own.empty() ? creation_[thread] : own.back();
  record.last_disabler = names_thread ? kNoEvent : history_.last_disabler(label);

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
  std::uint32_t* clock = clocks_.data() + row;
  const auto join = [&](EventIndex e) {
    join_clock(clock, clocks_.data() + e * stride_, stride_);
    if (record.latest_predecessor == kNoEvent || e > record.latest_predecessor)
      record.latest_predecessor = e;
  };
  const EventIndex p = record.latest_predecessor = record.program_predecessor;
  start_clock(clock, p == kNoEvent ? nullptr : clocks_.data() + p * stride_, stride_, thread,
              record.place + 1);
  if (label.kind == OpKind::kJoin) {
    const auto child = static_cast<ThreadId>(label.object);
    const EventIndex last = of_thread_[child].empty() ? creation_[child] : of_thread_[child].back();
    if (last != kNoEvent) join(last);
  }

  // Per thread only the last predecessor counts. In descending order, e races with the new event
  // iff no later predecessor, nor the program's, has already brought it into the past.
  if (!names_thread) {
    direct_.clear();
    history_.predecessors(thread, label, [&](EventIndex e) { note_predecessor(e, thread); });
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
  if (label.kind == OpKind::kCreate) creation_[label.object] = self;
  own.push_back(self);
  record.races_end = static_cast<std::uint32_t>(races_.size());
  record.touches_end = static_cast<std::uint32_t>(history_.size());
}

void Trace::note_predecessor(EventIndex e, ThreadId own) {
  const ThreadId thread = records_[e].thread;
  if (thread == own) return;
  EventIndex& last = last_in_[thread];
  if (last != kNoEvent && last >= e) return;
  last = e;
  direct_.push_back(e);
}

void Trace::truncate(std::size_t size) {
  if (size >= events_.size()) return;
  if (order_ == Order::kDependence) {
    for (std::size_t i = events_.size(); i-- > size;) {
      of_thread_[records_[i].thread].pop_back();
      if (events_[i].label.kind == OpKind::kCreate) creation_[events_[i].label.object] = kNoEvent;
    }
    history_.undo(size == 0 ? 0 : records_[size - 1].touches_end);
    races_.resize(size == 0 ? 0 : records_[size - 1].races_end);
    records_.resize(size);
  }
  events_.resize(size);
}

EventIndex Trace::last_of(ThreadId thread) const {
  if (order_ == Order::kDependence) {
    const std::span<const EventIndex> own = events_of(thread);
    return own.empty() ? kNoEvent : own.back();
  }
  for (std::size_t i = events_.size(); i-- > 0;)
    if (events_[i].thread == thread) return static_cast<EventIndex>(i);
  return kNoEvent;
}

std::size_t Trace::causal_past(EventIndex e) const {
  const std::span<const std::uint32_t> c = clock(e);
  return std::accumulate(c.begin(), c.end(), std::size_t{0});
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
