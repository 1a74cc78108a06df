#include "trace/consistency.h"

#include <algorithm>

#include "trace/dependence.h"

namespace mazur {
namespace {

// The last event before place `at` that wrote the byte, or nullptr.
const Event* last_write(const std::vector<const Event*>& w, std::size_t at, ObjectId byte) {
  while (at-- > 0)
    if (writes_byte(w[at]->label, byte)) return w[at];
  return nullptr;
}

}  // namespace

void Consistency::start(const Trace& trace, EventIndex prefix) {
  trace_ = &trace;
  prefix_ = prefix;
  x_.clear();
  taken_.clear();
  path_.clear();
  reordered_ = false;
}

std::uint32_t Consistency::next_of(ThreadId thread) const {
  for (std::uint32_t i = 0; i < x_.size(); ++i)
    if (x_[i]->thread == thread && !taken_[i]) return i;
  return kAll;
}

Consistency::Match Consistency::match(const Event& p) {
  const std::uint32_t at = next_of(p.thread);
  found_ = at;
  if (at != kAll) {
    const Event& own = *x_[at];
    in_the_way_ = at;
    if (own.choice != p.choice) return Match::kConflict;
    for (std::uint32_t i = 0; i < at; ++i) {
      if (taken_[i]) continue;
      const Event& before = *x_[i];
      if (before.label.kind == OpKind::kCreate && before.label.object == p.thread)
        return Match::kConflict;
      if (own.label.kind == OpKind::kJoin && own.label.object == before.thread)
        return Match::kConflict;
      if (observation_.dependent(before, own)) return Match::kConflict;
    }
  } else if (p.label.kind == OpKind::kBarrierArrive) {
    return arrival_independent(p) ? Match::kIndependent : Match::kConflict;
  } else {
    for (std::uint32_t i = 0; i < x_.size(); ++i) {
      in_the_way_ = i;
      if (!taken_[i] && observation_.dependent(*x_[i], p)) return Match::kConflict;
    }
  }
  if (reordered_ || reorders(p, at)) {
    in_the_way_ = kAll;
    if (!same_reads(p, at)) return Match::kConflict;
  }
  return at != kAll ? Match::kInitial : Match::kIndependent;
}

void Consistency::take(const Event& p, Match match) {
  const std::uint32_t at = match == Match::kInitial ? next_of(p.thread) : kAll;
  reordered_ = reordered_ || reorders(p, at);
  if (at != kAll) taken_[at] = true;
  path_.push_back({&p, at});
}

// As Reversal::arrival_independent: v must leave the arrival its place in the open phase.
bool Consistency::arrival_independent(const Event& p) {
  const Label& l = p.label;
  const auto arrives = [&](const Event& e) {
    return e.label.kind == OpKind::kBarrierArrive && e.label.object == l.object;
  };
  std::uint64_t arrived = trace_->history().arrived(l.object, l.size, prefix_);
  for (const Item& u : path_) arrived += arrives(*u.event) ? 1 : 0;
  const std::size_t places = l.size - arrived % l.size;
  std::size_t coming = 0;
  for (std::uint32_t i = 0; i < x_.size(); ++i) {
    if (taken_[i] || !arrives(*x_[i])) continue;
    if (++coming < places) continue;
    in_the_way_ = kAll;
    return false;
  }
  return true;
}

// Whether p, at this place of x or not in x, is a blind store that changes places with another one.
bool Consistency::reorders(const Event& p, std::uint32_t at) const {
  if (!observation_.writes_blindly(p.label)) return false;
  const auto swapped = [&](const Event& other) {
    return other.thread != p.thread && observation_.compete(other.label, p.label);
  };
  const std::size_t end = at == kAll ? x_.size() : at;
  for (std::size_t i = 0; i < end; ++i)
    if (!taken_[i] && swapped(*x_[i])) return true;
  if (at == kAll) return false;
  return std::any_of(path_.begin(), path_.end(),
                     [&](const Item& u) { return u.x == kAll && swapped(*u.event); });
}

// Whether every read in x takes each of its bytes from the same store in u.p.(x without u.p) as in
// x.
bool Consistency::same_reads(const Event& p, std::uint32_t at) {
  by_path_.clear();
  for (const Item& u : path_) by_path_.push_back(u.x == kAll ? u.event : x_[u.x]);
  by_path_.push_back(at == kAll ? &p : x_[at]);
  for (std::uint32_t i = 0; i < x_.size(); ++i)
    if (!taken_[i] && i != at) by_path_.push_back(x_[i]);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Event* read = x_[i];
    if (is_unknown_block(read->label)) return false;
    if (!reads_memory(read->label)) continue;
    const auto j = static_cast<std::size_t>(std::find(by_path_.begin(), by_path_.end(), read) -
                                            by_path_.begin());
    const bool same = all_uses(read->label, [&](const MemoryUse& use) {
      for (ObjectId b = use.begin; use.reads && b < use.end; ++b)
        if (last_write(x_, i, b) != last_write(by_path_, j, b)) return false;
      return true;
    });
    if (!same) return false;
  }
  return true;
}

}  // namespace mazur
