#include "explore/handled.h"

#include <algorithm>

namespace mazur {
namespace {

constexpr std::uint32_t kTrial = 256;  // questions

bool is_access(const Label& l, OpKind kind) {
  return l.kind == kind && l.object2 <= kOwnLocation && l.size <= 8;
}

bool overlap(const Label& a, const Label& b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

std::uint64_t hash_of(std::span<const std::uint32_t> parts) {
  std::uint64_t h = parts.size();
  for (const std::uint32_t part : parts) h = (h ^ part) * 0x9e3779b97f4a7c15;
  return h ^ h >> 32;
}

}  // namespace

void HandledReversals::follow(std::size_t keep) {
  looked_at_ = false;
  last_store_ = kNoEvent;
  for (std::size_t d = keep; d < end_; ++d) keys_[d].clear();
  end_ = std::min(end_, keep);
}

bool HandledReversals::contains_or_add(const Trace& trace, EventIndex e,
                                       std::span<const EventIndex> observers) {
  if (asked_ >= kTrial && found_ < asked_ / 2) return false;
  if (last_store_ == kNoEvent) find_last_store(trace);
  if (observers[0] < last_store_) return false;
  if (!looked_at_) look_at(trace);
  if (e < simple_from_ || !describe(trace, e, observers)) return false;
  ++asked_;
  key_.hash = hash_of(key_.parts);
  if (e >= keys_.size()) keys_.resize(e + std::size_t{1});
  end_ = std::max(end_, e + std::size_t{1});
  std::vector<Key>& keys = keys_[e];
  const bool known = std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
    return key.hash == key_.hash && key.parts == key_.parts;
  });
  if (known)
    ++found_;
  else
    keys.push_back(key_);
  return known;
}

void HandledReversals::find_last_store(const Trace& trace) {
  last_store_ = static_cast<EventIndex>(trace.size()) - 1;
  while (last_store_ > 0 && trace[last_store_].label.kind != OpKind::kStore) --last_store_;
}

void HandledReversals::look_at(const Trace& trace) {
  looked_at_ = true;
  loads_.clear();
  stores_.clear();
  simple_from_ = static_cast<EventIndex>(trace.size());
  for (EventIndex i = simple_from_; i-- > 0; simple_from_ = i) {
    const Label& l = trace[i].label;
    const auto overlaps = [&](const Label* store) { return overlap(*store, l); };
    const auto is_same = [&](const Label* store) {
      return store->object == l.object && store->size == l.size;
    };
    if (l.kind == OpKind::kCreate || l.kind == OpKind::kJoin || l.kind == OpKind::kExit) continue;
    if (is_access(l, OpKind::kStore) && observation_.writes_blindly(l)) {
      if (std::none_of(stores_.begin(), stores_.end(), is_same)) stores_.push_back(&l);
    } else if (is_access(l, OpKind::kLoad)) {
      loads_.push_back(
          {i, order_.source(i), std::any_of(stores_.begin(), stores_.end(), overlaps)});
    } else {
      break;
    }
  }
  std::sort(loads_.begin(), loads_.end(), [&](const Load& a, const Load& b) {
    return trace.thread(a.event) != trace.thread(b.event)
               ? trace.thread(a.event) < trace.thread(b.event)
               : trace.place(a.event) < trace.place(b.event);
  });
}

// v: all that comes after e and does not happen after an observer, then e and the first observer.
// What happens after an observer comes last in each thread.
bool HandledReversals::describe(const Trace& trace, EventIndex e,
                                std::span<const EventIndex> observers) {
  if (!is_access(trace[observers[0]].label, OpKind::kLoad)) return false;
  const auto after_first = order_.after(observers[0]);
  const auto others = observers.subspan(1);
  const auto is_out = [&](EventIndex i) {
    return after_first(i) || trace[i].label.kind == OpKind::kExit ||
           std::any_of(others.begin(), others.end(),
                       [&](EventIndex o) { return order_.happens_before(o, i); });
  };
  const auto before = trace.counts_before(e);
  std::vector<std::uint32_t>& parts = key_.parts;
  parts.assign(trace.stride() + 1, 0);
  parts[0] = trace.thread(observers[0]);
  for (ThreadId t = 0; t < trace.stride(); ++t) {
    const auto own = trace.events_of(t);
    std::size_t count = own.size();
    while (count > before[t] && is_out(own[count - 1])) --count;
    parts[t + std::size_t{1}] = static_cast<std::uint32_t>(count - before[t]);
  }
  for (const Load& l : loads_) {
    if (l.event < e || is_out(l.event)) continue;
    if (l.source == kNoEvent || l.overwritten) return false;
    for (const EventIndex i : {l.event, l.source}) {
      parts.push_back(trace.thread(i));
      parts.push_back(trace.place(i));
    }
  }
  return true;
}

}  // namespace mazur
