// The one singleton of the native machine, and what every primitive needs of it.
//
// The program under test and the explorer live in one process. The explorer runs in the *scheduler
// context* (the process's own stack, its own thread-local storage); each thread of the program is a
// Fiber. At any time exactly one of them runs. A hook or an interposed function that is called by
// the program runs on the fiber of the calling thread:
//
//   1. it describes what it is about to do as an Operation and calls visible(): control goes to the
//      scheduler;
//   2. visible() returns when the explorer has chosen this thread, which is only when the operation
//      is enabled;
//   3. it does the operation, writes the results into the Label that visible() returned, and goes
//      on.
//
// Code outside of an execution (static constructors, the runtime itself) gets a label that nobody
// looks at, and goes on.
//
// The runtime's own data lies in this shared object and in its private heap: neither is part of the
// snapshot. State that belongs to one execution is reset in NativeMachine::restart().
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/machine.h"
#include "protocol/channel.h"
#include "protocol/loop_obstacle.h"
#include "trace/label.h"

// Defined for the program, in libtsan's or libc's place.
#define MAZUR_EXPORT extern "C" __attribute__((visibility("default"), used))

// Where the program called us from.
#define MAZUR_CALLER __builtin_return_address(0)

namespace mazur::native {

inline constexpr ThreadId kMaxThreads = 512;
inline constexpr std::size_t kStackSize = 8 << 20;  // of a fiber; as glibc's default

struct Fiber;

// The memory order of a plain access that is an event.
inline constexpr std::uint8_t kPlainOrder = 0xff;

// When a pending operation can run, and how many outcomes it has: asked between steps, in the
// scheduler context.
struct Wait {
  bool (*enabled)(const Fiber&) = nullptr;        // null: always
  std::uint16_t (*ways)(const Fiber&) = nullptr;  // null: one
};

struct Runtime {
  Channel* channel = nullptr;        // null: the program was started without mazur
  bool running = false;              // a fiber of an execution runs
  Fiber* current = nullptr;          // the fiber that runs, or null in the scheduler context
  Event event;                       // the step under way
  std::uint64_t plain_accesses = 0;  // since the last visible operation
  std::uint64_t look_at = 0;    // when so many of them, the thread is looked at (endless_loop.h)
  std::uint64_t hooks = 0;      // steps so far: for the watchdog
  std::uint32_t execution = 0;  // number of the execution, for per-execution state with a stamp
  // Since its last event began, the thread has changed something other than its stack, and not by
  // that event: then no round of a loop is fruitless (waiting_loop.h).
  bool changed = false;
  // The same for a part of its stack that other threads look at (round_assumptions.h).
  bool wrote_shown = false;
  // It has made a plain access to something that others may access, too.
  bool touched = false;
  // A round with locks that was in vain stops its thread for good, as explorers want it. False: it
  // waits for others to do something, as is best for random walks.
  bool stop_in_vain = false;
  bool watch_loops = true;        // --loops=wait
  bool explains_loops = false;    // what keeps loops from waiting is noted (why_not_waiting.h)
  bool follows_schedule = false;  // a recorded one: no loop waits (Machine::follow_schedule)
  std::uintptr_t stack = 0;       // of the running fiber: its lowest address
  bool capture_stacks = false;    // replaying for a report: note the call stack of each operation
  bool explore_plain = false;  // --races=explore, or in a block: plain accesses go to plain_event
  bool begun = false;          // the execution has had an event, or has one now
  bool in_block = false;       // the running thread is inside an atomic block
  bool note_places = false;    // Pending::place is wanted
  std::size_t stop_at_step = ~std::size_t{0};  // in a debugger: before this step
  bool booting = true;                         // before main: constructors run
  // The code of libgcc_s. What it synchronises on is its own affair: nothing switches inside of it.
  std::uint64_t unwinder_begin = 0, unwinder_size = 0;
  int error_fd = 2;  // the real standard error
  void* scheduler_sp = nullptr;
  void* scheduler_fs = nullptr;
  void* main_fs = nullptr;
};

extern Runtime runtime;

// Whether plain accesses are watched: nonzero sends them through watched_access (plain.h).
extern "C" __attribute__((visibility("hidden"))) std::uint8_t mazur_watch_plain;
inline constexpr std::uint8_t kWatchEvents = 1;  // runtime.explore_plain
inline constexpr std::uint8_t kWatchLoop = 2;    // the running thread is looked at (endless_loop.h)
inline constexpr std::uint8_t kWatchLeft = 4;    // some thread stays in an endless loop
inline constexpr std::uint8_t kWatchWrites = 8;  // what writes replace is noted (kept_memory.h)

inline void explore_plain(bool on) {
  runtime.explore_plain = on;
  mazur_watch_plain = static_cast<std::uint8_t>((mazur_watch_plain & ~kWatchEvents) | on);
}

// The running thread changes something that is not on its stack, and that is no event.
void note_obstacle(LoopObstacle what);
inline void note_change(LoopObstacle what = LoopObstacle::kChange) {
  runtime.changed = true;
  if (__builtin_expect(runtime.explains_loops, 0)) note_obstacle(what);
}
extern bool stacks_are_looked_at;
bool is_looked_at(std::uintptr_t address);
// It accesses an address.
inline void note_access(const volatile void* p, bool writes) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (address - runtime.stack >= kStackSize) {
    runtime.touched = true;
    if (writes) runtime.changed = true;
  } else if (__builtin_expect(stacks_are_looked_at, 0) && is_looked_at(address)) {
    runtime.touched = true;
    if (writes) runtime.wrote_shown = true;
  }
}
inline void note_write(const volatile void* address) { note_access(address, true); }

// Announces an operation of the running thread and returns when it has been chosen (see above).
Label& visible(const Operation& operation, const void* pc, Wait wait = {});
// The same for an access to memory, which is never blocked. Hot: the operation stays in registers.
Label& visible_access(OpKind kind, int order, std::uint32_t size, ObjectId object, const void* pc);

// The outcome that was chosen for the operation visible() returned for.
inline std::uint16_t chosen() { return runtime.event.choice; }

// Ends the running thread with an error. The others can go on.
[[noreturn]] void fail(FailureKind kind, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The program called something that is not controlled: ends the exploration with verdict
// `unsupported`.
[[noreturn]] void unsupported(const char* call, const void* pc);

// Whether a fiber of an execution runs. Hooks ask this first.
inline bool in_execution() { return __builtin_expect(runtime.running, 1); }

// The id of the running thread; 0 outside of an execution.
ThreadId current_thread();

// Whether an address is code of the program itself (not of a library).
bool is_program_code(std::uint64_t pc);

// Whether it is code of the C library or its loader. Code there may hold locks of its own.
bool is_c_library(const void* pc);

// Called once libc can be asked for its functions.
void find_memory_functions();

// The real function behind an interposed one.
void* real_symbol(const char* name);
template <typename F>
F* real(F*& slot, const char* name) {
  if (__builtin_expect(slot == nullptr, 0)) slot = reinterpret_cast<F*>(real_symbol(name));
  return slot;
}

}  // namespace mazur::native
