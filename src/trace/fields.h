// What the fields of operations and labels mean, kind by kind.
//
// An Operation and a Label have few fields, so one field means different things for different
// kinds. Each function here gives one such meaning its name. A comment above a group says which
// kinds it may be called for; nothing checks that. What is not listed for a kind is 0.
#pragma once

#include <cstdint>

#include "trace/label.h"

namespace mazur {

// Memory.
//
// kLoad, kStore, kRmw, kCas: `size` bytes from `object` on; `read` is the value that was there (not
// of a kStore), `written` the new one, `before` the old one of what was written. Values are the low
// 8 bytes. `object2` says what a loop waits for: see wait_set.h.
constexpr bool is_memory(OpKind kind) { return kind >= OpKind::kLoad && kind <= OpKind::kCas; }
// Whether it accesses memory itself, where memory models differ, and no entry of a table: those are
// sequentially consistent under every model, as locks are.
constexpr bool is_cell(const Operation& op) {
  return is_memory(op.kind) && !is_table_key(op.object);
}
// kLoad: whether it is a look, which waits for other values than some (blocking/look.h). `value` is its
// name then.
inline bool is_look(const Operation& op) {
  return op.kind == OpKind::kLoad && op.value != 0 && op.order <= __ATOMIC_SEQ_CST;
}
// kCas, kFutexWait: the value that lets it write, or sleep.
inline std::uint64_t expected(const Operation& op) { return op.value; }
// kCas: the memory order that it has if it fails: __ATOMIC_RELAXED, _ACQUIRE or _SEQ_CST. An order
// that is not one of them becomes the weakest of these that is not weaker.
inline Comparison as_failure_order(int order) {
  return static_cast<Comparison>(order == __ATOMIC_SEQ_CST ? 2 : order == __ATOMIC_RELAXED ? 0 : 1);
}
inline std::uint8_t failure_order(const Operation& op) {
  constexpr std::uint8_t kOrders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST};
  return kOrders[static_cast<std::uint8_t>(op.comparison) & 3];
}
// kRmw: a compare-exchange of more than 8 bytes, which only reads if it fails.
inline bool is_long_compare_exchange(const Operation& op) {
  return op.kind == OpKind::kRmw && op.comparison == Comparison::kNotEqual;
}
// kAwait, observed assertions: what is compared with.
inline std::uint64_t compared_with(const Operation& op) { return op.value; }
// Whether it accesses memory that atomic accesses can also touch: the flag of a one-time
// initialisation is one, because compilers inline a load of its first byte.
constexpr bool is_once(OpKind kind) {
  return kind == OpKind::kOnceEnter || kind == OpKind::kOnceLeave;
}
// kAwait: the second location, or 0.
inline ObjectId second_location(const Operation& await) { return await.object2; }
// kCas, kOnceEnter: whether it wrote. A pending one is taken to write.
inline bool wrote(const Label& l) { return l.success; }

// Locks.
//
// kTryLock, kTryRdLock, kTryWrLock, kSemTryWait: whether it was acquired, not refused or timed out.
inline bool acquired(const Label& l) { return l.success; }
// Locks of a rwlock: whether the rwlock was not alive, so that nobody holds it after that.
inline bool was_dead(const Label& l) { return l.read != 0; }
// Whether the label is a lock for reading (or for writing) that is held afterwards.
inline bool is_read_lock(const Label& l) {
  return !was_dead(l) &&
         (l.kind == OpKind::kRdLock || (l.kind == OpKind::kTryRdLock && acquired(l)));
}
inline bool is_write_lock(const Label& l) {
  return !was_dead(l) &&
         (l.kind == OpKind::kWrLock || (l.kind == OpKind::kTryWrLock && acquired(l)));
}
// kCondWait, kCondWake: the mutex that is released, or taken again.
inline ObjectId mutex_of(const Operation& op) { return op.object2; }

// Semaphores, also their kInit and kDestroy: the count. A semaphore that is not alive has a count
// other than 0, so that nobody waits for it.
inline std::uint64_t count_before(const Label& l) { return l.read; }
inline std::uint64_t count_after(const Label& l) { return l.written; }

// Barriers.
//
// kBarrierArrive, kBarrierDepart: how many arrivals fill a phase.
inline std::uint32_t capacity(const Operation& op) { return op.size; }
// kBarrierArrive: the phase that it arrived in, and how many were there before it.
inline std::uint64_t arrival_phase(const Label& l) { return l.written; }
inline std::uint64_t arrived_before(const Label& l) { return l.read; }
// kBarrierDepart: the phase that it waits for.
inline std::uint64_t departure_phase(const Operation& op) { return op.value; }
// Whether it takes a place in the phase of a barrier, which must be alive for that.
inline bool arrives(const Label& l) { return l.kind == OpKind::kBarrierArrive && l.success; }

// Condition variables and futexes.
//
// kCondSignal, kCondBroadcast, kFutexWake: the threads that were woken, as a bit set (woken_bit()
// in access.h). `read` is how many. kFutexWake: `value` is how many to wake at most and, in its
// upper half, the mask of a bitset.
inline bool is_signal(OpKind kind) {
  return kind == OpKind::kCondSignal || kind == OpKind::kCondBroadcast ||
         kind == OpKind::kFutexWake;
}
// kCondWait, kCondSignal, kCondBroadcast, where they are parts of operations on a futex: a signal
// reaches only waiters whose mask has a bit in common with its own. Without a bitset `value` is 0,
// and the mask has all bits.
inline std::uint64_t futex_mask_value(std::uint32_t mask) {
  return static_cast<std::uint32_t>(~mask);
}
inline std::uint32_t futex_mask(const Operation& op) {
  return ~static_cast<std::uint32_t>(op.value);
}
inline std::uint64_t woken_threads(const Label& l) { return l.written; }
// Which threads a signal wakes is not known.
inline void forget_woken(Label& l) { l.written = 0; }
// kFutexWait: whether it went to sleep, and did not find another value.
inline bool slept(const Label& l) { return l.success; }
// kCondWake, kFutexWoken: whether it was woken, and did not time out.
inline bool was_woken(const Label& l) { return l.success; }

// Choices.
//
// kChoose: one that decides whether the operation that its thread does next ends spuriously, as
// POSIX and C++ allow it: choice 1 says so. `object` is what that operation is about, `object2` one
// of the numbers below, `size` how often a thread may choose it. Other choices have 0 there.
inline constexpr ObjectId kSpuriousWakeup = 1;
inline constexpr ObjectId kSpuriousFailure = 2;
inline bool offers_spurious(const Operation& op) {
  return op.kind == OpKind::kChoose && op.object2 != 0;
}

// Waits: whether it has a deadline, which strikes only if nothing else can run (--timeouts=first).
inline bool is_patient(const Operation& op) { return op.order == kPatient && !is_memory(op.kind); }

// Threads.
//
// kCreate, kJoin: the child.
inline ThreadId child_of(const Operation& op) { return static_cast<ThreadId>(op.object); }

// Messages. `object` is the mailbox.
//
// kSend: the name of the message (message_id), and its alternative, below kAlternatives.
inline std::uint64_t sent_message(const Operation& send) { return send.value; }
inline unsigned alternative_of(const Operation& send) {
  return static_cast<unsigned>(send.object2);
}
// kReceive: the alternatives that it accepts, as a bit set.
inline std::uint64_t accepted(const Operation& receive) { return receive.value; }
inline bool accepts(const Operation& receive, const Operation& send) {
  return (accepted(receive) >> alternative_of(send) & 1) != 0;
}
// kReceive: Operation::size says what its thread makes of the message that it takes.
inline constexpr std::uint32_t kBlind = 0;      // it will never know which message it was
inline constexpr std::uint32_t kKnowing = 1;    // it looks at the message
inline constexpr std::uint32_t kSelective = 2;  // it looks at messages to decide which one it takes
inline bool is_blind(const Operation& receive) { return receive.size == kBlind; }
inline bool is_selective(const Operation& receive) { return receive.size == kSelective; }
// A blind kReceive: how many more its thread takes in the same way before it does anything else.
inline ObjectId blind_ones_to_come(const Operation& receive) { return receive.object2; }
// kReceive: the message that it took, or 0. `success` says whether there was one.
inline std::uint64_t taken_message(const Label& receive) { return receive.read; }
inline void take_no_message(Label& receive) {
  receive.read = 0;
  receive.success = false;
}

// Atomic blocks: see atomic_block/block.h.

// The beginning and the end of an object's life.
constexpr bool is_life(OpKind kind) { return kind == OpKind::kInit || kind == OpKind::kDestroy; }
// kInit, kDestroy of a barrier: the phase that comes next, and whether the barrier was alive
// before.
inline std::uint64_t next_phase(const Label& life) { return life.read; }
inline bool was_alive(const Label& life) { return life.success; }

// kNever: whether the thread goes round in a loop for ever; otherwise an assume has failed.
inline bool is_endless(const Operation& never) { return never.value == kForever; }

}  // namespace mazur
