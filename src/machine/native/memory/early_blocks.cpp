#include "machine/native/memory/early_blocks.h"

#include <algorithm>
#include <map>

#include "machine/native/memory/private_heap.h"

namespace mazur::native {

std::uintptr_t early_heap_begin = 0, early_heap_end = 0;

namespace {

// Begin -> end. Made before any constructor can allocate.
std::map<std::uintptr_t, std::uintptr_t>& blocks() {
  static auto& all = *new std::map<std::uintptr_t, std::uintptr_t>;
  return all;
}

}  // namespace

void note_early_block(std::uintptr_t begin, std::size_t size) {
  PrivateHeapScope scope;
  blocks()[begin] = begin + size;
}

void forget_early_block(std::uintptr_t begin) {
  PrivateHeapScope scope;
  blocks().erase(begin);
}

void keep_early_blocks(std::uintptr_t heap_begin, std::uintptr_t heap_end) {
  early_heap_begin = heap_begin;
  early_heap_end = heap_end;
}

unsigned outside_early_blocks(std::uintptr_t granule) {
  if (!in_early_heap(granule)) return 0;
  // Blocks begin at multiples of 16: only one can reach into a granule.
  auto at = blocks().upper_bound(granule);
  if (at == blocks().begin()) return 0xff;
  const std::uintptr_t end = (--at)->second;
  if (end <= granule) return 0xff;
  return end >= granule + 8 ? 0 : 0xffu & ~((1u << (end - granule)) - 1);
}

}  // namespace mazur::native
