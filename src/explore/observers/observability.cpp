#include "explore/observers/observability.h"

#include <algorithm>

#include "trace/clock_row.h"
#include "trace/dependence.h"
#include "trace/wait_set.h"

namespace mazur {

void Observability::follow(const Trace& trace, std::size_t keep) {
  trace_ = &trace;
  changed_ = static_cast<EventIndex>(keep);
  truncate(keep);
  const auto size = static_cast<EventIndex>(trace.size());
  if (!differs_before(keep)) {
    trace.complete();
    differs_at_ = static_cast<EventIndex>(keep);
    while (differs_at_ < size && !differs_at(differs_at_)) ++differs_at_;
    if (differs_at_ == size) differs_at_ = kNoEvent;
  }
  if (!is_dependence()) {
    for (auto e = static_cast<EventIndex>(records_.size()); e < size; ++e) append(e);
    order();
  }
  now_ = is_dependence() ? trace.clocks() : clocks_.data();
}

// If the events before e are ordered as in the trace, then e, too, unless it is in a race with a
// blind write there and depends on it in no other way. Messages are not looked at so closely.
bool Observability::differs_at(EventIndex e) const {
  if (!observation_.on()) return false;
  const Event& event = (*trace_)[e];
  const Label& label = event.label;
  if (label.kind == OpKind::kSend || label.kind == OpKind::kReceive)
    return observation_.mailboxes().order(label.object) != MailOrder::kOrdered;
  if (label.kind != OpKind::kStore && label.kind != OpKind::kAtomicBlock) return false;
  const auto races = trace_->races(e);
  return std::any_of(races.begin(), races.end(),
                     [&](EventIndex r) { return !observation_.dependent((*trace_)[r], event); });
}

void Observability::truncate(std::size_t size) {
  if (size >= records_.size()) return;
  while (!edges_.empty() && edges_.back().by >= size) {
    const Edge& e = edges_.back();
    records_[e.to].edges = e.next;
    changed_ = std::min(changed_, e.to);
    edges_.pop_back();
  }
  const std::uint32_t granules = size == 0 ? 0 : records_[size - 1].granules_end;
  while (granules_.size() > granules) {
    touches_[granules_.back()].pop_back();
    granules_.pop_back();
  }
  before_.resize(size == 0 ? 0 : records_[size - 1].before_end);
  history_.undo(size == 0 ? 0 : records_[size - 1].history);
  records_.resize(size);
  computed_ = std::min(computed_, changed_);
}

Observability::Kind Observability::kind_of(const Label& label, const Access& access,
                                           bool own) const {
  if (!own && is_waiting_round(label)) return Kind::kLook;
  if (access.mode == mode::kRead) return Kind::kRead;
  if (access.mode == mode::kEnd) return Kind::kOrdered;
  return observation_.writes_blindly(label) ? Kind::kBlindWrite : Kind::kTotal;
}

void Observability::append(EventIndex self) {
  records_.push_back({0, 0, 0, kNone, 0});
  const Label& label = (*trace_)[self].label;
  const bool message = label.kind == OpKind::kSend || label.kind == OpKind::kReceive;
  if (label.kind == OpKind::kAtomicBlock)
    append_block(self);
  else if (message && observation_.mailboxes().order(label.object) != MailOrder::kOrdered)
    append_message(self);
  else
    append_single(self);
  Record& record = records_.back();
  record.before_end = static_cast<std::uint32_t>(before_.size());
  record.granules_end = static_cast<std::uint32_t>(granules_.size());
  record.history = static_cast<std::uint32_t>(history_.size());
}

void Observability::append_single(EventIndex self) {
  const Event& event = (*trace_)[self];
  const Label& label = event.label;
  const bool plain = is_memory(label.kind);
  if (label.kind == OpKind::kCreate || label.kind == OpKind::kJoin) return;  // see order()
  if (!plain) {
    history_.predecessors(event.thread, label, [&](EventIndex e) { before_.push_back(e); });
    history_.record(self, label);
  }
  if (plain && !reads_other_locations(label)) {
    const bool reads = label.kind == OpKind::kLoad || (label.kind == OpKind::kCas && !wrote(label));
    const Access a{Space::kMemory, reads ? mode::kRead : mode::kWrite, label.size, label.object};
    return append_memory(self, a, kind_of(label, a, /*own=*/true));
  }
  const Accesses touched = accesses(label);
  for (const Access& a : touched)
    if (a.space == Space::kMemory) append_memory(self, a, kind_of(label, a, &a == touched.begin()));
}

// Each access of a block like an operation of its own.
void Observability::append_block(EventIndex self) {
  const Event& event = (*trace_)[self];
  const auto list = block_table.accesses(event.label);
  const auto reads = block_table.reads(event.label);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Access& a = list[i];
    if (a.space == Space::kMemory) {
      const MemoryUse use{a.object, a.object + a.size, reads[i], a.mode == mode::kWrite};
      Kind kind = !use.writes ? Kind::kRead : use.reads ? Kind::kTotal : Kind::kOrdered;
      if (observation_.blind(event.label, use)) kind = Kind::kBlindWrite;
      append_memory(self, a, kind);
      continue;
    }
    Label mutex;
    mutex.kind = a.mode == mode::kRelease ? OpKind::kUnlock : OpKind::kTryLock;
    mutex.success = a.mode != mode::kProbe;
    mutex.object = a.object;
    history_.predecessors(event.thread, mutex, [&](EventIndex e) { before_.push_back(e); });
    history_.record(self, mutex);
  }
}

// What has touched the granule.
std::uint32_t Observability::granule(ObjectId number) {
  const std::uint32_t slot = granules_of_.number(number);
  if (slot == touches_.size()) touches_.emplace_back();
  return slot;
}

void Observability::add_edge(EventIndex from, EventIndex to, EventIndex by) {
  if (trace_->thread(from) == trace_->thread(to)) return;
  edges_.push_back({from, to, by, records_[to].edges});
  records_[to].edges = static_cast<std::uint32_t>(edges_.size() - 1);
  changed_ = std::min(changed_, to);
}

// The clocks and races of all events that may have changed.
void Observability::order() {
  const auto size = static_cast<EventIndex>(records_.size());
  if (stride_ != trace_->stride()) {
    stride_ = trace_->stride();
    changed_ = 0;
  }
  clocks_.resize(size * stride_);
  computed_ = std::min(computed_, changed_);
  races_.resize(own_races_before(computed_));
  for (EventIndex f = computed_; f < size; ++f) {
    std::uint32_t* clock = clocks_.data() + f * stride_;
    const auto join = [&](EventIndex e) {
      join_clock(clock, clocks_.data() + e * stride_, stride_);
    };
    const Event& event = (*trace_)[f];
    const EventIndex p = trace_->program_predecessor(f);
    start_clock(clock, p == kNoEvent ? nullptr : clocks_.data() + p * stride_, stride_,
                event.thread, trace_->place(f) + 1);
    if (event.label.kind == OpKind::kJoin) {
      const auto child = static_cast<ThreadId>(event.label.object);
      const auto own = trace_->events_of(child);
      const EventIndex last = own.empty() ? trace_->creation_of(child) : own.back();
      if (last != kNoEvent) join(last);
    }
    Record& record = records_[f];
    const std::uint32_t begin = f == 0 ? 0 : records_[f - 1].before_end;
    const auto come_after = [&](EventIndex e) {
      if (clock[trace_->thread(e)] > trace_->place(e) || trace_->thread(e) == event.thread) return;
      join(e);
      races_.push_back(e);
    };
    if (record.edges == kNone && record.before_end - begin < 2) {
      if (begin != record.before_end) come_after(before_[begin]);
    } else {
      direct_.assign(before_.begin() + begin, before_.begin() + record.before_end);
      for (std::uint32_t e = record.edges; e != kNone; e = edges_[e].next)
        direct_.push_back(edges_[e].from);
      std::sort(direct_.begin(), direct_.end(), std::greater<>());
      for (EventIndex e : direct_) come_after(e);
    }
    record.races_end = static_cast<std::uint32_t>(races_.size());
  }
  computed_ = size;
}

}  // namespace mazur
