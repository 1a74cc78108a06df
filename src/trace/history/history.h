// Which events accessed an object, newest first: what append() compares a new event with.
//
// Objects are kept by exact byte range, with links between ranges that overlap, so accesses of
// mixed sizes are compared byte by byte without cutting anything into bytes. Ranges are remembered
// across executions; only their lists of accesses are undone.
//
// Cost: recording and undoing is O(1) per access, plus a hash lookup. Finding the predecessors of
// an access that conflicts with everything looks once at each access since the last such one. For
// other accesses it goes straight to that last one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/number_table.h"
#include "trace/access.h"
#include "trace/history/ranges.h"

namespace mazur {

using EventIndex = std::uint32_t;
inline constexpr EventIndex kNoEvent = 0xffffffff;

class History {
 public:
  using TouchIndex = std::uint32_t;
  using SlotIndex = std::uint32_t;
  static constexpr std::uint32_t kNone = NumberTable::kNone;

  struct Touch {
    SlotIndex slot;
    EventIndex event;
    TouchIndex previous;           // of the same mode, or of any mode for mode 0
    std::uint64_t extra;           // see extra_of() in history.cpp
    TouchIndex saved[kModes - 1];  // mode 0: the lists of the other modes before this touch
    Mode mode;
  };

  // The newest touch of each mode. Those of modes other than 0 end at the newest touch of mode 0
  // (except at barriers, where departures are not kept).
  struct Slot {
    Space space;
    std::uint32_t size;
    ObjectId object;
    TouchIndex head[kModes];
    std::uint32_t overlapping;  // index into overlapping_, or kNone: nothing but itself
  };

  // Notes an event's accesses.
  void record(EventIndex event, const Label& label);
  // Forgets all touches but the first so many.
  void undo(std::size_t touches);
  std::size_t size() const { return touches_.size(); }

  // Calls found(event) for earlier events that the next event would depend on if it had this label.
  // It leaves out only events that happen before one that it calls found() for. Not const: it makes
  // room for new objects.
  template <typename Found>
  void predecessors(ThreadId thread, const Label& label, Found&& found);

  // Calls visit(event) for the recorded events after position `after` (kNoEvent: all of them) that
  // conflict with the label, as far as modes tell; newest first per object. Ends when visit returns
  // false. Returns whether it never did.
  template <typename Visit>
  bool conflicts_after(const Label& label, EventIndex after, Visit&& visit) const;

  // The same for all events before the one that made this touch, which must be of mode 0. What came
  // after it costs nothing.
  template <typename Visit>
  bool conflicts_before(TouchIndex total, Visit&& visit) const;

  // The last event that could have disabled the operation, for the kinds where that is enough to
  // know (blocking.h): the acquisition of a mutex, the taking of a semaphore's last unit, a
  // writer's lock for a reader, the beginning of a once. kNoEvent if there is none.
  EventIndex last_disabler(const Operation& op) const;
  // The last signal before position `end` that woke the thread on this queue, or kNoEvent.
  EventIndex last_waking(ObjectId queue, ThreadId thread, EventIndex end) const;
  // How many have arrived at the barrier's current phase before position `end`.
  std::uint64_t arrived(ObjectId barrier, std::uint32_t capacity, EventIndex end) const;

 private:
  SlotIndex find(const Access& a) const {
    return numbers_.find(object_hash(a.space, a.object, a.size), [&](SlotIndex s) {
      const Slot& slot = slots_[s];
      return slot.object == a.object && slot.size == a.size && slot.space == a.space;
    });
  }
  SlotIndex find_or_add(const Access& access) {
    const SlotIndex s = find(access);
    return s != kNone ? s : add(access);
  }
  SlotIndex add(const Access& access);
  void link_overlapping(const Access& access, SlotIndex added);

  template <typename Found>
  void predecessors_in(const Slot& slot, ThreadId thread, const Label& label, Mode mode,
                       Found&& found) const;
  template <typename Visit>
  bool walk_after(const Slot& slot, Mode mode, EventIndex after, Visit&& visit) const {
    const TouchIndex head[kModes] = {slot.head[0], slot.head[1], slot.head[2], slot.head[3]};
    return walk(slot.space, head, mode, after, visit);
  }
  template <typename Visit>
  bool walk(Space space, const TouchIndex (&from)[kModes], Mode mode, EventIndex after,
            Visit&& visit) const;

  std::vector<Touch> touches_;
  std::vector<Slot> slots_;
  NumberTable numbers_{256};  // of slots_
  std::vector<std::vector<SlotIndex>> overlapping_;
  Ranges ranges_;  // of slots
};

template <typename Found>
void History::predecessors_in(const Slot& slot, ThreadId thread, const Label& label, Mode mode,
                              Found&& found) const {
  if (slot.space == Space::kBarrier) {
    // An arrival depends on those of the phase before its own, which depend on all earlier ones. A
    // departure depends on those of its own phase.
    const bool arrival = mode == mode::kArrive;
    if (arrival && arrival_phase(label) == 0) return;
    const std::uint64_t phase = arrival ? arrival_phase(label) - 1 : departure_phase(label);
    for (TouchIndex t = slot.head[mode::kArrive]; t != kNone; t = touches_[t].previous) {
      if (touches_[t].extra < phase) break;
      if (touches_[t].extra == phase) found(touches_[t].event);
    }
    return;
  }
  if (slot.space == Space::kQueue && mode == mode::kWake) {
    for (TouchIndex t = slot.head[mode::kSignal]; t != kNone; t = touches_[t].previous) {
      if ((touches_[t].extra & woken_bit(thread)) == 0) continue;
      found(touches_[t].event);
      break;
    }
    return;
  }
  for (Mode m = 1; m < kModes; ++m) {
    if (slot.head[m] == kNone || !conflicting(slot.space, mode, m)) continue;
    for (TouchIndex t = slot.head[m]; t != kNone; t = touches_[t].previous)
      found(touches_[t].event);
  }
  if (slot.head[0] != kNone) found(touches_[slot.head[0]].event);
}

template <typename Found>
void History::predecessors(ThreadId thread, const Label& label, Found&& found) {
  for (const Access& a : accesses(label)) {
    const Slot& own = slots_[find_or_add(a)];
    predecessors_in(own, thread, label, a.mode, found);
    if (own.overlapping == kNone) continue;
    for (SlotIndex s : overlapping_[own.overlapping])
      predecessors_in(slots_[s], thread, label, a.mode, found);
  }
}

template <typename Visit>
bool History::walk(Space space, const TouchIndex (&from)[kModes], Mode mode, EventIndex after,
                   Visit&& visit) const {
  TouchIndex head[kModes] = {from[0], from[1], from[2], from[3]};
  for (;;) {
    for (Mode m = 1; m < kModes; ++m) {
      if (!conflicting(space, mode, m)) continue;
      for (TouchIndex t = head[m]; t != kNone; t = touches_[t].previous) {
        if (touches_[t].event <= after && after != kNoEvent) break;
        if (!visit(touches_[t].event)) return false;
      }
    }
    if (head[0] == kNone) return true;
    const Touch& total = touches_[head[0]];
    if (total.event <= after && after != kNoEvent) return true;
    if (conflicting(space, mode, 0) && !visit(total.event)) return false;
    head[0] = total.previous;
    for (Mode m = 1; m < kModes; ++m) head[m] = total.saved[m - 1];
  }
}

template <typename Visit>
bool History::conflicts_before(TouchIndex total, Visit&& visit) const {
  const Touch& t = touches_[total];
  const TouchIndex head[kModes] = {t.previous, t.saved[0], t.saved[1], t.saved[2]};
  return walk(slots_[t.slot].space, head, 0, kNoEvent, visit);
}

template <typename Visit>
bool History::conflicts_after(const Label& label, EventIndex after, Visit&& visit) const {
  for (const Access& a : accesses(label)) {
    const SlotIndex s = find(a);
    if (s == kNone) {
      // A range that no event has: compare it with every range it overlaps.
      if (!has_ranges(a.space)) continue;
      for (const Slot& slot : slots_)
        if (slot.space == a.space && overlapping(a, {slot.space, 0, slot.size, slot.object}) &&
            !walk_after(slot, a.mode, after, visit))
          return false;
      continue;
    }
    if (!walk_after(slots_[s], a.mode, after, visit)) return false;
    if (slots_[s].overlapping == kNone) continue;
    for (SlotIndex o : overlapping_[slots_[s].overlapping])
      if (!walk_after(slots_[o], a.mode, after, visit)) return false;
  }
  return true;
}

}  // namespace mazur
