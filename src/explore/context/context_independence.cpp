#include "explore/context/context_independence.h"

#include <algorithm>

#include "base/hash.h"
#include "explore/context/commute.h"
#include "explore/context/single_access.h"
#include "explore/observers/memory_use.h"
#include "trace/atomic_block/block.h"

namespace mazur {
namespace {

// Two operations in the order they were run.
struct Two {
  Event first, second;
};

// Nothing but memory that their labels describe to the last byte.
bool only_memory(const Label& l) {
  if (l.kind == OpKind::kAtomicBlock) {
    const auto list = block_table.accesses(l);
    return std::all_of(list.begin(), list.end(),
                       [](const Access& a) { return a.space == Space::kMemory; });
  }
  return is_single_access(l);
}

struct Byte {
  bool written = false;
  std::uint8_t before = 0, after = 0;
};
Byte around(const Two& run, ObjectId address) {
  const auto written = [&](const Label& l) {
    return writes_byte(l, address) ? byte_write(l, address) : ByteWrite{};
  };
  const ByteWrite first = written(run.first.label);
  const ByteWrite second = written(run.second.label);
  if (!first.written && !second.written) return {};
  return {true, first.written ? first.before : second.before,
          second.written ? second.after : first.after};
}

// Whether all that the first run has written is the same after the second one.
bool same_memory(const Two& run, const Two& other) {
  const auto same = [&](const MemoryUse& use) {
    for (ObjectId a = use.begin; use.writes && a < use.end; ++a) {
      const Byte here = around(run, a);
      const Byte there = around(other, a);
      if (here.after != (there.written ? there.after : here.before)) return false;
    }
    return true;
  };
  return all_uses(run.first.label, same) && all_uses(run.second.label, same);
}

// Whether an operation touches the same in both orders. A block that does not can have a race in
// one order only, which must not be left out with that order.
bool same_accesses(const Label& a, const Label& b) {
  const Accesses x = accesses(a);
  const Accesses y = accesses(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Access& p, const Access& q) {
    return p.space == q.space && p.mode == q.mode && p.object == q.object && p.size == q.size;
  });
}

}  // namespace

std::size_t ContextIndependence::Hash::operator()(const std::vector<Step>& steps) const {
  std::uint64_t h = steps.size();
  for (const Step& s : steps) h = mixed(h, std::uint64_t{s.thread} << 16 | s.choice);
  return h;
}

std::optional<ContextIndependence::Swapped> ContextIndependence::swapped(
    const Trace& trace, std::span<const EventIndex> u, EventIndex e, EventIndex f) {
  const auto is_block = [&](EventIndex i) { return trace[i].label.kind == OpKind::kAtomicBlock; };
  if (is_block(e) || is_block(f)) return equal(trace, u, e, f);
  if (!same_either_way(trace[e], trace[f])) return std::nullopt;
  return Swapped{trace[f], trace[e]};
}

std::optional<ContextIndependence::Swapped> ContextIndependence::equal(
    const Trace& trace, std::span<const EventIndex> u, EventIndex e, EventIndex f) {
  if (probe_ == nullptr) return std::nullopt;
  steps_.clear();
  for (EventIndex i = 0; i < e; ++i) steps_.push_back(trace[i].step());
  for (EventIndex i : u) steps_.push_back(trace[i].step());
  const std::size_t prefix = steps_.size();
  steps_.push_back(trace[e].step());
  steps_.push_back(trace[f].step());
  const auto [known, added] = known_.try_emplace(steps_);
  if (added) known->second = compare(prefix);
  return known->second;
}

std::optional<ContextIndependence::Swapped> ContextIndependence::compare(std::size_t prefix) {
  const auto run = [&](Two& two) -> std::optional<std::uint64_t> {
    const Trace& ran = probe_->run(steps_);
    if (ran.size() != steps_.size()) return std::nullopt;
    two = {ran[static_cast<EventIndex>(prefix)], ran[static_cast<EventIndex>(prefix + 1)]};
    return probe_->state_of({two.first.thread, two.second.thread});
  };
  Two orders[2];
  const auto original = run(orders[0]);
  if (!original) return std::nullopt;
  std::swap(steps_[prefix], steps_[prefix + 1]);
  const auto swapped = run(orders[1]);
  if (swapped != original) return std::nullopt;
  for (const Two& two : orders)
    if (!only_memory(two.first.label) || !only_memory(two.second.label)) return std::nullopt;
  if (!same_accesses(orders[0].first.label, orders[1].second.label) ||
      !same_accesses(orders[0].second.label, orders[1].first.label))
    return std::nullopt;
  if (!same_memory(orders[0], orders[1]) || !same_memory(orders[1], orders[0])) return std::nullopt;
  return Swapped{orders[1].first, orders[1].second};
}

}  // namespace mazur
