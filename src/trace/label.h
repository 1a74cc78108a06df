// The vocabulary of events: threads, operations, steps and labels.
//
// An Operation is what a thread is about to do. A Label is what it did: the same operation with its
// results. Both are plain data without pointers into a machine, so that they can be compared across
// executions, stored and sent.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

namespace mazur {

// Stable name of a thread: the same (parent, place among the parent's children) has the same id in
// every execution of one exploration. Main is 0.
using ThreadId = std::uint16_t;
inline constexpr ThreadId kNoThread = 0xffff;

// Stable name of an object: its address on the native machine, a number on the model machine.
using ObjectId = std::uint64_t;

// The name of the n-th message that a thread sends, to whomever, from 0: the same in every schedule
// of a trace, and never 0.
constexpr std::uint64_t message_id(ThreadId sender, std::uint32_t n) {
  return (std::uint64_t{sender} + 1) << 32 | n;
}
// How many kinds of messages (types of a variant) a receive can tell apart without looking.
inline constexpr unsigned kAlternatives = 64;
// What the name of an alternative of a mailbox is known by in reports. No address is that high.
constexpr ObjectId alternative_name(ObjectId mailbox, unsigned alternative) {
  return ObjectId{1} << 60 | mailbox << 6 | alternative;
}

// The name of a key of a table. The operations on it are those on 8 bytes of memory: lookup is a
// kLoad, insert and delete are kStores, insert_new is a kCas that expects 0. The value is 0 while
// the key is absent, and otherwise a number that is equal for equal entries. No address is that
// high.
inline constexpr ObjectId kTableKeys = ObjectId{1} << 62;
constexpr ObjectId table_key(std::uint64_t number) { return kTableKeys + number * 8; }
constexpr bool is_table_key(ObjectId object) { return object >= kTableKeys; }

// What an operation does. docs/adding-a-primitive.md says what to write down for a new kind; the
// rules of dependence and blocking are in trace/dependence.h and trace/blocking/blocking.h, and
// nowhere else.
enum class OpKind : std::uint8_t {
  kNone,
  // Memory, by byte range [object, object + size).
  kLoad,
  kStore,
  kRmw,  // exchange and fetch-op: reads and writes
  kCas,  // compare-exchange; `success` says whether it wrote (a pending one counts as a write)
  // Mutexes and spinlocks. A timed lock is a kTryLock: it may time out whenever it would block.
  kLock,
  kTryLock,
  kUnlock,
  // Reader-writer locks.
  kRdLock,
  kWrLock,
  kTryRdLock,
  kTryWrLock,
  kRdUnlock,
  kWrUnlock,
  // Counting semaphores. A timed wait is a kSemTryWait.
  kSemWait,
  kSemTryWait,
  kSemPost,
  kSemRead,
  // Barriers: an arrival never blocks; the departure waits for its phase (in `value`) to be full.
  kBarrierArrive,
  kBarrierDepart,
  // Condition variables. kCondWait releases the mutex `object2` and joins the waiters of `object`;
  // kCondWake takes the mutex again and is blocked until a signal has chosen the thread and the
  // mutex is free. A timed wake
  // (`timed`) that nobody has signalled times out instead of waiting for a signal.
  kCondWait,
  kCondWake,
  kCondSignal,
  kCondBroadcast,
  // Futexes: kFutexWait reads [object, object + 4) and, if `success`, joins the waiters;
  // kFutexWoken leaves them.
  kFutexWait,
  kFutexWoken,
  kFutexWake,
  // One-time initialisation: accesses to the bytes of the flag, because compilers inline a load of
  // it. kOnceEnter blocks while another thread runs the initialiser; `success`: this thread is to
  // run it.
  kOnceEnter,
  kOnceLeave,
  // Threads. `object` of create and join is the child's id. There is no start or exit event: a new
  // thread runs with its creation up to its first operation, and a thread's last event includes its
  // end.
  kCreate,
  kJoin,
  // Messages. `object` is the mailbox, below 2^56. Only one thread, its owner, receives from a
  // mailbox. A receive takes the oldest message that it accepts. It is enabled if there is one, or
  // if it is `timed`: then it takes none if there is none.
  kSend,  // `value`: the message (message_id), `object2`: its alternative, below kAlternatives
  // `value`: the alternatives that it accepts, as a bit set. `size`: 0 if it is blind, which means
  // that its thread will never know which message it was; 2 if it accepts only some messages of
  // these alternatives, by what is in them; else 1. `object2` of a blind one: how many more its
  // thread will take in the same way before it does anything else.
  kReceive,
  // Waiting for a condition over memory: enabled when it holds (see Operation::value for the model
  // machine).
  kAwait,
  // No object.
  kChoose,  // `ways` outcomes
  kYield,   // also sleeps; depends on nothing
  kExit,    // the end of the process: enabled when no other thread is
  kNever,   // a failed assume, or (`value` is kForever) a loop that never ends: never enabled
  // An atomic block: many accesses in one event. What a pending one will touch is not known; what
  // an executed one did is in the table of trace/block.h.
  kBlock,
  // The end of the life of [object, object + size): free(). It neither reads nor writes, so it
  // tells no two writes apart; but whatever else touches these bytes must not change places with
  // it.
  kFree,
  // The beginning and the end of the life of a mutex or another object that threads synchronise
  // with: pthread_mutex_init(), sem_destroy() and their like. `value` is the Space (access.h) that
  // the object is known in.
  kInit,
  kDestroy,
};
inline constexpr OpKind kLastKind = OpKind::kDestroy;

// Whether an object of threads begins or ends.
constexpr bool is_life(OpKind kind) { return kind == OpKind::kInit || kind == OpKind::kDestroy; }

// Operation::value of a kNever: the thread goes round in a loop for ever. `object` is a variable
// that it reads there, or 0.
inline constexpr std::uint64_t kForever = 1;

// One step of an execution: a thread, and which of the outcomes of its next operation.
// Aligned: it travels in one register.
struct alignas(4) Step {
  ThreadId thread = kNoThread;
  std::uint16_t choice = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

// A step, or none. Like std::optional<Step>, which is put together in memory at every return and
// read back in one piece, for which a processor waits.
class MaybeStep {
 public:
  MaybeStep() = default;
  MaybeStep(std::nullopt_t) {}
  MaybeStep(Step step) : step_(step) {}
  explicit operator bool() const { return step_.thread != kNoThread; }
  bool has_value() const { return step_.thread != kNoThread; }
  const Step& operator*() const { return step_; }
  const Step* operator->() const { return &step_; }

 private:
  Step step_;
};

// How an await compares: the value at `object` with `value`; with a second object, both comparisons
// must hold.
enum class Comparison : std::uint8_t { kEqual, kNotEqual, kLess, kGreaterEqual };

// Operation::order of a kLoad that is an observed assertion: its thread learns only whether the
// value compares with Operation::value as it should (Label::success). As a signed number, or not.
inline constexpr std::uint8_t kObservedSigned = 0xfd;
inline constexpr std::uint8_t kObservedUnsigned = 0xfe;

struct Operation {
  OpKind kind = OpKind::kNone;
  std::uint8_t order = 5;                      // the memory order the program wrote (__ATOMIC_*)
  bool timed = false;                          // may time out instead of blocking
  Comparison comparison = Comparison::kEqual;  // kAwait, observed assertions
  std::uint32_t size = 0;  // bytes, for memory and once flags; capacity for a barrier
  ObjectId object = 0;
  // kCondWait, kCondWake: the mutex. kAwait: a second location, or 0. kLoad, kRmw, kCas: not 0 if
  // it begins another round of a loop that waits, which was fruitless so far: what it waits for
  // (wait_set.h).
  ObjectId object2 = 0;
  // kBarrierDepart: the phase. kAwait: what to compare with (both locations). kCas, kFutexWait: the
  // expected value. kFutexWake: how many to wake and, in the upper half, the mask of a bitset.
  // kBlock: which accesses (trace/block.h), 0 as long as they are not known. kSend, kReceive: see
  // there. An observed assertion: what to compare with.
  std::uint64_t value = 0;
  friend bool operator==(const Operation&, const Operation&) = default;
};

// An executed operation.
//   read:    memory: the value read (the low 8 bytes). A semaphore: its count before.
//   kBarrierArrive: arrivals in this
//            phase before this one. kFutexWake, kCondSignal, kCondBroadcast: how many threads were
//            woken. kReceive: the message it took, 0 if none. kInit, kDestroy: a semaphore's count
//            before, not 0 if it was not alive; a barrier's phase. Locks of a rwlock: 1 if it was
//            not alive, so that nobody holds it after that.
//   written: memory: the value written. A semaphore: its count after. kBarrierArrive: the phase.
//   kCondSignal,
//            kCondBroadcast, kFutexWake: the woken threads as a bit set (bit id mod 64).
//            kCreate: the child. kChoose: the outcome. kInit, kDestroy: a semaphore's count after,
//            not 0 if it is not alive; else 0.
//   success: kCas wrote; kTry*: acquired; kCondWake, kFutexWoken: woken and not timed out;
//   kFutexWait: went to sleep;
//            kOnceEnter: runs the initialiser; kOnceLeave: initialised (not abandoned);
//            kBlock: reached its end, not a failed assume. An observed assertion: it held.
//            kReceive: took a message. kBarrierArrive: the barrier was alive, and it has a place in
//            its phase. kInit, kDestroy of a barrier: it was alive before.
//   kBlock: `object`, `read` and `written` are fingerprints of what it touched, of the values it
//            found and of those it left; `size` is the number of accesses; `before` says which
//            values (trace/block.h).
// Memory writes also have the value that was there before in `before`.
struct Label : Operation {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  std::uint64_t before = 0;
  std::uint64_t pc = 0;  // where in the program; for reports, never for dependence
  bool success = true;
};

// Whether it takes a place in the phase of a barrier.
inline bool arrives(const Label& l) { return l.kind == OpKind::kBarrierArrive && l.success; }

// One event of a trace.
struct Event {
  ThreadId thread = kNoThread;
  std::uint16_t choice = 0;
  std::uint16_t ways = 1;  // how many outcomes the operation had here: choice < ways
  Label label;
  Step step() const { return {thread, choice}; }
};

static_assert(std::is_trivially_copyable_v<Event>);

}  // namespace mazur
