#include "trace/history/history.h"

namespace mazur {
namespace {

// What a touch remembers besides its event:
//   a signal: the threads it woke;
//   an arrival, the beginning or the end of a barrier: the phase;
//   an exclusive access to a rwlock: whether it locked;
//   a write of a once flag: whether the initialiser began to run;
//   the taking of a unit of a semaphore: the last touch, itself included, that took the last unit,
//   or kNone. An initialisation with 0 that lets nobody through any more counts as such a touch.
std::uint64_t extra_of(const Label& label, const Access& access, History::TouchIndex self,
                       std::uint64_t last_unit) {
  switch (access.space) {
    case Space::kQueue:
      if (is_life(label.kind)) return next_phase(label);
      return access.mode == mode::kSignal ? woken_threads(label) : 0;
    case Space::kBarrier:
      return arrival_phase(label);
    case Space::kRwLock:
      return is_write_lock(label) ? 1 : 0;
    case Space::kMemory:
      return label.kind == OpKind::kOnceEnter ? 1 : 0;
    case Space::kSemaphore:
      return count_after(label) == 0 && (count_before(label) != 0 || !is_life(label.kind))
                 ? self
                 : last_unit;
    case Space::kMutex:
    case Space::kMailbox:
    case Space::kMessage:
      return 0;
  }
  return 0;
}

bool is_kept(const Access& access) {
  if (access.space == Space::kBarrier) return access.mode == mode::kArrive;
  return access.space != Space::kQueue || access.mode != mode::kWake;
}

}  // namespace

void History::record(EventIndex event, const Label& label) {
  for (const Access& a : accesses(label)) {
    if (!is_kept(a)) continue;
    const SlotIndex s = find_or_add(a);
    Slot& slot = slots_[s];
    const auto self = static_cast<TouchIndex>(touches_.size());
    const std::uint64_t last_unit = slot.head[0] == kNone ? kNone : touches_[slot.head[0]].extra;
    Touch& t = touches_.emplace_back();
    t.slot = s;
    t.event = event;
    t.previous = slot.head[a.mode];
    t.extra = extra_of(label, a, self, last_unit);
    t.mode = a.mode;
    slot.head[a.mode] = self;
    if (a.mode != 0) continue;
    for (Mode m = 1; m < kModes; ++m) {
      t.saved[m - 1] = slot.head[m];
      slot.head[m] = kNone;
    }
  }
}

void History::undo(std::size_t touches) {
  while (touches_.size() > touches) {
    const Touch& t = touches_.back();
    Slot& slot = slots_[t.slot];
    slot.head[t.mode] = t.previous;
    if (t.mode == 0)
      for (Mode m = 1; m < kModes; ++m) slot.head[m] = t.saved[m - 1];
    touches_.pop_back();
  }
}

EventIndex History::last_disabler(const Operation& op) const {
  Access access;
  switch (op.kind) {
    case OpKind::kLock:
      access = {Space::kMutex, mode::kAcquire, 1, op.object};
      break;
    case OpKind::kCondWake:
      access = {Space::kMutex, mode::kAcquire, 1, mutex_of(op)};
      break;
    case OpKind::kSemWait:
      access = {Space::kSemaphore, mode::kTake, 1, op.object};
      break;
    case OpKind::kRdLock:
      access = {Space::kRwLock, mode::kShared, 1, op.object};
      break;
    case OpKind::kOnceEnter:
      access = {Space::kMemory, mode::kWrite, op.size, op.object};
      break;
    default:
      return kNoEvent;
  }
  const SlotIndex s = find(access);
  if (s == kNone) return kNoEvent;
  TouchIndex t = slots_[s].head[0];
  if (access.space == Space::kSemaphore) {
    if (t != kNone) t = static_cast<TouchIndex>(touches_[t].extra);
  } else if (access.space != Space::kMutex) {
    while (t != kNone && touches_[t].extra == 0) t = touches_[t].previous;
  }
  return t == kNone ? kNoEvent : touches_[t].event;
}

EventIndex History::last_waking(ObjectId queue, ThreadId thread, EventIndex end) const {
  const SlotIndex s = find({Space::kQueue, mode::kSignal, 1, queue});
  if (s == kNone) return kNoEvent;
  for (TouchIndex t = slots_[s].head[mode::kSignal]; t != kNone; t = touches_[t].previous)
    if (touches_[t].event < end && (touches_[t].extra & woken_bit(thread)) != 0)
      return touches_[t].event;
  return kNoEvent;
}

std::uint64_t History::arrived(ObjectId barrier, std::uint32_t capacity, EventIndex end) const {
  const SlotIndex s = find({Space::kBarrier, mode::kArrive, 1, barrier});
  if (s == kNone) return 0;
  EventIndex last = kNoEvent;
  std::uint64_t phase = 0;
  std::uint64_t count = 0;
  for (TouchIndex t = slots_[s].head[mode::kArrive]; t != kNone; t = touches_[t].previous) {
    if (touches_[t].event >= end) continue;
    if (count == 0) {
      last = touches_[t].event;
      phase = touches_[t].extra;
    }
    if (touches_[t].extra != phase) break;
    ++count;
  }
  // A barrier that nobody waits at may have got another capacity since. (An attempt to destroy one
  // that is in use changes nothing.)
  if (const SlotIndex life = find({Space::kQueue, mode::kSignal, 1, barrier}); life != kNone)
    for (TouchIndex t = slots_[life].head[mode::kSignal]; t != kNone; t = touches_[t].previous) {
      if (count == 0 || touches_[t].event < last) break;
      if (touches_[t].event < end && touches_[t].extra != phase) return 0;
    }
  return count == capacity ? 0 : count;
}

History::SlotIndex History::add(const Access& a) {
  const auto added = static_cast<SlotIndex>(slots_.size());
  slots_.push_back({a.space, a.size, a.object, {kNone, kNone, kNone, kNone}, kNone});
  numbers_.add(added, [this](SlotIndex s) {
    return object_hash(slots_[s].space, slots_[s].object, slots_[s].size);
  });
  if (has_ranges(a.space)) link_overlapping(a, added);
  return added;
}

void History::link_overlapping(const Access& access, SlotIndex added) {
  const auto link = [this](SlotIndex from, SlotIndex to) {
    if (slots_[from].overlapping == kNone) {
      slots_[from].overlapping = static_cast<std::uint32_t>(overlapping_.size());
      overlapping_.emplace_back();
    }
    overlapping_[slots_[from].overlapping].push_back(to);
  };
  for (SlotIndex s : ranges_.add(access, added)) {
    link(s, added);
    link(added, s);
  }
}

}  // namespace mazur
