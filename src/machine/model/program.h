// Small concurrent programs as plain data: what the model machine runs.
//
// A program has variables (8 bytes each), synchronisation objects, and threads of instructions. A
// thread has kRegisters integer registers, all 0 at its start. An instruction is a visible
// operation, with the meaning that trace/label.h gives to its OpKind, or it is local. A thread's
// local instructions run together with its previous operation (or with its creation).
//
// Every reference to an object may be indexed by a register. An index wraps around the number of
// objects of that class, so that every program is meaningful whatever its registers hold.
//
// Mailbox number n belongs to thread number n, and only that thread receives from it.
//
// Some misuses end the thread with a failure before the operation becomes visible, because a thread
// knows by itself what it holds and whom it has spawned: releasing what it does not hold (a mutex,
// a rwlock, the running of a once), spawning a thread again, and ending an atomic block that was
// not begun.
//
// Objects are alive when the program starts. Other misuses are events that change nothing and end
// their thread with a failure: using a mutex, rwlock, condition variable, semaphore or barrier that
// is not alive, destroying it again, and initialising or destroying one that a thread holds or
// waits at (but not a semaphore). An operation on an object that is not alive never waits.
//
// An atomic block may load, store, modify and compare-exchange variables, lock, try and unlock
// mutexes, and contain other blocks. Anything else in it, and a lock that would have to wait, ends
// the thread with a failure there. A failed assume in it undoes what it wrote: the block has only
// looked, and its thread never goes on.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/label.h"

namespace mazur::model {

inline constexpr int kRegisters = 8;
inline constexpr std::int8_t kNoRegister = -1;
// Bounds on a program: states hold bit sets of these.
inline constexpr std::size_t kMaxMutexes = 64;
inline constexpr std::size_t kMaxRwLocks = 4;
inline constexpr std::size_t kMaxOnces = 32;
inline constexpr std::size_t kMaxThreads = 64;

enum class ObjectClass : std::uint8_t {
  kVariable,
  kMutex,
  kRwLock,
  kCondition,
  kSemaphore,
  kBarrier,
  kOnce,
  kMailbox,
  kKey,  // of a table
};
inline constexpr int kObjectClasses = 9;

// The name of object `index` of a class: never 0, and variables and once flags are 8 bytes apart.
constexpr ObjectId object_id(ObjectClass c, unsigned index) {
  if (c == ObjectClass::kKey) return table_key(index);
  return (static_cast<ObjectId>(c) + 1) * 0x10000 + ObjectId{index} * 8;
}

enum class Code : std::uint8_t {
  // Visible: one event, or two where said.
  kLoad,      // result <- place
  kStore,     // place <- value
  kFetchAdd,  // result <- place; place += value
  kCas,       // if place == value: place <- value2. result <- success
  // The same with two of the bytes of a variable. `ways` 1, 2 or 3 says from which byte on, counted
  // from 1; larger ones begin again at the first.
  kLoadPart,
  kStorePart,
  kCasPart,
  kLock,
  kTryLock,  // result <- success
  kUnlock,
  kRdLock,
  kWrLock,
  kTryRdLock,  // result <- success
  kTryWrLock,  // result <- success
  kRwUnlock,
  kCondWait,       // condition `place`, mutex `place2`: kCondWait, kCondWake
  kCondTimedWait,  // the same; result <- 1 when signalled, 0 when timed out
  kSignal,
  kBroadcast,
  kSemWait,
  kSemTryWait,  // result <- success
  kSemPost,
  kSemRead,    // result <- count
  kBarrier,    // kBarrierArrive, kBarrierDepart
  kArrive,     // kBarrierArrive only
  kSpawn,      // thread `target`
  kJoin,       // thread `target`
  kAwait,      // place `comparison` value
  kAwaitBoth,  // the same, and place2 `comparison` value
  kObserve,    // place `comparison` value, or the thread fails: an observed assertion
  // Loops that wait (trace/wait_set.h), one event per access.
  kSpin,       // load place while place `comparison` value
  kSpinBoth,   // load place, then place2, while both `comparison` value
  kSpinSwap,   // exchange place and value while place == value
  kOnceEnter,  // result <- 1 when this thread is to run the initialiser
  kOnceLeave,
  kOnceAbandon,  // kOnceLeave without success: the initialiser has to run again
  kFutexWait,  // if place == value: sleep: kFutexWait, then kFutexWoken. result <- 1 when it slept
  kFutexWake,  // wakes up to `ways` sleepers of place
  // Messages. value2: the alternative of what is sent; the accepted ones as a bit set.
  kSend,          // value to mailbox `place`
  kReceive,       // result <- the value of the oldest message that it accepts
  kReceiveAfter,  // the same; result <- -1 if there is none
  kCount,         // takes the oldest message that it accepts without looking at it
  kCountAfter,    // the same; result <- 1, or 0 if there is none
  // Tables: an entry is what was inserted, made odd; 0 is none.
  kInsert,     // key `place` <- value
  kInsertNew,  // the same if there is no entry; result <- success
  kLookup,     // result <- the entry
  kDelete,
  // The lives of objects.
  kInitMutex,
  kDestroyMutex,
  kInitRwLock,
  kDestroyRwLock,
  kInitCondition,
  kDestroyCondition,
  kInitSemaphore,  // with value mod 4
  kDestroySemaphore,
  kInitBarrier,
  kDestroyBarrier,
  kChoose,  // result <- one of 0 .. ways - 1
  kYield,
  kFence,        // of its order; an event under a weak memory model only
  kExit,         // ends the program, once no other thread is enabled
  kAtomicBegin,  // all up to the matching kAtomicEnd (or the thread's end) is one event
  // Local.
  kSet,     // result <- value
  kAdd,     // result += value
  kMul,     // result *= value
  kMod,     // result mod= value (0: no effect)
  kIf,      // if `reg` comparison value.constant: go to `target`
  kLoop,    // ++reg; if reg < value.constant: go to `target`
  kAssert,  // reg comparison value.constant, or the thread fails
  kAssume,  // reg comparison value.constant, or the thread never goes on
  kAtomicEnd,
};
inline constexpr int kCodes = static_cast<int>(Code::kAtomicEnd) + 1;

struct Place {
  std::uint16_t base = 0;
  std::int8_t index = kNoRegister;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Value {
  std::int32_t constant = 0;
  std::int8_t reg = kNoRegister;  // added to the constant
  friend bool operator==(const Value&, const Value&) = default;
};

struct Instruction {
  Code code = Code::kYield;
  std::uint8_t reg = 0;  // where the result goes, or what a local instruction tests
  std::uint8_t order = __ATOMIC_SEQ_CST;  // the memory order, where there is one
  Comparison comparison = Comparison::kEqual;
  std::uint16_t ways = 1;
  Place place;
  Place place2;
  Value value;
  Value value2;
  std::uint16_t target = 0;  // an instruction of this thread, or a thread
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct Thread {
  bool spawned = false;  // starts with a kSpawn instead of with the program
  std::vector<Instruction> code;
  friend bool operator==(const Thread&, const Thread&) = default;
};

struct Program {
  // How many objects of each class, and what each starts with: the value of a variable, the count
  // of a semaphore, the capacity of a barrier (at least 1); 0 for the others.
  std::array<std::vector<std::int32_t>, kObjectClasses> objects;
  std::vector<Thread> threads;
  // So often a thread may wake up spuriously (kCondWait, kCondTimedWait, kFutexWait), and fail
  // spuriously (kCas, kCasPart, tries of locks). Each time is a kChoose before the operation. A
  // wait that ends spuriously unlocks and locks its mutex, or loads the word of the futex; a
  // compare-exchange that fails spuriously loads, and a try does nothing.
  std::uint8_t spurious_wakeups = 0, spurious_failures = 0;

  const std::vector<std::int32_t>& of(ObjectClass c) const {
    return objects[static_cast<std::size_t>(c)];
  }
  std::vector<std::int32_t>& of(ObjectClass c) { return objects[static_cast<std::size_t>(c)]; }
  friend bool operator==(const Program&, const Program&) = default;
};

// What an instruction consists of: for printing, parsing, generating and shrinking.
enum class Part : std::uint8_t {
  kNone,
  kResult,
  kPlace,
  kPlace2,
  kValue,
  kValue2,
  kWays,
  kThread,
  kTest,  // reg comparison constant
  kTarget,
  kComparison,
};
struct Form {
  Code code;
  std::string_view name;
  OpKind kind = OpKind::kNone;  // kNone: a local instruction
  std::array<Part, 5> parts{};
  ObjectClass of_place = ObjectClass::kVariable;
  ObjectClass of_place2 = ObjectClass::kVariable;
  OpKind second = OpKind::kNone;  // the kind of the second event, where there is one
};
const Form& form(Code code);
// Why the program cannot be run, or an empty view. These must hold:
//   targets exist, and a jump goes at most to the end of the code;
//   registers are below kRegisters;
//   every class that an instruction names has an object;
//   a thread is spawned by at most one other thread, and by one if and only if it is marked so.
std::string_view invalid(const Program& program);
bool is_local(Code code);
// Whether it accesses two bytes of a variable, and the first of them, from 0.
constexpr bool is_partial(Code code) { return code >= Code::kLoadPart && code <= Code::kCasPart; }
constexpr unsigned first_byte(const Instruction& in) {
  return is_partial(in.code) ? (in.ways - 1u) % 3 : 0;
}
bool has_part(Code code, Part part);
// A kLock or kTryLock that belongs to a call that takes several mutexes or none, as std::lock does it
// (native/loops/standard_lock.h): `ways` is this, and `target` is where the call begins. The text of
// a program does not show it.
inline constexpr std::uint16_t kInCall = 2;
constexpr bool is_in_call(const Instruction& in) {
  return (in.code == Code::kLock || in.code == Code::kTryLock) && in.ways == kInCall;
}

// A number of the model as the bytes that a label has.
constexpr std::uint64_t widen(std::int32_t v) {
  return static_cast<std::uint64_t>(std::int64_t{v});
}

}  // namespace mazur::model
