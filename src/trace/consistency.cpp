#include "trace/consistency.h"

#include <algorithm>

#include "trace/dependence.h"

namespace mazur {
namespace {

// The bytes of the range among the 64 from `base` on, as a bit set.
std::uint64_t bytes_from(ObjectId base, const MemoryUse& use) {
  if (use.begin >= base + 64 || use.end <= base) return 0;
  const ObjectId from = std::max(use.begin, base) - base;
  const ObjectId to = std::min(use.end, base + 64) - base;
  return ~std::uint64_t{0} >> (64 - (to - from)) << from;
}

// What is in the mailbox after a prefix of the trace.
std::vector<const Label*> messages(const Trace& trace, EventIndex prefix, ObjectId mailbox) {
  std::vector<const Label*> left;
  for (EventIndex i = 0; i < prefix; ++i) {
    const Label& l = trace[i].label;
    if (l.object != mailbox) continue;
    if (l.kind == OpKind::kSend) left.push_back(&l);
    if (l.kind == OpKind::kReceive)
      std::erase_if(left, [&](const Label* send) { return send->value == l.read; });
  }
  return left;
}

}  // namespace

void Consistency::start(const Trace& trace, EventIndex prefix) {
  trace_ = &trace;
  prefix_ = prefix;
  x_.clear();
  left_ = 0;
  path_.clear();
}

void Consistency::restart() {
  for (Item& item : x_) item.taken = false;
  left_ = 0;
  path_.clear();
}

std::uint32_t Consistency::next_of(ThreadId thread) const {
  for (std::uint32_t i = left_; i < x_.size(); ++i)
    if (x_[i].event->thread == thread && !taken(i)) return i;
  return kAll;
}

Consistency::Match Consistency::match(const Event& p) {
  const std::uint32_t at = next_of(p.thread);
  found_ = at;
  swaps_ = false;
  if (at != kAll) {
    const Event& own = *x_[at].event;
    in_the_way_ = at;
    if (own.choice != p.choice) return Match::kConflict;
    const bool stores = own.label.kind == OpKind::kStore && observation_.writes_blindly(own.label);
    for (std::uint32_t i = left_; i < at; ++i) {
      if (taken(i)) continue;
      const Event& before = (*this)[i];
      if (before.label.kind == OpKind::kCreate && before.label.object == p.thread)
        return Match::kConflict;
      if (own.label.kind == OpKind::kJoin && own.label.object == before.thread)
        return Match::kConflict;
      if (clearly_independent(before.label, own.label)) continue;
      if (stores && before.label.kind == OpKind::kStore &&
          observation_.writes_blindly(before.label)) {
        swaps_ = true;  // they overlap
        continue;
      }
      if (!dependent(before, own)) continue;
      if (observation_.dependent(before, own)) return Match::kConflict;
      swaps_ = true;
    }
    if (!swaps_) return Match::kInitial;
    const bool sends = observation_.sends_blindly(own.label);
    if (sends ? same_messages(own, at) : same_reads(at)) return Match::kInitial;
    in_the_way_ = kAll;
    return Match::kConflict;
  }
  if (p.label.kind == OpKind::kBarrierArrive)
    return arrival_independent(p) ? Match::kIndependent : Match::kConflict;
  for (std::uint32_t i = left_; i < x_.size(); ++i) {
    if (taken(i) || clearly_independent(x_[i].event->label, p.label)) continue;
    if (!observation_.dependent(*x_[i].event, p)) continue;
    in_the_way_ = i;
    return Match::kConflict;
  }
  // No read that is left takes a byte from it.
  if (!observation_.sends_blindly(p.label) || same_messages(p, kAll)) return Match::kIndependent;
  in_the_way_ = kAll;
  return Match::kConflict;
}

void Consistency::take(const Event& p, Match match) {
  if (match == Match::kInitial) x_[found_].taken = true;
  while (left_ < x_.size() && taken(left_)) ++left_;
  path_.push_back(&p);
}

// As Reversal::arrival_independent: v must leave the arrival its place in the open phase.
bool Consistency::arrival_independent(const Event& p) {
  const Label& l = p.label;
  const auto arrives = [&](const Event& e) {
    return e.label.kind == OpKind::kBarrierArrive && e.label.object == l.object;
  };
  std::uint64_t arrived = trace_->history().arrived(l.object, l.size, prefix_);
  for (const Event* u : path_) arrived += arrives(*u) ? 1 : 0;
  const std::size_t places = l.size - arrived % l.size;
  std::size_t coming = 0;
  for (std::uint32_t i = left_; i < x_.size(); ++i) {
    if (taken(i) || !arrives(*x_[i].event)) continue;
    if (++coming < places) continue;
    in_the_way_ = kAll;
    return false;
  }
  return true;
}

// p, at this place of x, changes places with blind stores that are left before it. Whether every
// read in x takes each of its bytes from the same store in u.p.(x without u.p) as in x.
//
// It did in u.(x without u). Reads that are left before p read none of its bytes, or they would
// depend on it; so it is about those after it that took a byte from p which another one writes now.
bool Consistency::same_reads(std::uint32_t at) const {
  return all_uses(x_[at].event->label, [&](const MemoryUse& own) {
    for (ObjectId base = own.begin; own.writes && base < own.end; base += 64)
      if (!same_reads(at, base, bytes_from(base, own))) return false;
    return true;
  });
}

// The same for these bytes of p, from `base` on.
bool Consistency::same_reads(std::uint32_t at, ObjectId base, std::uint64_t bytes) const {
  std::uint64_t overwritten = 0;
  const auto add_writes = [&](const MemoryUse& use) {
    if (use.writes) overwritten |= bytes_from(base, use) & bytes;
    return true;
  };
  for (std::uint32_t i = left_; i < at; ++i)
    if (!taken(i)) all_uses(x_[i].event->label, add_writes);
  for (std::uint32_t i = at + 1; overwritten != 0 && i < x_.size(); ++i) {
    if (taken(i)) continue;
    const Label& l = x_[i].event->label;
    if (is_unknown_block(l)) return false;
    std::uint64_t written = 0;
    const bool same = all_uses(l, [&](const MemoryUse& use) {
      const std::uint64_t here = bytes_from(base, use) & overwritten;
      if (use.writes) written |= here;
      return here == 0 || !use.reads;
    });
    if (!same) return false;
    overwritten &= ~written;
  }
  return true;
}

// p, a blind send at this place of x or not in x, overtakes what is left before it. Whether every
// receive that is left takes the same message in u.p.(x without u.p) as in u.(x without u).
bool Consistency::same_messages(const Event& p, std::uint32_t at) const {
  const ObjectId mailbox = p.label.object;
  return messages_taken(mailbox, nullptr, kAll) == messages_taken(mailbox, &p, at);
}

std::vector<std::uint64_t> Consistency::messages_taken(ObjectId mailbox, const Event* p,
                                                       std::uint32_t at) const {
  std::vector<const Label*> there = messages(*trace_, prefix_, mailbox);
  const auto run = [&](const Label& l) -> std::uint64_t {
    if (l.kind == OpKind::kSend) there.push_back(&l);
    if (l.kind != OpKind::kReceive) return 0;
    const auto oldest = std::find_if(there.begin(), there.end(), [&](const Label* send) {
      return (l.value >> send->object2 & 1) != 0;
    });
    if (oldest == there.end()) return 0;
    const std::uint64_t message = (*oldest)->value;
    there.erase(oldest);
    return message;
  };
  for (const Event* u : path_)
    if (u->label.object == mailbox) run(u->label);
  if (p != nullptr) run(p->label);
  std::vector<std::uint64_t> taken_by;
  for (std::uint32_t i = left_; i < x_.size(); ++i) {
    const Label& l = x_[i].event->label;
    if (taken(i) || i == at || l.object != mailbox) continue;
    const std::uint64_t message = run(l);
    if (l.kind == OpKind::kReceive) taken_by.push_back(message);
  }
  return taken_by;
}

}  // namespace mazur
