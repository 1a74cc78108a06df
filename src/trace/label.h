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
// every execution of one exploration, except with random walks, which compare none. Main is 0.
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

// What an operation does. docs/adding-a-primitive.md says what to write down for a new kind. The
// rules of dependence and blocking are in trace/dependence.h and trace/blocking/blocking.h, and
// nowhere else.
enum class OpKind : std::uint8_t {
  kNone,
  // Memory, by byte range [object, object + size).
  kLoad,
  kStore,
  kRmw,  // exchange and fetch-op: reads and writes
  kCas,  // compare-exchange; a pending one counts as a write
  // Mutexes and spinlocks. A timed lock is a kTryLock: it may time out whenever it would wait.
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
  // Barriers: an arrival never waits. The departure waits for its phase to be full.
  kBarrierArrive,
  kBarrierDepart,
  // Condition variables. kCondWait releases a mutex (mutex_of) and joins the waiters of `object`.
  // kCondWake takes the mutex again. It is blocked until a signal has chosen the thread and the
  // mutex is free. A `timed` one that nobody has signalled times out instead of waiting for a
  // signal.
  kCondWait,
  kCondWake,
  kCondSignal,
  kCondBroadcast,
  // Futexes: kFutexWait reads [object, object + 4) and joins the waiters if it finds the expected
  // value. kFutexWoken leaves them.
  kFutexWait,
  kFutexWoken,
  kFutexWake,
  // One-time initialisation: accesses to the bytes of the flag, because compilers inline a load of
  // it. kOnceEnter waits while another thread runs the initialiser; `success`: this thread is to
  // run it. kOnceLeave: `success` says that it is initialised, not abandoned.
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
  kSend,
  kReceive,
  // Waiting for a condition over one or two locations: enabled when it holds for all of them.
  kAwait,
  // No object.
  kChoose,  // `ways` outcomes
  kYield,   // also sleeps; depends on nothing
  kExit,    // the end of the process: enabled when no other thread is
  kNever,   // a failed assume, or a loop that never ends (is_endless): never enabled
  // An atomic block: many accesses in one event. It is not known what a pending one will touch.
  // What an executed one touched is in the table of trace/atomic_block/block.h.
  kAtomicBlock,
  // The end of the life of [object, object + size): free(). It neither reads nor writes, so it
  // tells no two writes apart. But nothing else that touches these bytes may change places with it.
  kFree,
  // The beginning and the end of the life of a mutex or another object that threads synchronise
  // with: pthread_mutex_init(), sem_destroy() and their like.
  kInit,
  kDestroy,
  // A fence: an event only under a weak memory model (trace/memory_model.h). It has no object.
  kFence,
};
inline constexpr OpKind kLastKind = OpKind::kFence;

// Operation::value of a kNever whose thread goes round in a loop for ever. `object` is a variable
// that it reads there, or 0.
inline constexpr std::uint64_t kForever = 1;

// What a step says about memory, for explorers of weak memory models: the store that a load reads,
// as its index in this execution, or one of these. Who never says anything gets kNewest.
using StoreRef = std::uint32_t;
inline constexpr StoreRef kNewest =
    0xffffffff;  // a load reads what memory holds; a store writes it
inline constexpr StoreRef kNoStore = 0xfffffffe;  // a load reads what was there before all stores
inline constexpr StoreRef kBehind = 0xfffffffd;   // a store comes before one that has been run:
                                                  // memory stays as it is

// One step of an execution: a thread, and which of the outcomes of its next operation.
// Aligned: it travels in one register.
struct alignas(8) Step {
  ThreadId thread = kNoThread;
  std::uint16_t choice = 0;
  StoreRef ref = kNewest;
  friend bool operator==(const Step&, const Step&) = default;
};

// A step, or none. It stands in for std::optional<Step>, which is put together in memory at every
// return and then read back in one piece: a processor waits for that.
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

// How an await or an observed assertion compares the value of a location with compared_with().
enum class Comparison : std::uint8_t { kEqual, kNotEqual, kLess, kGreaterEqual };

// Operation::order of a kLoad that is an observed assertion, of a signed or an unsigned number. Its
// thread learns only whether the value compares as it should (Label::success) with compared_with().
inline constexpr std::uint8_t kObservedSigned = 0xfd;
inline constexpr std::uint8_t kObservedUnsigned = 0xfe;

// Operation::order of a wait that has a deadline, but waits as if it had none (--timeouts).
inline constexpr std::uint8_t kPatient = 0xfc;

// Operation::order of a lock inside the kernel, that of a futex: it orders what threads do, as locks
// do, but the program may not rely on that. For C++ a wake synchronises with nothing.
inline constexpr std::uint8_t kKernelLock = 0xfb;

// What a thread is about to do. fields.h says what `size`, `object`, `object2` and `value` mean for
// each kind.
struct Operation {
  OpKind kind = OpKind::kNone;
  std::uint8_t order = 5;                      // the memory order the program wrote (__ATOMIC_*)
  bool timed = false;                          // may time out instead of waiting
  Comparison comparison = Comparison::kEqual;  // kAwait, observed assertions; see fields.h
  std::uint32_t size = 0;                      // mostly bytes
  ObjectId object = 0;
  ObjectId object2 = 0;
  std::uint64_t value = 0;
  friend bool operator==(const Operation&, const Operation&) = default;
};

// What a thread did: the operation with its results, which fields.h explains as well.
struct Label : Operation {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  std::uint64_t before = 0;
  std::uint64_t pc = 0;  // where in the program; for reports, never for dependence
  bool success = true;
  // Of an atomic access: how often its location has begun anew, from 1, as far as the machine
  // knows; 0: it does not know. Different epochs are different locations to execution graphs.
  std::uint16_t epoch = 0;
  StoreRef ref = kNewest;  // what the step said about memory
};

// One event of a trace.
struct Event {
  ThreadId thread = kNoThread;
  std::uint16_t choice = 0;
  std::uint16_t ways = 1;  // how many outcomes the operation had here: choice < ways
  Label label;
  Step step() const { return {thread, choice, label.ref}; }
};

static_assert(std::is_trivially_copyable_v<Event>);
static_assert(sizeof(Step) == 8 && sizeof(Event) == 80);

}  // namespace mazur
