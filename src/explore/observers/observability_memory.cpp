// Who sees which write: the order of accesses to memory modulo observability.
#include <algorithm>

#include "explore/observers/observability.h"

namespace mazur {

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
    if (kind == Kind::kBlindWrite)
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
      case Kind::kBlindWrite:
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

// Orders a store before those that were last for these bytes, where each has its own.
void Observability::observe_bytes(EventIndex store, unsigned bytes, const EventIndex* last,
                                  EventIndex by) {
  for (unsigned b = 0; b < 8; ++b) {
    if ((bytes >> b & 1) == 0) continue;
    bool again = false;  // the bytes of one store can have several last ones, but not each its own
    for (unsigned c = 0; c < b; ++c) again = again || ((bytes >> c & 1) != 0 && last[c] == last[b]);
    if (!again) add_edge(store, last[b], by);
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
    const unsigned race = t.kind == Kind::kBlindWrite ? here & observing : 0;
    observing &= t.kind == Kind::kBlindWrite ? ~0u : ~here;
    if (race != 0 && one)
      add_edge(t.event, only, self);
    else if (race != 0)
      observe_bytes(t.event, race, last, self);
    if (found != 0) {
      before_.push_back(t.event);
      open &= ~found;
      one = one && (only == kNoEvent || only == t.event);
      only = t.event;
      if (t.kind == Kind::kBlindWrite) {
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
    if (t.kind != Kind::kBlindWrite) open &= ~static_cast<unsigned>(t.bytes);
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
  if (!observation_.writes_blindly(a) || !observation_.compete(a, b) ||
      observation_.dependent((*trace_)[e], (*trace_)[f]))
    return;
  if (a.kind == OpKind::kSend) {
    for (const Touch& t : touches_[granules_of_.known(kMailbox | a.object)])
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

EventIndex Observability::source(EventIndex load) const {
  const Label& l = (*trace_)[load].label;
  const ObjectId g = l.object >> kGranuleShift;
  if (g != (l.object + l.size - 1) >> kGranuleShift) return kNoEvent;
  const std::vector<Touch>& list = touches_[granules_of_.known(g)];
  const auto touch = std::lower_bound(list.begin(), list.end(), load,
                                      [](const Touch& x, EventIndex i) { return x.event < i; });
  return touch->write >= kNever ? kNoEvent : touch->write;
}

// The events that read one of these bytes from f, which wrote them.
void Observability::readers_after(EventIndex f, ObjectId begin, ObjectId end,
                                  std::vector<EventIndex>& found) const {
  for (ObjectId g = begin >> kGranuleShift; begin < end && g <= (end - 1) >> kGranuleShift; ++g) {
    const ObjectId base = g << kGranuleShift;
    const ObjectId from = std::max(begin, base) - base;
    const ObjectId to = std::min(end, base + 8) - base;
    unsigned bytes = (1u << to) - (1u << from);
    const std::vector<Touch>& list = touches_[granules_of_.known(g)];
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
