#include "trace/access.h"

#include <bit>

#include "trace/atomic_block/block.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// Bit b of kConflicts[space][a]: modes a and b conflict.
constexpr std::uint8_t kConflicts[8][kModes] = {
    /* memory: write, read, end */ {0b111, 0b101, 0b111, 0},
    /* mutex: acquire, release, probe, life */ {0b1111, 0b1101, 0b1011, 0b1111},
    /* rwlock: exclusive, shared, failed tries */ {0b1111, 0b1001, 0b0001, 0b0011},
    /* semaphore: take, post, look */ {0b111, 0b101, 0b011, 0},
    /* barrier: depart, arrive */ {0b10, 0b11, 0, 0},
    /* queue: signal, sleep, timed wake, wake */ {0b1111, 0b0001, 0b0001, 0b0001},
    /* mailbox: write, read */ {0b11, 0b01, 0, 0},
    /* message: write, read */ {0b11, 0b01, 0, 0},
};

Accesses one(Space space, Mode mode, ObjectId object, std::uint32_t size = 1) {
  Accesses a;
  a.list[0] = {space, mode, size, object};
  a.count = 1;
  return a;
}

Accesses two(Access first, Access second) {
  Accesses a;
  a.list[0] = first;
  a.list[1] = second;
  a.count = 2;
  return a;
}

// An access to memory. In a loop that waits it also reads what else the loop waits for.
Accesses memory(const Label& l, Mode mode) {
  Accesses a = one(Space::kMemory, mode, l.object, l.size);
  if (__builtin_expect(reads_other_locations(l), 0))
    for (const Location& other : wait_set(waits_for(l)))
      a.list[static_cast<std::size_t>(a.count++)] = {Space::kMemory, mode::kRead, other.size,
                                                     other.object};
  return a;
}

// Places of a mailbox: one for each alternative, and its end.
ObjectId place_of(ObjectId mailbox, std::uint64_t alternative) {
  return mailbox << 7 | alternative;
}

Accesses send(const Label& l) {
  Accesses a = two({Space::kMailbox, mode::kWrite, 1, place_of(l.object, kAlternatives)},
                   {Space::kMailbox, mode::kWrite, 1, place_of(l.object, alternative_of(l))});
  a.list[2] = {Space::kMessage, mode::kWrite, 1, sent_message(l)};
  a.count = 3;
  return a;
}

// A receive that took a message depends on nothing else: the order of the sends says which it was.
// One that took none, or has not run, depends on what it accepts, in runs of alternatives. Where
// there are too many runs, the last one covers the rest.
Accesses receive(const Label& l) {
  if (taken_message(l) != 0) return one(Space::kMessage, mode::kRead, taken_message(l));
  Accesses a;
  for (std::uint64_t left = accepted(l); left != 0;) {
    const int begin = std::countr_zero(left);
    int length = std::countr_one(left >> begin);
    if (a.count == kMaxAccesses - 1) length = static_cast<int>(std::bit_width(left)) - begin;
    a.list[static_cast<std::size_t>(a.count++)] = {
        Space::kMailbox, mode::kRead, static_cast<std::uint32_t>(length),
        place_of(l.object, static_cast<std::uint64_t>(begin))};
    if (begin + length >= 64) break;
    left = left >> (begin + length) << (begin + length);
  }
  return a;
}

// An object begins or ends. The mode conflicts with all others of its space, or at least with those
// that it makes a difference to. That does not mean that a mutex is taken, a lock held, or anybody
// woken.
Accesses life(const Label& l) {
  const Space space = space_of(l);
  switch (space) {
    case Space::kMutex:
      return one(space, mode::kLife, l.object);
    case Space::kRwLock:
      return one(space, mode::kExclusive, l.object);
    case Space::kSemaphore:
      return one(space, mode::kTake, l.object);
    default:
      return one(Space::kQueue, mode::kSignal, l.object);
  }
}

Accesses atomic_block(const Label& l) {
  Accesses a;
  if (is_unknown_block(l)) return a;
  const auto list = block_table.accesses(l);
  a.of_atomic_block = list.data();
  a.count = static_cast<int>(list.size());
  return a;
}

// Reader-writer locks, semaphores and barriers.
Accesses lock_or_count(const Label& l) {
  switch (l.kind) {
    case OpKind::kRdLock:
    case OpKind::kRdUnlock:
      return one(Space::kRwLock, mode::kShared, l.object);
    case OpKind::kWrLock:
    case OpKind::kWrUnlock:
      return one(Space::kRwLock, mode::kExclusive, l.object);
    case OpKind::kTryRdLock:
      return one(Space::kRwLock, acquired(l) ? mode::kShared : mode::kProbeShared, l.object);
    case OpKind::kTryWrLock:
      return one(Space::kRwLock, acquired(l) ? mode::kExclusive : mode::kProbeExclusive, l.object);
    case OpKind::kSemPost:
      return one(Space::kSemaphore, mode::kPost, l.object);
    case OpKind::kSemWait:
      return one(Space::kSemaphore, mode::kTake, l.object);
    case OpKind::kSemTryWait:
      return one(Space::kSemaphore, acquired(l) ? mode::kTake : mode::kLook, l.object);
    case OpKind::kSemRead:
      return one(Space::kSemaphore, mode::kLook, l.object);
    case OpKind::kBarrierArrive:
      // The second one is for the barrier's beginning and end. Arrivals commute there.
      if (!arrives(l)) return one(Space::kQueue, mode::kSleep, l.object);
      return two({Space::kBarrier, mode::kArrive, 1, l.object},
                 {Space::kQueue, mode::kSleep, 1, l.object});
    case OpKind::kBarrierDepart:
      return one(Space::kBarrier, mode::kDepart, l.object);
    default:
      return {};
  }
}

// Condition variables and futexes.
Accesses queue(const Label& l) {
  switch (l.kind) {
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
      return one(Space::kQueue, mode::kSignal, l.object);
    case OpKind::kCondWait:
      return two({Space::kQueue, mode::kSleep, 1, l.object},
                 {Space::kMutex, mode::kRelease, 1, mutex_of(l)});
    case OpKind::kCondWake:
      return two({Space::kQueue, l.timed ? mode::kTimedWake : mode::kWake, 1, l.object},
                 {Space::kMutex, mode::kAcquire, 1, mutex_of(l)});
    case OpKind::kFutexWait:
      if (!slept(l)) return one(Space::kMemory, mode::kRead, l.object, l.size);
      return two({Space::kMemory, mode::kRead, l.size, l.object},
                 {Space::kQueue, mode::kSleep, 1, l.object});
    case OpKind::kFutexWoken:
      return one(Space::kQueue, l.timed ? mode::kTimedWake : mode::kWake, l.object);
    default:
      return {};
  }
}

}  // namespace

bool conflicting(Space space, Mode a, Mode b) {
  return (kConflicts[static_cast<int>(space)][a] >> b & 1) != 0;
}

Accesses accesses(const Label& l) {
  switch (l.kind) {
    case OpKind::kLoad:
      return memory(l, mode::kRead);
    case OpKind::kRmw:
      return memory(l, mode::kWrite);
    case OpKind::kCas:
      return memory(l, wrote(l) ? mode::kWrite : mode::kRead);
    case OpKind::kStore:
    case OpKind::kOnceLeave:
      return one(Space::kMemory, mode::kWrite, l.object, l.size);
    case OpKind::kOnceEnter:
      return one(Space::kMemory, wrote(l) ? mode::kWrite : mode::kRead, l.object, l.size);
    case OpKind::kFree:
      return one(Space::kMemory, mode::kEnd, l.object, l.size);
    case OpKind::kAwait:
      if (second_location(l) == 0) return one(Space::kMemory, mode::kRead, l.object, l.size);
      return two({Space::kMemory, mode::kRead, l.size, l.object},
                 {Space::kMemory, mode::kRead, l.size, second_location(l)});
    case OpKind::kLock:
      return one(Space::kMutex, mode::kAcquire, l.object);
    case OpKind::kTryLock:
      return one(Space::kMutex, acquired(l) ? mode::kAcquire : mode::kProbe, l.object);
    case OpKind::kUnlock:
      return one(Space::kMutex, mode::kRelease, l.object);
    case OpKind::kSend:
      return send(l);
    case OpKind::kReceive:
      return receive(l);
    case OpKind::kInit:
    case OpKind::kDestroy:
      return life(l);
    case OpKind::kAtomicBlock:
      return atomic_block(l);
    case OpKind::kFence:
    case OpKind::kNone:
    case OpKind::kCreate:
    case OpKind::kJoin:
    case OpKind::kChoose:
    case OpKind::kYield:
    case OpKind::kExit:
    case OpKind::kNever:
      return {};
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kSemRead:
    case OpKind::kBarrierArrive:
    case OpKind::kBarrierDepart:
      return lock_or_count(l);
    case OpKind::kCondWait:
    case OpKind::kCondWake:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWait:
    case OpKind::kFutexWoken:
    case OpKind::kFutexWake:
      return queue(l);
  }
  return {};
}

}  // namespace mazur
