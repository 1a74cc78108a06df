// qsort and its relatives. The comparison is the program's, and is seen; what the library moves is
// told here.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h). With --races=explore, an
// array that threads share is read in one event, sorted in a place of its own, and written back in
// another one: the comparison may have events of its own.
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/engine/shared_granules.h"
#include "machine/native/library/library_call.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/races/shadow.h"

using namespace mazur::native;

namespace {

template <typename Sort>
void sort_apart(LibraryCall& call, const char* name, const void* pc, void* array, std::size_t size,
                Sort&& sort) {
  char* copy;
  {
    const PrivateHeapScope scope;
    copy = static_cast<char*>(private_allocate(size));
  }
  // Earlier accesses to this memory, under another owner, do not count.
  if (race_state.on) shadow_forget(reinterpret_cast<std::uintptr_t>(copy), size);
  call.touches([&] { call.reads(array, size); });
  memcpy(copy, array, size);
  sort(copy);
  LibraryCall back(name, pc);
  back.touches([&] { back.writes(array, size); });
  memcpy(array, copy, size);
  private_free(copy);
}

// `sort(array)` calls the real function.
template <typename Sort>
void tell_sort(const char* name, const void* pc, void* array, std::size_t count, std::size_t size,
               Sort&& sort) {
  LibraryCall call(name, pc);
  note_library_write(array, pc);
  const std::size_t bytes = count > 1 ? count * size : 0;
  if (!call || bytes == 0) return sort(array);
  if (runtime.explore_plain && !runtime.in_block && runtime.begun &&
      is_shared(reinterpret_cast<std::uintptr_t>(array), bytes))
    return sort_apart(call, name, pc, array, bytes, sort);
  call.touches([&] {
    call.reads(array, bytes);
    call.writes(array, bytes);
  });
  sort(array);
}

}  // namespace

MAZUR_LIBRARY(void, qsort,
              (void* array, std::size_t count, std::size_t size, __compar_fn_t compare)) {
  tell_sort("qsort", MAZUR_CALLER, array, count, size, [&](void* elements) {
    MAZUR_REAL(qsort)(elements, count, size, compare);
  });
}

MAZUR_LIBRARY(void, qsort_r,
              (void* array, std::size_t count, std::size_t size, __compar_d_fn_t compare,
               void* argument)) {
  tell_sort("qsort_r", MAZUR_CALLER, array, count, size, [&](void* elements) {
    MAZUR_REAL(qsort_r)(elements, count, size, compare, argument);
  });
}

namespace {

// The comparison reads what it is given. If it is a function of the library, these reads are not
// seen.
void tell_element(LibraryCall& call, const void* element, std::size_t size, __compar_fn_t compare) {
  if (call && !is_program_code(reinterpret_cast<std::uint64_t>(compare)))
    call.touches([&] { call.reads(element, size); });
}

}  // namespace

MAZUR_LIBRARY(void*, bsearch,
              (const void* key, const void* array, std::size_t count, std::size_t size,
               __compar_fn_t compare)) {
  const auto* low = static_cast<const char*>(array);
  for (std::size_t left = count; left > 0;) {
    const char* const middle = low + left / 2 * size;
    LibraryCall call("bsearch", MAZUR_CALLER);
    tell_element(call, middle, size, compare);
    const int order = compare(key, middle);
    if (order == 0) return const_cast<char*>(middle);
    if (order > 0) {
      low = middle + size;
      left -= left / 2 + 1;
    } else {
      left /= 2;
    }
  }
  return nullptr;
}

// ---- Trees: the variable with the root stands for the whole tree.

#define MAZUR_TREE(name)                                                              \
  MAZUR_LIBRARY(void*, name, (const void* key, void** root, __compar_fn_t compare)) { \
    LibraryCall call(#name, MAZUR_CALLER);                                            \
    note_library_change(MAZUR_CALLER);                                                \
    call.touches([&] { call.updates(root, sizeof *root); });                          \
    return MAZUR_REAL(name)(key, root, compare);                                      \
  }
MAZUR_TREE(tsearch)
MAZUR_TREE(tdelete)
#undef MAZUR_TREE
MAZUR_LIBRARY(void*, tfind, (const void* key, void* const* root, __compar_fn_t compare)) {
  LibraryCall call("tfind", MAZUR_CALLER);
  call.touches([&] { call.reads(root, sizeof *root); });
  return MAZUR_REAL(tfind)(key, root, compare);
}
