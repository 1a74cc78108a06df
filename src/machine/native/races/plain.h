// Plain and volatile accesses of the program: no scheduling points, unless --races=explore makes
// them events.
#pragma once

#include <cstddef>

#include "machine/native/engine/runtime.h"
#include "machine/native/loops/kept_memory.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/watch/endless_loop.h"

namespace mazur::native {

// After so many accesses without a visible operation it is asked whether the thread is in an
// endless loop (endless_loop.h).
inline constexpr std::uint64_t kFirstLook = 2'000'000;

// An access while plain accesses are watched. With --races=explore it can be an event.
void watched_access(const volatile void* address, std::size_t size, bool writes, const void* pc);
// A plain write's value is known when its thread comes to its next operation.
void note_plain_write();

// An access of the program, in hooks that know whether plain accesses are watched. Hot.
template <bool kWatched>
[[gnu::always_inline]] inline void plain_access(const volatile void* address, std::size_t size,
                                                bool writes, const void* pc) {
  if (__builtin_expect(!runtime.running, 0)) return;
  if (__builtin_expect(++runtime.plain_accesses >= runtime.look_at, 0)) start_looking();
  if (kWatched && (mazur_watch_plain & kWatchWrites) != 0)
    note_watched_access(address, size, writes);
  else
    note_access(address, writes);
  if (kWatched) {
    watched_access(address, size, writes, pc);
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
