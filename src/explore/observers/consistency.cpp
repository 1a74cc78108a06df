#include "explore/observers/consistency.h"

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
      std::erase_if(left,
                    [&](const Label* send) { return sent_message(*send) == taken_message(l); });
  }
  return left;
}

// Creation and join: whether the first comes before the second whatever they touch.
bool orders(const Event& before, const Event& after) {
  return (before.label.kind == OpKind::kCreate && before.label.object == after.thread) ||
         (after.label.kind == OpKind::kJoin && after.label.object == before.thread);
}

}  // namespace

void Consistency::start(const Trace& trace, EventIndex prefix) {
  trace_ = &trace;
  prefix_ = prefix;
  size_ = 0;
  left_ = 0;
  path_.clear();
}

void Consistency::restart() {
  for (std::uint32_t i = 0; i < size_; ++i) {
    x_[i].taken = false;
    x_[i].previous = i - 1;
    x_[i].next = i + 1;
  }
  left_ = 0;
  path_.clear();
}

std::uint32_t Consistency::next_of(ThreadId thread) const {
  for (std::uint32_t i = left_; i < size_; i = x_[i].next)
    if (x_[i].thread == thread) return i;
  return kAll;
}

Consistency::Match Consistency::match(const Event& p, std::uint64_t hidden) {
  const std::uint32_t at = next_of(p.thread);
  found_ = rests_on_ = at;
  overtaken_ = seen_by_ = kAll;
  if (at != kAll) {
    const Item& mine = x_[at];
    const Event& own = *mine.event;
    in_the_way_ = at;
    if (own.choice != p.choice) return Match::kConflict;
    if (mine.kind == Kind::kOther && is_unknown_block(own.label) && !is_unknown_block(p.label))
      return comes_before_all(p, at) ? Match::kInitial : Match::kConflict;
    const std::uint64_t bytes = is_tracked(own.label) ? all_bytes(own.label) : 0;
    bool swaps = hidden != 0;  // it overtakes a blind store
    for (std::uint32_t i = left_; i != at; i = x_[i].next) {
      const Item& item = x_[i];
      if (item.kind == Kind::kBlindWrite && mine.kind == Kind::kBlindWrite) {
        if (!item.overlaps(mine)) continue;
        swaps = true;
        const bool all = item.object == mine.object && item.size == mine.size;
        if (bytes != 0) hidden |= all ? bytes : uses(i, mine.object, bytes).written;
        continue;
      }
      if (mine.kind == Kind::kThread || item.kind == Kind::kThread) {
        if (orders(*item.event, own)) return Match::kConflict;
        continue;
      }
      if (clearly_independent(item, mine)) continue;
      const Event& before = *item.event;
      if (item.is_access() && mine.is_access()) return Match::kConflict;
      if (!dependent(before, own)) continue;
      if (observation_.dependent(before, own)) return Match::kConflict;
      swaps = true;
      if (bytes != 0) hidden |= uses(i, mine.object, bytes).written;
    }
    if (!swaps) return Match::kInitial;
    if (bytes != 0)
      return not_read(mine.next, mine.object, hidden) ? Match::kInitial : Match::kConflict;
    if (!observation_.sends_blindly(own.label))
      return same_reads(at) ? Match::kInitial : Match::kConflict;
    rests_on_ = in_the_way_ = kAll;
    return same_messages(own, at) ? Match::kInitial : Match::kConflict;
  }
  if (arrives(p.label)) return arrival_independent(p) ? Match::kIndependent : Match::kConflict;
  const Item other = item_of(p);
  for (std::uint32_t i = left_; i < size_; i = x_[i].next) {
    if (x_[i].kind == Kind::kBlindWrite && other.kind == Kind::kBlindWrite) continue;
    if (clearly_independent(x_[i], other)) continue;
    if (!(x_[i].is_access() && other.is_access()) && !observation_.dependent(*x_[i].event, p))
      continue;
    in_the_way_ = i;
    return Match::kConflict;
  }
  // No read that is left takes a byte from it.
  if (!observation_.sends_blindly(p.label) || same_messages(p, kAll)) return Match::kIndependent;
  in_the_way_ = kAll;
  return Match::kConflict;
}

// What the block at this place touches is not known, but p, which is the same step, tells what it
// touches after u: if it depends on nothing that is left before it, it touches the same there.
bool Consistency::comes_before_all(const Event& p, std::uint32_t at) const {
  for (std::uint32_t i = left_; i != at; i = x_[i].next)
    if (orders(*x_[i].event, p) || dependent(*x_[i].event, p)) return false;
  return true;
}

Consistency::Match Consistency::match_ran(const Event& p, std::uint64_t hidden) {
  overtaken_ = seen_by_ = kAll;
  found_ = rests_on_ = 0;
  if (not_read(left_, p.label.object, hidden)) return Match::kInitial;
  if (in_the_way_ != kAll) in_the_way_ = seen_by_;
  overtaken_ = kAll;
  return Match::kConflict;
}

std::uint64_t Consistency::written_bytes(const Label& p, const Label& by) {
  if (by.kind == OpKind::kStore && by.object == p.object && by.size == p.size) return all_bytes(p);
  std::uint64_t found = 0;
  all_uses(by, [&](const MemoryUse& use) {
    if (use.writes) found |= bytes_from(p.object, use);
    return true;
  });
  return found & all_bytes(p);
}

std::uint64_t Consistency::read_bytes(const Label& p, const Label& by) {
  std::uint64_t found = 0;
  all_uses(by, [&](const MemoryUse& use) {
    if (use.reads) found |= bytes_from(p.object, use);
    return true;
  });
  return found & all_bytes(p);
}

void Consistency::take(const Event& p, Match match) {
  if (match == Match::kInitial) {
    Item& item = x_[found_];
    item.taken = true;
    (item.previous == kAll ? left_ : x_[item.previous].next) = item.next;
    if (item.next < size_) x_[item.next].previous = item.previous;
  }
  path_.push_back(&p);
}

// As Reversal::arrival_independent: v must leave the arrival its place in the open phase.
bool Consistency::arrival_independent(const Event& p) {
  const Label& l = p.label;
  const auto arrives_too = [&](const Event& e) {
    return arrives(e.label) && e.label.object == l.object;
  };
  std::uint64_t arrived = trace_->history().arrived(l.object, l.size, prefix_);
  for (const Event* u : path_) arrived += arrives_too(*u) ? 1 : 0;
  const std::size_t places = l.size - arrived % l.size;
  std::size_t coming = 0;
  for (std::uint32_t i = left_; i < size_; i = x_[i].next) {
    if (is_life(x_[i].event->label.kind) && dependent(*x_[i].event, p)) {
      in_the_way_ = i;
      return false;
    }
    if (!arrives_too(*x_[i].event)) continue;
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
bool Consistency::same_reads(std::uint32_t at) {
  return all_uses(x_[at].event->label, [&](const MemoryUse& own) {
    for (ObjectId base = own.begin; own.writes && base < own.end; base += 64)
      if (!same_reads(at, base, bytes_from(base, own))) return false;
    return true;
  });
}

// What is left at this place writes, and reads, of these bytes from `base` on.
Consistency::Bytes Consistency::uses(std::uint32_t i, ObjectId base, std::uint64_t of) const {
  const Item& item = x_[i];
  if (item.is_access()) {
    const std::uint64_t here = bytes_from(base, {item.object, item.object + item.size}) & of;
    const bool stores = item.kind == Kind::kStores || item.kind == Kind::kBlindWrite;
    return {item.kind != Kind::kReads ? here : 0, stores ? 0 : here};
  }
  Bytes found;
  if (item.kind != Kind::kOther) return found;
  all_uses(item.event->label, [&](const MemoryUse& use) {
    const std::uint64_t here = bytes_from(base, use) & of;
    if (use.writes) found.written |= here;
    if (use.reads) found.read |= here;
    return true;
  });
  return found;
}

// The same for these bytes of p, from `base` on.
bool Consistency::same_reads(std::uint32_t at, ObjectId base, std::uint64_t bytes) {
  std::uint64_t overwritten = 0;
  for (std::uint32_t i = left_; i != at; i = x_[i].next)
    overwritten |= uses(i, base, bytes).written;
  return not_read(x_[at].next, base, overwritten);
}

// Whether these bytes from `base` on are not read from this place on, as long as nothing that is
// left has written them.
bool Consistency::not_read(std::uint32_t from, ObjectId base, std::uint64_t bytes) {
  for (std::uint32_t i = from; bytes != 0 && i < size_; i = x_[i].next) {
    if (x_[i].kind == Kind::kOther && is_unknown_block(x_[i].event->label)) {
      in_the_way_ = kAll;
      return false;
    }
    const Bytes here = uses(i, base, bytes);
    if (here.read != 0) {
      seen_by_ = i;
      overtaken_ = left_;
      while (overtaken_ != from && uses(overtaken_, base, here.read).written == 0)
        overtaken_ = x_[overtaken_].next;
      if (overtaken_ == from) overtaken_ = kAll;  // it was before x
      return false;
    }
    bytes &= ~here.written;
    if (bytes == 0 && rests_on_ != kAll) rests_on_ = std::max(rests_on_, i);
  }
  if (bytes != 0) rests_on_ = kAll;
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
    const auto oldest = std::find_if(there.begin(), there.end(),
                                     [&](const Label* send) { return accepts(l, *send); });
    if (oldest == there.end()) return 0;
    const std::uint64_t message = sent_message(**oldest);
    there.erase(oldest);
    return message;
  };
  for (const Event* u : path_)
    if (u->label.object == mailbox) run(u->label);
  if (p != nullptr) run(p->label);
  std::vector<std::uint64_t> taken_by;
  for (std::uint32_t i = left_; i < size_; i = x_[i].next) {
    const Label& l = x_[i].event->label;
    if (i == at || l.object != mailbox) continue;
    const std::uint64_t message = run(l);
    if (l.kind == OpKind::kReceive) taken_by.push_back(message);
  }
  return taken_by;
}

}  // namespace mazur
