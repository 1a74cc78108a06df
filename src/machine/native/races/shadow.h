// Shadow memory: what was done last to each byte of the program's memory, in this execution.
//
// Every 8 bytes (a granule) have a cell of records. A record is an access: thread, the thread's
// clock, which of the 8 bytes, and what kind. A cell keeps exactly the records that a later access
// could still race with:
//   1. a plain write without a race replaces everything on its bytes: all of it happened before;
//   2. a plain read replaces reads that happened before it. Reads of several threads stay side by
//      side (the read-shared clocks of FastTrack);
//   3. an atomic access replaces only atomic ones that happened before it, because atomic accesses
//      do not race with each other but do with plain ones.
// Memory that was freed, and the gaps between heap blocks, carry marks: records of their own kind.
//
// Two records lie in the cell, further ones in a list. Nothing is cleared between executions: a
// cell counts only if it carries the number of this execution. The shadow of an address is found by
// arithmetic; only pages that are used take memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/runtime.h"
#include "machine/native/races/sync_clocks.h"

namespace mazur::native {

// Bits of an access's kind.
inline constexpr unsigned kRead = 0;
inline constexpr unsigned kWrite = 1;
inline constexpr unsigned kAtomic = 2;
inline constexpr unsigned kFreed = 4;    // a mark: the block was freed by this thread
inline constexpr unsigned kRedzone = 8;  // a mark: between two blocks of the heap
inline constexpr unsigned kMarks = kFreed | kRedzone;

// clock << 32 | thread << 16 | bytes << 8 | kind; 0 is no record. A thread's clock is never 0.
using Record64 = std::uint64_t;

// The maker of a mark that no thread made.
inline constexpr Record64 kNobody = Record64{1} << 32;

inline Clock clock_of(Record64 r) { return static_cast<Clock>(r >> 32); }
inline ThreadId thread_of_record(Record64 r) { return static_cast<ThreadId>(r >> 16); }
inline unsigned bytes_of(Record64 r) { return static_cast<unsigned>(r >> 8) & 0xff; }
inline unsigned kind_of(Record64 r) { return static_cast<unsigned>(r) & 0xff; }

struct Cell {
  std::uint32_t stamp;  // number of the execution
  std::uint32_t more;   // first node of the list, or 0
  Record64 record[2];
  std::uint32_t pc[2];  // low half of where
};
static_assert(sizeof(Cell) == 32);

// All memory lies in windows that differ in the 44 lower bits of their addresses: program and
// libraries at 0x55.. and 0x7f.., stacks, thread-local storage and heap at 0x61..0x64, large blocks
// and what the program maps at 0x68..0x6d.
inline constexpr std::uintptr_t kShadow = 0x100000000000;
inline constexpr std::uintptr_t kShadowed = std::uintptr_t{1} << 44;

inline Cell& cell_of(std::uintptr_t address) {
  return *reinterpret_cast<Cell*>(kShadow + ((address & (kShadowed - 8)) << 2));
}

// An access of the program as it is reported.
struct Access {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  unsigned kind = kRead;
  const void* pc = nullptr;
};

// Reserves the address space. Once.
void set_up_shadow();
// A new execution with this number.
void reset_shadow(std::uint32_t stamp);

// Told about what an access meets. Both may end the thread and not return.
struct ShadowEvents {
  void (*race)(const Access& access, std::uintptr_t granule, Record64 earlier,
               std::uint32_t earlier_pc);
  void (*marked)(const Access& access, std::uintptr_t granule, Record64 mark, std::uint32_t pc);
};
extern ShadowEvents shadow_events;

// The usual access within a granule, in a few instructions: a cell without marks whose records
// happened before and have room beside the new one. `own` is the record. False, and nothing is
// changed: shadow_access() must look.
bool shadow_quickly(Record64 own, std::uintptr_t address, std::uint32_t pc);

// Records an access of any size by the thread and clock in `me` (clock << 32 | thread << 16). A
// free() is a write of the whole block.
void shadow_access(Record64 me, const Access& access);

// Puts a mark on a range, in place of whatever is there.
void shadow_mark(std::uintptr_t address, std::size_t size, Record64 me, unsigned mark,
                 std::uint32_t pc);
// Forgets everything about a range: memory that is handed out again.
void shadow_forget(std::uintptr_t address, std::size_t size);
// Whether a byte of the range was accessed by an atomic operation, and not written plainly since.
bool shadow_has_atomic(std::uintptr_t address, std::size_t size);
// The mark on a byte, or 0.
Record64 shadow_mark_at(std::uintptr_t address, std::uint32_t& pc);

}  // namespace mazur::native
