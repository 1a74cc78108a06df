// Loops that wait: `while (!flag.load()) {}`, test-and-set locks, a compare-exchange that is tried
// again, looking under a lock, backing off from one. docs/waiting.md says why stopping them loses
// nothing; trace/wait_set.h what a stopped one is for the explorers.
//
// A round of a loop ends when the thread comes back to an operation (by its program counter). It
// was fruitless if the thread has the registers and the stack that it had there before, and has
// changed nothing elsewhere: all its events in between only read, or wrote what was there already,
// and it made no plain write outside of its stack, no allocation, and looked at no clock. In an
// exploration the thread then stops for good: its next operation is a kNever with the value kInVain.
// Otherwise the operation is disabled until another thread writes something the round has read, or
// gives back what it took or tried (trace/blocking/lock_round.h).
//
// Looking costs nothing in straight code: the stack is compared only from the second visit of an
// operation on, so the first round that can be recognised is the second one; at operations that a
// few trial runs (learn_loops) have found to be in such loops, it is the first one. What other
// threads write into the stack meanwhile (locals that they share) is none of the loop's doing: it
// is seen as the difference between leaving the thread and coming back to it, and taken over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/machine.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/loops/standard_lock.h"
#include "trace/blocking/lock_round.h"
#include "trace/fields.h"
#include "trace/label.h"
#include "trace/wait_set.h"

namespace mazur::native {

struct Fiber;

// The registers a function must preserve, and the stack pointer, as the program called a hook with
// them. `sp` is 0 if the hook that the thread was left in did not note them: no round begins there.
// What lies below `sp` is the runtime's own, and not the same from round to round.
struct Entry {
  std::uintptr_t sp = 0;
  std::array<std::uint64_t, 6> registers = {};
};
extern "C" __attribute__((visibility("hidden"))) Entry mazur_entry;

#define MAZUR_DEFINE_ENTRY(name, instructions) \
  asm(".pushsection .text\n"                   \
      ".globl " #name                          \
      "\n"                                     \
      ".type " #name ", @function\n" #name     \
      ":\n"                                    \
      ".cfi_startproc\n" instructions          \
      ".cfi_endproc\n"                         \
      ".size " #name ", .-" #name              \
      "\n"                                     \
      ".popsection");
#define MAZUR_NOTE_REGISTERS(entry) \
  "movq %rsp, " #entry              \
  "(%rip)\n"                        \
  "movq %rbx, " #entry              \
  "+8(%rip)\n"                      \
  "movq %rbp, " #entry              \
  "+16(%rip)\n"                     \
  "movq %r12, " #entry              \
  "+24(%rip)\n"                     \
  "movq %r13, " #entry              \
  "+32(%rip)\n"                     \
  "movq %r14, " #entry              \
  "+40(%rip)\n"                     \
  "movq %r15, " #entry "+48(%rip)\n"

// Defines an exported function that notes the registers and goes on to mazur_in_<name>.
#define MAZUR_NOTE_ENTRY(name) \
  MAZUR_DEFINE_ENTRY(name, MAZUR_NOTE_REGISTERS(mazur_entry) "jmp mazur_in_" #name "\n")
// The same for a function that is defined right after it: one that a loop can come back to.
#define MAZUR_LOOP_ENTRY(T, name) \
  MAZUR_NOTE_ENTRY(name)          \
  extern "C" __attribute__((visibility("hidden"), used)) T mazur_in_##name
// The same for plain accesses, which are frequent: it notes them and goes on to
// mazur_watched_<name> only while plain accesses are watched, and to mazur_in_<name> otherwise.
#define MAZUR_WATCHED_ENTRY(name)                         \
  MAZUR_DEFINE_ENTRY(name,                                \
                     "cmpb $0, mazur_watch_plain(%rip)\n" \
                     "je mazur_in_" #name                 \
                     "\n" MAZUR_NOTE_REGISTERS(mazur_entry) "jmp mazur_watched_" #name "\n")

// How many loops have an anchor. Writes matter only while there are some.
extern unsigned anchored_loops;

// What a thread's recent rounds are known to have done. Part of its Fiber.
struct WaitingLoop {
  static constexpr std::size_t kVisits = 16;
  static constexpr std::size_t kReads = 24;
  static constexpr std::size_t kMaxStack = 64 << 10;  // deeper loops are not recognised

  struct Read {
    Location location;
    std::uint64_t step = 0;
  };

  // Operations visited since something changed, or since the anchor.
  std::array<std::uint64_t, kVisits> visits;
  std::size_t visit_count = 0;
  // The operation that a round is to come back to, with the stack as it was there.
  bool anchored = false;
  // How often it has been met since, in another state, and after how many times a new anchor is
  // set: doubled each time, so that an operation that a round meets several times is found (Brent).
  std::size_t met = 0;
  std::size_t patience = 1;
  std::uint64_t anchor_place = 0;  // where (place_in_loop)
  std::uint64_t anchor_step = 0;   // the step after which it was set
  Entry anchor_entry;
  std::vector<char> anchor;        // from the stack pointer up to the end of the stack
  std::vector<char> parked;        // the same bytes when the thread was left
  std::array<Read, kReads> reads;  // since the anchor
  std::size_t read_count = 0;
  // The operation at hand begins another round, and waits.
  bool waiting = false;
  bool woken = false;
  LockRound locks;
  StandardLock standard;
  // Since the round began, it wrote to a part of its stack that others look at; it made a plain
  // access to what others may access.
  bool wrote_shown = false;
  bool touched = false;
  bool spared = false;    // since the anchor, a round in vain has gone on
  bool kept = false;      // since the round began, it made plain writes of what was there already
  bool rewrote = false;   // since the anchor, an exchange has put there what was there already
  bool read_old = false;  // since the round began, it read something else than what was stored last
  ObjectId looked_at = 0;  // in vain, without locks: the name of what it read besides
  bool in_vain = false;    // waiting: after a round with locks
  bool undecided = false;  // such a round has observers: loop_stops() is to be asked
  Wait own_wait;           // waiting: when the operation itself would be enabled

  bool slept = false;      // since the round began, it has slept or timed out
  std::uint64_t look = 0;  // the name of the look that it had its anchor at (native_looks.h)
  std::uint64_t looked_value = 0;  // what the first operation of the round read
  void start_round() { wrote_shown = touched = rewrote = kept = read_old = slept = false; }
  void forget() {
    visit_count = 0;
    if (!anchored) return;
    read_count = 0;
    anchored = false;
    undecided = false;
    look = 0;
    patience = 1;
    --anchored_loops;
  }
};

// Runs the program a few times, with various schedules, to find the operations at which loops wait.
// Before an exploration: what an execution does must not change during one. Memory that threads
// share is found on the way (shared_granules.h).
void learn_loops(Machine& machine);
// While it is on, operations at which loops wait are noted. Whether there are any.
void note_loops(bool on);
bool knows_loops();

// A new execution.
void reset_waiting_loops();
// A thread has changed something that lasts.
void loop_changes(const Fiber& fiber);
// A new thread stands at its first operation. Returns whether that has changed, as below.
bool loop_starts(Fiber& fiber);
// The operation that a thread that has stopped after a round with locks shows in its place.
Operation in_vain_operation(const Fiber& fiber);
// Whether its own operation is enabled. Lets it go on with that, to see whether it does something else
// now.
bool loop_can_go_on(const Fiber& fiber);
void loop_goes_on(Fiber& fiber);
// After a round that others have seen (LockRound::observed): whether a repetition is known, so that
// the thread stops for good. `trace` has all events so far.
bool loop_stops(Fiber& fiber, const Trace& trace);
// Before a thread is resumed for a step.
void loop_resumes(Fiber& fiber);
// After a step of a thread, while standard_locks_on: it stands at its next operation, or has ended.
void loop_locks(Fiber& fiber, const Label& did);
// After a step of the thread: it stands at its next operation. Returns whether that waits now, or may;
// then its pending operation says for what.
bool loop_arrives(Fiber& fiber, const Label& did, std::uint64_t step);
// The same for a thread without an anchor, which is most of them: true if that was all there is to
// do, because its next operation is none that it has come back to. Hot.
bool loop_passes(Fiber& fiber);
// After every step while there are anchored loops: a write may end the waiting of others, and a try
// that failed may have looked at a round under way.
void loops_see(const Event& event, std::uint64_t step);

// Whether an operation of this kind can begin a round, and whether an event that was one left
// everything as it was.
inline constexpr KindSet kCanBeginRound =
    kMayTake | KindSet{OpKind::kLoad, OpKind::kRmw, OpKind::kCas};
inline bool can_begin_round(OpKind kind) { return kCanBeginRound.contains(kind); }
inline bool changed_nothing(const Label& did) {
  constexpr KindSet kOnlyLook =
      kTakesOrGives | KindSet{OpKind::kLoad, OpKind::kYield, OpKind::kFence};
  if (kOnlyLook.contains(did.kind)) return true;
  if (did.kind != OpKind::kRmw && did.kind != OpKind::kCas) return false;
  const bool compares = did.kind == OpKind::kCas || is_long_compare_exchange(did);
  return (compares && !did.success) || (did.size <= 8 && did.written == did.before);
}
// Whether a round can go on after an operation of this kind, although it cannot begin there.
inline bool can_pass(OpKind kind) {
  return kind == OpKind::kYield || kind == OpKind::kFence || takes_or_gives(kind);
}
// Wait::enabled of a waiting operation.
bool loop_is_woken(const Fiber& fiber);

}  // namespace mazur::native
