// Data races (--races=report) and accesses to memory that belongs to no object: every access of the
// program's code goes through the shadow memory, every executed operation through the clocks.
//
// The primitives know nothing of this. What an operation synchronises with follows from its label,
// which is complete when its hook returns to the program; so a step only notes that its
// synchronisation is pending, and it is applied before the thread's next access or, at the latest,
// when the thread has come to its next operation. Atomic operations apply it themselves, so that
// the call stack of their access is at hand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/fiber.h"
#include "machine/native/races/shadow.h"
#include "protocol/channel.h"

namespace mazur::native {

struct RaceState {
  Record64 me = 0;          // clock << 32 | thread << 16 of the running thread; 0: the slow way
  std::uint32_t stamp = 0;  // number of the execution
  bool on = false;
  bool pending = false;        // the step's synchronisation has not been applied yet
  bool found = false;          // there may be something to tell (race_report.h)
  bool reports_races = false;  // false: only what is wrong about memory
  // --races=explore: the order is that of creation and join alone (shared_granules.h).
  bool threads_only = false;
  // What was released is known by the store that is read, not by the address (stored_bytes.h).
  bool by_store = false;
};
extern RaceState race_state;

// `suppressions`: a file of them, or "".
void set_up_race_detector(Races races, const char* suppressions);
void reset_race_detector();

// The steps of the machine: a thread is about to run; it begins a step; it has come to its next
// operation or ended.
void thread_enters(const Fiber& fiber);
inline void step_begins() { race_state.pending = race_state.on || race_state.by_store; }
void thread_left(const Fiber& fiber);

void apply_pending();
// Called when the hook of an atomic operation has done the operation.
inline void synchronised() {
  if (__builtin_expect(race_state.pending, 0)) apply_pending();
}

// Order that is no event. Keys are addresses.
void happens_before(const void* key);
void happens_after(const void* key);
// The same for any thread, with any key.
void acquire_key(ThreadId thread, ObjectId key);
void release_key(ThreadId thread, ObjectId key);
void atomic_fence(int order);
// Between the call with `begin` and the one without (they nest), reads or writes of the running
// thread do not count.
void ignore_accesses(bool reads, bool begin);
// Races on this memory are intended.
void benign_race(const void* address, std::size_t size);

// The heap tells about its blocks: `room` bytes from `block` on belong to it, `size` of them to the
// program; `before` bytes in front of it belong to nobody.
void block_allocated(const void* block, std::size_t size, std::size_t room, std::size_t before);
void block_freed(const void* block, std::size_t size, const void* pc);

// The running thread ends, and its stack with it. With --races=explore that is an event, as free()
// is, if it is in a race with accesses of other threads.
void stack_ends(const void* pc);

void access_slowly(std::uintptr_t address, std::size_t size, unsigned kind, const void* pc);

// A plain access. The usual case is a thread that has accessed the same bytes before, since it last
// released: that is one comparison.
[[gnu::always_inline]] inline void detect(const volatile void* p, std::size_t size, bool writes,
                                          const void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (size <= 8 && (address & 7) + size <= 8) {
    const Record64 bytes = ((Record64{1} << size) - 1) << (address & 7);
    const Record64 own = race_state.me | bytes << 8 | (writes ? kWrite : kRead);
    const Cell& cell = cell_of(address);
    // A record of more bytes will do, and for a read a write.
    const Record64 may_have = writes ? 0xff00 : 0xff00 | kWrite;
    if (__builtin_expect(cell.stamp == race_state.stamp, 1)) {
      const Record64 a = cell.record[0], b = cell.record[1];
      if (((a ^ own) & ~(a & may_have)) == 0 || ((b ^ own) & ~(b & may_have)) == 0) return;
    }
  }
  access_slowly(address, size, writes ? kWrite : kRead, pc);
}

}  // namespace mazur::native
