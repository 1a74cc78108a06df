// The heap blocks that were allocated before main. They exist in every execution, but the shadow
// memory forgets its marks with every execution. So where these blocks end is looked up here, when
// memory is first touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazur::native {

void note_early_block(std::uintptr_t begin, std::size_t size);
void forget_early_block(std::uintptr_t begin);
// There are no further blocks: the heap reached from `heap_begin` to `heap_end` at the snapshot.
void keep_early_blocks(std::uintptr_t heap_begin, std::uintptr_t heap_end);

extern std::uintptr_t early_heap_begin, early_heap_end;
inline bool in_early_heap(std::uintptr_t address) {
  return address - early_heap_begin < early_heap_end - early_heap_begin;
}
// Which of the 8 bytes at `granule` belong to no block; a granule outside of the early heap has
// none.
unsigned outside_early_blocks(std::uintptr_t granule);

}  // namespace mazur::native
