// What an operation touches: one access per object, each with a mode. Two modes of one kind of
// object conflict or commute. Dependence is a conflict between accesses.
//
// All that Trace and the explorers know about kinds of operations goes through this table. So a new
// primitive is described here and in blocking.h (docs/adding-a-primitive.md).
#pragma once

#include <array>
#include <cstdint>

#include "base/hash.h"
#include "trace/fields.h"
#include "trace/label.h"

namespace mazur {

// A namespace of objects: a mutex and a variable at the same address are different objects.
enum class Space : std::uint8_t {
  kMemory,
  kMutex,
  kRwLock,
  kSemaphore,
  kBarrier,
  kQueue,  // of sleepers: condition variables and futexes
  // A mailbox has a place for each alternative, where its messages arrive, and an end, where all
  // messages do. Sends write both. A receive in vain reads the places of what it would have taken.
  kMailbox,
  kMessage,  // written when sent, read when received
};

// Whether an object of the space is a range, which can overlap others.
constexpr bool has_ranges(Space space) {
  return space == Space::kMemory || space == Space::kMailbox;
}

// How an object is accessed. Mode 0 of every space but kBarrier conflicts with all modes that the
// history keeps of its object. So later accesses need not be compared with those before it.
using Mode = std::uint8_t;
inline constexpr Mode kModes = 4;
namespace mode {
inline constexpr Mode kWrite = 0, kRead = 1;                   // memory, mailbox, message
inline constexpr Mode kEnd = 2;                                // memory: it is freed
inline constexpr Mode kAcquire = 0, kRelease = 1, kProbe = 2;  // mutex; probe: failed try
inline constexpr Mode kLife = 3;                               // mutex: it begins or ends
inline constexpr Mode kExclusive = 0, kShared = 1;             // rwlock
inline constexpr Mode kProbeShared = 2, kProbeExclusive = 3;   // rwlock: failed tries
inline constexpr Mode kTake = 0, kPost = 1, kLook = 2;         // semaphore
inline constexpr Mode kDepart = 0, kArrive = 1;                // barrier
inline constexpr Mode kSignal = 0, kSleep = 1, kTimedWake = 2, kWake = 3;  // queue
}  // namespace mode

struct Access {
  Space space;
  Mode mode;
  std::uint32_t size;  // bytes of memory, places of a mailbox; else 1
  ObjectId object;
};

// At most four: the operation's own location and the others that a loop waits for, or ranges of
// alternatives.
inline constexpr int kMaxAccesses = 4;
struct Accesses {
  std::array<Access, kMaxAccesses> list;
  int count = 0;
  const Access* of_atomic_block = nullptr;  // instead of `list`
  const Access* begin() const { return of_atomic_block != nullptr ? of_atomic_block : list.data(); }
  const Access* end() const { return begin() + count; }
};

// What an executed operation touched. If the operation has yet to run, the label's `success` must
// be what it will be. Nothing is known of an atomic block that has not run: see is_unknown_block().
Accesses accesses(const Label& label);

// Whether accesses with these modes to one object conflict. Modes are not enough for a barrier
// (which phase?) and for kWake (whom did the signal wake?). There the answer means "they may".
bool conflicting(Space space, Mode a, Mode b);

// Whether the ranges of two accesses of one space overlap.
inline bool overlapping(const Access& a, const Access& b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

// For tables of objects, by their exact ranges.
inline std::uint64_t object_hash(Space space, ObjectId object, std::uint32_t size) {
  return folded(object ^ static_cast<std::uint64_t>(space) << 60 ^
                static_cast<std::uint64_t>(size) << 52);
}

// The bit of a thread in a set of woken threads (woken_threads).
inline std::uint64_t woken_bit(ThreadId thread) { return std::uint64_t{1} << (thread % 64); }

// kInit, kDestroy: the space that the object is known in.
inline Space space_of(const Operation& life) { return static_cast<Space>(life.value); }

}  // namespace mazur
