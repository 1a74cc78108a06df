#include "trace/observability.h"

#include <algorithm>

#include "trace/dependence.h"
#include "trace/wait_set.h"

namespace mazur {

void Observability::follow(const Trace& trace, std::size_t keep) {
  trace_ = &trace;
  changed_ = static_cast<EventIndex>(keep);
  truncate(keep);
  const auto size = static_cast<EventIndex>(trace.size());
  if (differs_at_ >= keep) {
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
  if (label.kind != OpKind::kStore && label.kind != OpKind::kBlock) return false;
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
  return observation_.writes_blindly(label) ? Kind::kBlind : Kind::kTotal;
}

void Observability::append(EventIndex self) {
  records_.push_back({0, 0, 0, kNone, 0});
  const Label& label = (*trace_)[self].label;
  const bool message = label.kind == OpKind::kSend || label.kind == OpKind::kReceive;
  if (label.kind == OpKind::kBlock)
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
  const bool plain = label.kind >= OpKind::kLoad && label.kind <= OpKind::kCas;
  if (label.kind == OpKind::kCreate || label.kind == OpKind::kJoin) return;  // see order()
  if (!plain) {
    history_.predecessors(event.thread, label, [&](EventIndex e) { before_.push_back(e); });
    history_.record(self, label);
  }
  if (plain && label.object2 <= kOwnLocation) {
    const bool reads =
        label.kind == OpKind::kLoad || (label.kind == OpKind::kCas && !label.success);
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
      if (observation_.blind(event.label, use)) kind = Kind::kBlind;
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

// Of a mailbox that is not ordered. A receive that took none needs no order: all it would have
// accepted was taken before, by its own thread.
void Observability::append_message(EventIndex self) {
  const Label& label = (*trace_)[self].label;
  const bool looked = observation_.mailboxes().order(label.object) == MailOrder::kLooked;
  const std::uint32_t slot = granule(kMailbox | label.object);
  std::vector<Touch>& list = touches_[slot];
  const auto accepts = [](const Label& receive, const Label& send) {
    return (receive.value >> send.object2 & 1) != 0;
  };
  Touch touch{self, Kind::kSent, 0, kNone};
  if (label.kind == OpKind::kSend) {
    for (const Touch& t : list) {
      if (t.kind == Kind::kSent || !looked || !accepts((*trace_)[t.event].label, label)) continue;
      before_.push_back(t.kind == Kind::kMissed ? t.event : t.write);
    }
  } else if (label.read == 0) {
    touch.kind = Kind::kMissed;
  } else {
    touch.kind = Kind::kTook;
    direct_.clear();  // what was taken before
    for (const Touch& t : list) {
      if (t.kind == Kind::kTook) direct_.push_back(t.write);
      if (t.kind == Kind::kSent && (*trace_)[t.event].label.value == label.read)
        touch.write = t.event;
    }
    std::sort(direct_.begin(), direct_.end());
    if (looked) before_.push_back(touch.write);
    for (const Touch& t : list) {
      if (t.kind != Kind::kSent || !looked || t.event <= touch.write) continue;
      if (accepts(label, (*trace_)[t.event].label) &&
          !std::binary_search(direct_.begin(), direct_.end(), t.event))
        add_edge(touch.write, t.event, self);
    }
  }
  list.push_back(touch);
  granules_.push_back(slot);
}

std::uint32_t Observability::granule(ObjectId number) {
  const auto [at, added] =
      granule_of_.try_emplace(number, static_cast<std::uint32_t>(touches_.size()));
  if (added) touches_.emplace_back();
  return at->second;
}

void Observability::append_memory(EventIndex self, const Access& a, Kind kind) {
  const ObjectId end = a.object + a.size;
  for (ObjectId g = a.object >> kGranuleShift; g <= (end - 1) >> kGranuleShift; ++g) {
    const ObjectId base = g << kGranuleShift;
    const ObjectId from = std::max(a.object, base) - base;
    const ObjectId to = std::min(end, base + 8) - base;
    const auto bytes = static_cast<std::uint8_t>((1u << to) - (1u << from));
    const std::uint32_t slot = granule(g);
    std::vector<Touch>& list = touches_[slot];
    std::uint32_t write = kNone;
    if (kind == Kind::kBlind)
      walk_store(list, bytes, self);
    else if (kind == Kind::kLook)
      walk_look(list, bytes);
    else if (kind == Kind::kOrdered)
      walk_ordered(list, bytes);
    else
      write = walk_read(list, kind, bytes, self);
    list.push_back({self, kind, bytes, write});
    granules_.push_back(slot);
  }
}

// A store comes after the reads of its bytes since the last store before a read: older ones happen
// before that one, which happens before the read.
void Observability::walk_store(const std::vector<Touch>& list, std::uint8_t bytes,
                               EventIndex self) {
  unsigned open = bytes;
  unsigned seen = 0;  // bytes with a read
  const ThreadId own = trace_->thread(self);
  for (std::size_t i = list.size(); open != 0 && i-- > 0;) {
    const Touch& t = list[i];
    if ((t.bytes & open) == 0) continue;
    if (trace_->thread(t.event) == own && is_write(t.kind)) {
      // What it comes after, this one comes after.
      open &= ~static_cast<unsigned>(t.bytes);
      continue;
    }
    switch (t.kind) {
      case Kind::kRead:
      case Kind::kLook:
        before_.push_back(t.event);
        seen |= t.bytes;
        break;
      case Kind::kBlind:
        open &= ~(t.bytes & seen);
        break;
      case Kind::kOrdered:
      case Kind::kTotal:
        before_.push_back(t.event);
        open &= ~static_cast<unsigned>(t.bytes);
        break;
      default:  // none of memory
        break;
    }
  }
}

// A read comes after the last write of each of its bytes, and orders the stores that could have
// been the last one before it. If it writes, it also comes after the reads since then.
std::uint32_t Observability::walk_read(const std::vector<Touch>& list, Kind kind,
                                       std::uint8_t bytes, EventIndex self) {
  // The same bytes were read just before: from the same store, and its races are observed already.
  if (kind == Kind::kRead && !list.empty() && list.back().kind == Kind::kRead &&
      list.back().bytes == bytes && list.back().write != kNone) {
    if (list.back().write != kNever) before_.push_back(list.back().write);
    return list.back().write;
  }
  unsigned open = bytes;       // bytes whose last write is not found yet
  unsigned observing = 0;      // bytes whose races no earlier read has observed
  unsigned seen = 0;           // bytes with an earlier read after the last write
  EventIndex last[8];          // by byte
  EventIndex only = kNoEvent;  // the one write all bytes come from
  bool one = true;
  for (std::size_t i = list.size(); (open | observing) != 0 && i-- > 0;) {
    const Touch& t = list[i];
    const unsigned here = t.bytes;
    if ((here & (open | observing)) == 0) continue;
    if (t.kind == Kind::kRead || t.kind == Kind::kLook) {
      if (kind == Kind::kTotal && (here & open) != 0) before_.push_back(t.event);
      if (t.kind == Kind::kRead) seen |= here & open;
      observing &= ~here;
      continue;
    }
    const unsigned found = here & open;
    const unsigned race = t.kind == Kind::kBlind ? here & observing : 0;
    observing &= t.kind == Kind::kBlind ? ~0u : ~here;
    for (unsigned b = 0; b < 8; ++b) {
      if ((race >> b & 1) == 0) continue;
      bool again =
          false;  // the bytes of one store can have several last ones, but not each its own
      for (unsigned c = 0; c < b; ++c)
        again = again || ((race >> c & 1) != 0 && last[c] == last[b]);
      if (!again) add_edge(t.event, last[b], self);
    }
    if (found != 0) {
      before_.push_back(t.event);
      open &= ~found;
      one = one && (only == kNoEvent || only == t.event);
      only = t.event;
      if (t.kind == Kind::kBlind) {
        observing |= found & ~seen;
        for (unsigned b = 0; b < 8; ++b)
          if ((found >> b & 1) != 0) last[b] = t.event;
      }
    }
  }
  if (open == bytes) return kNever;
  return one && open == 0 ? only : kNone;
}

// A look comes after all stores since the last one before a read or look: older ones happen before
// that read, which happens before the store after it.
void Observability::walk_look(const std::vector<Touch>& list, std::uint8_t bytes) {
  unsigned open = bytes;
  unsigned seen = 0;  // bytes with a store
  for (std::size_t i = list.size(); open != 0 && i-- > 0;) {
    const Touch& t = list[i];
    if ((t.bytes & open) == 0) continue;
    if (t.kind == Kind::kRead || t.kind == Kind::kLook) {
      open &= ~(t.bytes & seen);
      continue;
    }
    before_.push_back(t.event);
    seen |= t.bytes;
    if (t.kind != Kind::kBlind) open &= ~static_cast<unsigned>(t.bytes);
  }
}

// A write that is ordered with all comes after all stores, as a look does, and after the reads
// since then.
void Observability::walk_ordered(const std::vector<Touch>& list, std::uint8_t bytes) {
  walk_look(list, bytes);
  unsigned open = bytes;
  for (std::size_t i = list.size(); open != 0 && i-- > 0;) {
    const Touch& t = list[i];
    if ((t.bytes & open) == 0) continue;
    if (is_write(t.kind))
      open &= ~static_cast<unsigned>(t.bytes);  // it comes after the reads before it
    else
      before_.push_back(t.event);
  }
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
    std::fill_n(clock, stride_, 0);
    const auto join = [&](EventIndex e) {
      const std::uint32_t* other = clocks_.data() + e * stride_;
      for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], other[t]);
    };
    const Event& event = (*trace_)[f];
    if (const EventIndex p = trace_->program_predecessor(f); p != kNoEvent) join(p);
    if (event.label.kind == OpKind::kJoin) {
      const auto child = static_cast<ThreadId>(event.label.object);
      const auto own = trace_->events_of(child);
      const EventIndex last = own.empty() ? trace_->creation_of(child) : own.back();
      if (last != kNoEvent) join(last);
    }
    Record& record = records_[f];
    direct_.assign(before_.begin() + (f == 0 ? 0 : records_[f - 1].before_end),
                   before_.begin() + record.before_end);
    for (std::uint32_t e = record.edges; e != kNone; e = edges_[e].next)
      direct_.push_back(edges_[e].from);
    std::sort(direct_.begin(), direct_.end(), std::greater<>());
    for (EventIndex e : direct_) {
      if (clock[trace_->thread(e)] > trace_->place(e) || trace_->thread(e) == event.thread)
        continue;
      join(e);
      races_.push_back(e);
    }
    clock[event.thread] = trace_->place(f) + 1;
    record.races_end = static_cast<std::uint32_t>(races_.size());
  }
  computed_ = size;
}

void Observability::observers(EventIndex e, EventIndex f, std::vector<EventIndex>& found) const {
  found.clear();
  if (is_dependence()) return;
  const Label& a = (*trace_)[e].label;
  const Label& b = (*trace_)[f].label;
  if (observation_.blind_stores(a, b)) {
    readers_after(f, std::max(a.object, b.object), std::min(a.object + a.size, b.object + b.size),
                  found);
    return keep_earliest(found);
  }
  if (!observation_.compete(a, b) || observation_.dependent((*trace_)[e], (*trace_)[f])) return;
  if (a.kind == OpKind::kSend) {
    for (const Touch& t : touches_[granule_of_.at(kMailbox | a.object)])
      if (t.kind == Kind::kTook && t.write == e) found.push_back(t.event);
    return;
  }
  all_uses(a, [&](const MemoryUse& x) {
    return all_uses(b, [&](const MemoryUse& y) {
      if (x.writes && y.writes)
        readers_after(f, std::max(x.begin, y.begin), std::min(x.end, y.end), found);
      return true;
    });
  });
  keep_earliest(found);
}

// Definition 1, condition 2: none that happens after another one. In trace order.
void Observability::keep_earliest(std::vector<EventIndex>& found) const {
  if (found.size() < 2) return;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  // Latest first, so that what is compared with is still there.
  for (std::size_t i = found.size(); i-- > 0;)
    for (std::size_t j = 0; j < i; ++j)
      if (happens_before(found[j], found[i])) {
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
}

EventIndex Observability::uncertain_count() const {
  if (is_dependence()) return kNoEvent;  // no mailbox is counted
  const auto size = static_cast<EventIndex>(records_.size());
  for (EventIndex r = 0; r < size; ++r) {
    const Label& l = (*trace_)[r].label;
    if (l.kind != OpKind::kReceive || l.object2 != 0 ||
        observation_.mailboxes().order(l.object) != MailOrder::kCounted)
      continue;
    std::size_t received = 0;
    std::size_t sent = 0;
    for (const Touch& t : touches_[granule_of_.at(kMailbox | l.object)]) {
      if (t.kind == Kind::kTook)
        received += t.event <= r ? 1 : 0;
      else
        sent += happens_before(r, t.event) ? 0 : 1;
    }
    if (sent != received) return r;
  }
  return kNoEvent;
}

// The events that read one of these bytes from f, which wrote them.
void Observability::readers_after(EventIndex f, ObjectId begin, ObjectId end,
                                  std::vector<EventIndex>& found) const {
  for (ObjectId g = begin >> kGranuleShift; begin < end && g <= (end - 1) >> kGranuleShift; ++g) {
    const ObjectId base = g << kGranuleShift;
    const ObjectId from = std::max(begin, base) - base;
    const ObjectId to = std::min(end, base + 8) - base;
    unsigned bytes = (1u << to) - (1u << from);
    const std::vector<Touch>& list = touches_[granule_of_.at(g)];
    auto t = std::upper_bound(list.begin(), list.end(), f,
                              [](EventIndex i, const Touch& x) { return i < x.event; });
    for (; bytes != 0 && t != list.end(); ++t) {
      const bool reads = t->kind == Kind::kRead || t->kind == Kind::kTotal;
      if (reads && (t->bytes & bytes) != 0) found.push_back(t->event);
      if (is_write(t->kind)) bytes &= ~static_cast<unsigned>(t->bytes);
    }
  }
}

}  // namespace mazur
