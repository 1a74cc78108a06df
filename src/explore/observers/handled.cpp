#include "explore/observers/handled.h"

#include <algorithm>

#include "base/hash.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

constexpr std::uint32_t kTrial = 256;  // questions

bool is_access(const Label& l, OpKind kind) {
  return l.kind == kind && !reads_other_locations(l) && l.size <= 8;
}

bool overlap(const Label& a, const Label& b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

std::uint64_t hash_of(std::uint64_t h, std::span<const std::uint32_t> parts) {
  for (const std::uint32_t part : parts) h = spread(h ^ part);
  return h ^ h >> 32;
}

}  // namespace

void HandledReversals::follow(const Trace& trace, std::size_t keep) {
  for (std::size_t d = keep; d < end_; ++d) {
    known_[d].hashes.clear();
    known_[d].ends.clear();
    known_[d].parts.clear();
  }
  end_ = std::min(end_, keep);
  simple_from_ = static_cast<EventIndex>(trace.size());
  stopped_ = false;
  loads_.clear();
  stores_.clear();
  observers_.clear();
}

bool HandledReversals::contains_or_add(const Trace& trace, EventIndex e,
                                       std::span<const EventIndex> observers) {
  if ((asked_ >= kTrial && found_ < asked_ / 4) ||
      !is_access(trace[observers[0]].label, OpKind::kLoad))
    return false;
  look_at(trace, e);
  if (simple_from_ > e) return false;
  if (!std::equal(observers.begin(), observers.end(), observers_.begin(), observers_.end()))
    count(trace, observers);
  if (!add_reads(trace, e)) return false;
  ++asked_;
  if (e >= known_.size()) known_.resize(e + std::size_t{1});
  end_ = std::max(end_, e + std::size_t{1});
  Known& known = known_[e];
  const std::size_t counts = trace.stride() + 1;
  const std::uint64_t hash = hash_of(counts_hash_, std::span(parts_).subspan(counts));
  if (contains(known, hash)) {
    ++found_;
    return true;
  }
  known.hashes.push_back(hash);
  known.parts.insert(known.parts.end(), parts_.begin(), parts_.end());
  known.ends.push_back(static_cast<std::uint32_t>(known.parts.size()));
  return false;
}

bool HandledReversals::contains(const Known& known, std::uint64_t hash) const {
  for (std::size_t i = 0; i < known.hashes.size(); ++i) {
    if (known.hashes[i] != hash) continue;
    const auto all = known.parts.begin();
    if (std::equal(all + (i == 0 ? 0 : known.ends[i - 1]), all + known.ends[i], parts_.begin(),
                   parts_.end()))
      return true;
  }
  return false;
}

// Back to this event, or to one of another kind.
void HandledReversals::look_at(const Trace& trace, EventIndex from) {
  while (simple_from_ > from && !stopped_) {
    const EventIndex i = simple_from_ - 1;
    const Label& l = trace[i].label;
    const auto overlaps = [&](const Label* store) { return overlap(*store, l); };
    const auto is_same = [&](const Label* store) {
      return store->object == l.object && store->size == l.size;
    };
    if (is_access(l, OpKind::kStore) && observation_.writes_blindly(l)) {
      if (std::none_of(stores_.begin(), stores_.end(), is_same)) stores_.push_back(&l);
    } else if (is_access(l, OpKind::kLoad)) {
      loads_.push_back(
          {i, order_.source(i), std::any_of(stores_.begin(), stores_.end(), overlaps)});
    } else if (l.kind != OpKind::kCreate && l.kind != OpKind::kJoin && l.kind != OpKind::kExit) {
      stopped_ = true;
      return;
    }
    simple_from_ = i;
  }
}

// v: all that comes after e and does not happen after an observer, then e and the first observer.
bool HandledReversals::is_out(EventIndex i) const {
  return std::any_of(observers_.begin(), observers_.end(),
                     [&](EventIndex o) { return order_.happens_before(o, i); });
}

void HandledReversals::count(const Trace& trace, std::span<const EventIndex> observers) {
  observers_.assign(observers.begin(), observers.end());
  const auto size = static_cast<EventIndex>(trace.size());
  const auto before = trace.counts_before(size - 1);
  parts_.resize(1);
  parts_[0] = trace.thread(observers[0]);
  parts_.insert(parts_.end(), before.begin(), before.end());
  std::uint32_t* counts = parts_.data() + 1;
  ++counts[trace.thread(size - 1)];
  for (EventIndex i = observers[0]; i < size; ++i)
    if (is_out(i) || trace[i].label.kind == OpKind::kExit) --counts[trace.thread(i)];
  counts_hash_ = hash_of(0, parts_);
}

// The loads of v. Returns whether each comes after all stores of its bytes.
bool HandledReversals::add_reads(const Trace& trace, EventIndex e) {
  parts_.resize(trace.stride() + 1);
  reads_.clear();
  for (const Load& l : loads_) {
    if (l.event < e || is_out(l.event)) continue;
    if (l.source == kNoEvent || l.overwritten) return false;
    reads_.push_back({trace.thread(l.event), trace.place(l.event), trace.thread(l.source),
                      trace.place(l.source)});
  }
  std::sort(reads_.begin(), reads_.end());
  for (const auto& read : reads_) parts_.insert(parts_.end(), read.begin(), read.end());
  return true;
}

}  // namespace mazur
