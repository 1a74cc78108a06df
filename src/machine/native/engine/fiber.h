// Threads of the program as fibers of one OS thread, with real thread-local storage (the FS base is
// switched).
//
// A Fiber belongs to a ThreadId for good: its stack and its thread-local block are allocated once,
// at addresses that depend on the id alone, and used again in every execution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/native/engine/runtime.h"
#include "machine/native/loops/waiting_loop.h"

struct _Unwind_Exception;

extern "C" {
void mazur_enter(void** save_sp, void* load_sp);
void mazur_leave(void** save_sp, void* load_sp);
[[noreturn]] void mazur_jump(void* load_sp);
void mazur_fiber_start();
}

namespace mazur::native {

inline constexpr std::size_t kKeys = 1024;  // pthread keys
// Fixed places, so that addresses of stacks are the same in every execution and process.
inline constexpr std::uintptr_t kStacks = 0x610000000000;
inline constexpr std::size_t kStackStride = kStackSize + (64 << 10);  // with a guard below

struct ThreadLocalDestructor {
  void (*function)(void*);
  void* object;
};

// A frame of pthread_cleanup_push in C code (glibc's __pthread_unwind_buf_t).
struct CleanupFrame;

struct Fiber {
  // What never changes.
  ThreadId id = 0;
  ThreadId parent = kNoThread;
  char* stack = nullptr;            // lowest usable address; the guard lies below
  void* fs = nullptr;               // thread control block
  std::vector<ThreadId> child_ids;  // the stable ids of its children, by place

  // Its stack (stack.h): the pages from `open_from` on were written in some execution. `deep`: so
  // were some far below.
  char* open_from = nullptr;
  bool deep = false;

  // One execution.
  void* sp = nullptr;
  bool live = false;  // created and not ended
  bool ended = false;
  bool ending = false;  // nothing of the program is left to run: it only gives up its stack
  bool failed = false;
  bool detached = false;
  bool joined = false;
  std::uint32_t children = 0;  // created so far
  void* (*function)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  Wait wait;          // of the pending operation
  Operation pending;  // the operation it is about to do
  const Operation* op = &pending;
  std::uint64_t pc = 0;  // where
  std::size_t slot = 0;  // its place in the frontier
  // Blocking primitives leave notes here for the one operation a thread can be in.
  const void* waiting_on = nullptr;  // condition variable or futex whose waiter it is
  std::uint32_t wait_mask = 0;       // futex bitset
  bool woken = false;
  bool timed = false;
  // Spurious wake-ups and failures so far, and how often it could have failed at which place.
  std::uint32_t spurious_wakeups = 0, spurious_failures = 0;
  struct Attempts {
    std::uint64_t pc;
    std::uint32_t count;
  };
  std::vector<Attempts> attempts;
  std::vector<std::uint64_t> timeouts;    // where it has timed out
  int cancel_state = 0, cancel_type = 0;  // enabled, deferred
  char name[16] = "";

  std::vector<ThreadLocalDestructor> destructors;
  std::vector<void*> keys;  // pthread_setspecific
  CleanupFrame* cleanup = nullptr;
  WaitingLoop loop;
  std::vector<std::uint64_t> call_stack;  // of the pending operation, when runtime.capture_stacks
};

// All fibers by id, those of other executions included.
extern Fiber* fibers[kMaxThreads];
extern ThreadId fiber_count;
// The fiber of a thread id, made if it does not exist yet. Scheduler context or a fiber's.
Fiber& make_fiber(ThreadId id);
inline Fiber& fiber_of(ThreadId id) {
  if (Fiber* fiber = fibers[id]; __builtin_expect(fiber != nullptr, 1)) return *fiber;
  return make_fiber(id);
}
// The fiber of a live or ended thread of this execution, or null.
inline Fiber* find_fiber(ThreadId id) {
  if (id >= fiber_count || fibers[id] == nullptr) return nullptr;
  return fibers[id]->live || fibers[id]->ended ? fibers[id] : nullptr;
}
Fiber* fiber_by_fs(const void* fs);
// Whether every other thread of the execution has been joined: all that they did has happened before,
// and threads to come are created after this. It does not depend on the schedule within a trace: a
// thread that is not joined was created by one that is in the past of this one, or by another such
// thread.
bool is_alone();
// How many ids have been given out.
inline ThreadId known_threads() { return fiber_count; }
// The id of the n-th child of a thread: the same in all executions, unless they are numbered anew.
ThreadId child_id(Fiber& parent, std::uint32_t n);
// For walks, which compare no two executions: in each the threads are numbered in the order in which
// they are to be created. So what an execution does, down to addresses of stacks, does not depend on
// those before it.
extern bool threads_are_numbered_anew;
// An execution begins, and they are.
void forget_numbers();
// Before an execution: as in this schedule, which another process may have run. What makes no sense
// is left out.
void number_threads_as(std::span<const Event> schedule);
// While it lives, they are not: executions of one schedule, and of others that are made from it, are
// compared. The first one numbers the threads.
class LastingNumbers {
 public:
  LastingNumbers();
  ~LastingNumbers() { threads_are_numbered_anew = before_; }
  LastingNumbers(const LastingNumbers&) = delete;
  LastingNumbers& operator=(const LastingNumbers&) = delete;

 private:
  const bool before_;
};

// The parents of threads 1, 2, ... as they are numbered here; none if the numbers do not last.
// Numbers them as another process has done, which knows at least as much; false if some of them have
// other numbers here already.
std::vector<ThreadId> thread_parents();
bool number_threads(std::span<const ThreadId> parents);

// Makes `fiber` start at `entry` when it is first switched to, with a fresh stack and fresh
// thread-local storage (main keeps its own).
void prepare(Fiber& fiber, void (*entry)());

// From the scheduler to a fiber, until that comes back. The scheduler goes on with the thread-local
// storage of whoever ran last: changing it is the most expensive part of a switch, and nothing is
// done between two steps that would leave something there (errno, for example).
void enter(Fiber& fiber);
// From a fiber back to the scheduler.
void leave();
// The same, and the fiber never goes on.
[[noreturn]] void abandon();

// Whose stack an address lies in, or kNoThread.
inline ThreadId stack_owner(std::uintptr_t address) {
  const std::uintptr_t place = (address - kStacks) / kStackStride;
  return place < fiber_count ? static_cast<ThreadId>(place) : kNoThread;
}
// While one lives, the scheduler context has its own thread-local storage: for work between steps
// that calls into libc.
class OwnStorage {
 public:
  OwnStorage();
  ~OwnStorage();
  OwnStorage(const OwnStorage&) = delete;
  OwnStorage& operator=(const OwnStorage&) = delete;

 private:
  void* before_;
};

// Whether an address lies in the guard below a fiber's stack.
bool in_guard(const void* address);

// Its thread-local storage with the thread control block.
struct ThreadLocalRange {
  const char* begin;
  const char* end;
};
ThreadLocalRange thread_local_range(const Fiber& fiber);

// Finds out about thread-local storage and gives the scheduler its own block. Once, before the
// snapshot.
void set_up_thread_local_storage();

// Destructors of thread_local objects and pthread keys of the running thread.
void run_thread_destructors();
// Ends the running thread. Never returns.
[[noreturn]] void end_thread();

// Of an operation with a choice its value says between how many.
inline std::uint16_t ways_of_choice(const Fiber& fiber) {
  return static_cast<std::uint16_t>(fiber.op->value);
}

}  // namespace mazur::native
