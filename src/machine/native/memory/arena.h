// The program's heap: one arena per thread, at an address that depends on the thread's id alone, so
// that what malloc returns depends only on that thread's own allocations and not on the schedule.
// Nothing is reused within an execution until an arena runs short; a restart sets every arena back
// to where it was at the snapshot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/runtime.h"

namespace mazur::native {

// What was allocated before the snapshot is part of it (only main's arena can have grown by then).
struct ArenaRange {
  char* begin;
  char* end;
};
ArenaRange arena_at_snapshot();

// For messages: the block that an address of the heap lies in, or just before or behind. `begin` is
// 0 if there is none.
struct HeapBlock {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
};
HeapBlock heap_block_near(std::uintptr_t address);

// What fresh memory is filled with. As a pointer it is an address that cannot exist.
inline constexpr int kPoison = 0xaa;

// The size of a block that is in use, or kNotUsed.
inline constexpr std::size_t kNotUsed = ~std::size_t{0};
std::size_t used_size(std::uintptr_t block);
// The thread whose arena an address of the heap lies in.
ThreadId arena_owner(std::uintptr_t address);

// Mixes what lies behind the mark of every arena into a hash.
void mix_arenas(std::uint64_t& hash);

// From now on a restart comes back to here.
void mark_arenas();
// Back to the mark. Blocks that were freed before the mark are restored by the snapshot.
void reset_arenas();

}  // namespace mazur::native
