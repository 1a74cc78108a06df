// Plain and volatile accesses of the program: no scheduling points, unless --races=explore makes
// them events.
#pragma once

#include <cstddef>

#include "machine/native/race_detector.h"
#include "machine/native/runtime.h"

namespace mazur::native {

// So many accesses without a visible operation are a loop that only another thread could end.
inline constexpr std::uint64_t kPlainBudget = 50'000'000;

// With --races=explore: the access is an event, and then like any other.
void plain_event(const volatile void* address, std::size_t size, bool writes, const void* pc);
[[noreturn]] void plain_loop();
// A plain write's value is known when its thread comes to its next operation.
void note_plain_write();

// An access of the program, in hooks that have found plain accesses to be watched or not. Hot.
template <bool kWatched>
[[gnu::always_inline]] inline void plain_access(const volatile void* address, std::size_t size,
                                                bool writes, const void* pc) {
  if (__builtin_expect(!runtime.running, 0)) return;
  if (__builtin_expect(++runtime.plain_accesses > kPlainBudget, 0)) plain_loop();
  if (writes) note_write(address);
  if (kWatched) {
    plain_event(address, size, writes, pc);
  } else if (race_state.on) {
    detect(address, size, writes, pc);
  }
}

// The same in other functions.
inline void plain(const volatile void* address, std::size_t size, bool writes, const void* pc) {
  if (__builtin_expect(mazur_watch_plain != 0, 0))
    plain_access<true>(address, size, writes, pc);
  else
    plain_access<false>(address, size, writes, pc);
}

}  // namespace mazur::native
