// Where the heap's large blocks lie: a range of addresses per thread, away from the small blocks,
// in which each block has pages of its own. Pages are zero when they are handed out, in every
// execution, and nobody has to clear them: a restart gives the touched ones back to the kernel, and
// what the kernel provides next is zero. So what a large block costs does not grow with its size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/label.h"

namespace mazur::native {

// Above this a thread is given again what it freed, small blocks and large ones apart: a long
// execution must not eat the machine's memory.
constexpr std::size_t kReuseAbove = std::size_t{256} << 20;

// Room for `size` bytes at a multiple of `alignment` (a power of two), all zero, as are the 16
// bytes below and at least one byte behind. Where it lies depends only on what the thread took and
// gave back before.
struct LargeRoom {
  std::uintptr_t at = 0;  // 0: there is no room
  std::size_t size = 0;   // what was set aside: more than asked for
  bool again = false;     // it was a block in this execution before
};
LargeRoom take_large(ThreadId thread, std::size_t size, std::size_t alignment);
// Freed by the thread that took it: may be handed out again, once the thread has used up much.
void give_back_large(std::uintptr_t at, std::size_t size);

bool is_large(const void* address);
// The thread whose range a large block lies in, and where that range begins.
ThreadId owner_of_large(std::uintptr_t address);
std::uintptr_t begin_of_large(std::uintptr_t address);

// Mixes what lies in all ranges into a hash. False, and nothing is mixed, if that is too much to
// look at.
bool mix_large_blocks(std::uint64_t& hash);

// A new execution: every range is empty.
void reset_large_blocks();

}  // namespace mazur::native
