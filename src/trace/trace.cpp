#include "trace/trace.h"

#include <algorithm>
#include <numeric>

namespace mazur {

void Trace::append(const Event& event) {
  events_.push_back(event);
  if (order_ == Order::kSequence) return;

  const auto self = static_cast<EventIndex>(events_.size() - 1);
  const ThreadId thread = event.thread;
  const Label& label = event.label;
  const bool names_thread = label.kind == OpKind::kCreate || label.kind == OpKind::kJoin;
  make_room(names_thread ? std::max(thread, static_cast<ThreadId>(label.object)) : thread);

  std::vector<EventIndex>& own = of_thread_[thread];
  Record record{.thread = thread,
                .place = static_cast<std::uint32_t>(own.size()),
                .program_predecessor = own.empty() ? creation_[thread] : own.back(),
                .latest_predecessor = kNoEvent,
                .last_disabler = history_.last_disabler(label),
                .races_end = 0,
                .touches_end = 0};

  counts_.resize(clocks_.size() + stride_);
  std::uint32_t* counts = counts_.data() + self * stride_;
  if (self > 0) {
    std::copy_n(counts - stride_, stride_, counts);
    ++counts[records_.back().thread];
  }
  clocks_.resize(clocks_.size() + stride_);
  std::uint32_t* clock = clocks_.data() + self * stride_;
  const auto join = [&](EventIndex e) {
    const std::uint32_t* other = clocks_.data() + e * stride_;
    for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], other[t]);
    if (record.latest_predecessor == kNoEvent || e > record.latest_predecessor)
      record.latest_predecessor = e;
  };
  if (record.program_predecessor != kNoEvent) join(record.program_predecessor);
  if (label.kind == OpKind::kJoin) {
    const auto child = static_cast<ThreadId>(label.object);
    const EventIndex last = of_thread_[child].empty() ? creation_[child] : of_thread_[child].back();
    if (last != kNoEvent) join(last);
  }

  // Per thread only the last predecessor counts. In descending order, e races with the new event
  // iff no later predecessor, nor the program's, has already brought it into the past.
  direct_.clear();
  history_.predecessors(thread, label, [&](EventIndex e) { note_predecessor(e, thread); });
  std::sort(direct_.begin(), direct_.end(), std::greater<>());
  for (EventIndex e : direct_) {
    EventIndex& last = last_in_[records_[e].thread];
    if (e != last) continue;  // overtaken by a later event of its thread
    last = kNoEvent;
    if (clock[records_[e].thread] > records_[e].place) continue;
    join(e);
    races_.push_back(e);
  }
  clock[thread] = record.place + 1;

  history_.record(self, label);
  if (label.kind == OpKind::kCreate) creation_[label.object] = self;
  own.push_back(self);
  record.races_end = static_cast<std::uint32_t>(races_.size());
  record.touches_end = static_cast<std::uint32_t>(history_.size());
  records_.push_back(record);
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
    clocks_.resize(size * stride_);
    counts_.resize(size * stride_);
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
  if (thread < of_thread_.size()) return;
  of_thread_.resize(thread + 1);
  creation_.resize(thread + 1, kNoEvent);
  last_in_.resize(thread + 1, kNoEvent);
  if (thread < stride_) return;
  // Rows grow by doubling: a new thread rarely moves them.
  const std::size_t stride = std::max<std::size_t>({8, stride_ * 2, thread + std::size_t{1}});
  for (std::vector<std::uint32_t>* rows : {&clocks_, &counts_}) {
    std::vector<std::uint32_t> wider(records_.size() * stride);
    for (std::size_t e = 0; e < records_.size(); ++e)
      std::copy_n(rows->data() + e * stride_, stride_, wider.data() + e * stride);
    *rows = std::move(wider);
  }
  stride_ = stride;
}

}  // namespace mazur
