// Plain and volatile accesses, vtable pointers, ranges and function entries in instrumented code.
//
// Enabled:    always.
// Does:       nothing. The program does the access after the hook.
// Depends on: accesses of overlapping bytes, if one of the two writes.
// Reversible: always.
//
// They are events with --races=explore alone, and there only if threads share the memory
// (shared_granules.h).
#include <cstring>

#include "machine/native/engine/atomic_block.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/hooks/atomic_functions.h"
#include "machine/native/races/plain.h"

namespace mazur::native {
namespace {

struct PlainWrite {
  const void* address = nullptr;
  std::size_t size = 0;
};
PlainWrite last_write;

template <typename T>
std::uint64_t load(const void* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

// The low 8 bytes, without a call for the usual sizes.
std::uint64_t value_at(const void* address, std::size_t size) {
  if (size >= 8) return load<std::uint64_t>(address);
  if (size == 4) return load<std::uint32_t>(address);
  if (size == 1) return load<std::uint8_t>(address);
  if (size == 2) return load<std::uint16_t>(address);
  std::uint64_t value = 0;
  std::memcpy(&value, address, size);
  return value;
}

void quiet_access(const void* p, std::size_t size, bool writes, const void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (__builtin_expect(runtime.plain_accesses >= kQuietPatience, 0))
    watch_quiet_loop(address, size, writes);
  if (writes && note_quiet_writes) note_quiet_write(address, size);
  detect(p, size, writes, pc);
}

}  // namespace

void watched_access(const volatile void* p, std::size_t size, bool writes, const void* pc) {
  const void* address = const_cast<const void*>(p);
  if ((mazur_watch_plain & ~kWatchEvents) != 0) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (writes && has_endless_loops()) endless_loops_see(at, size);
    if ((mazur_watch_plain & kWatchLoop) != 0) look(at, size, writes, pc);
    if (!runtime.explore_plain) {
      mazur_entry.sp = 0;
      if (race_state.on) detect(address, size, writes, pc);
      return;
    }
  }
  const bool stops = size != 0 && !runtime.in_block && runtime.begun &&
                     is_shared(reinterpret_cast<std::uintptr_t>(address), size);
  if (!stops) {
    mazur_entry.sp = 0;  // the thread goes on
    if (size == 0) return;
    if (runtime.in_block) return plain_in_block(address, size, writes, pc);
    // What comes before the first event of all is the same in every execution, and before all else.
    if (!runtime.begun)
      return access_slowly(reinterpret_cast<std::uintptr_t>(address), size, writes ? kWrite : kRead,
                           pc);
    return quiet_access(address, size, writes, pc);
  }
  Label& label =
      visible_access(writes ? OpKind::kStore : OpKind::kLoad, kPlainOrder,
                     static_cast<std::uint32_t>(size), reinterpret_cast<ObjectId>(address), pc);
  if (writes) {
    label.before = value_at(address, size);
    last_write = {address, size};
  } else {
    label.read = value_at(address, size);
  }
  access_slowly(reinterpret_cast<std::uintptr_t>(address), size, writes ? kWrite : kRead, pc);
}

void note_plain_write() {
  if (last_write.address == nullptr) return;
  runtime.event.label.written = value_at(last_write.address, last_write.size);
  last_write.address = nullptr;
}

}  // namespace mazur::native

using namespace mazur::native;

// The program enters through a few instructions that choose between two functions
// (waiting_loop.h). In them, `kWatched` says which one it is.
#define MAZUR_PLAIN_ENTRY(name, parameters, ...)                                                  \
  MAZUR_WATCHED_ENTRY(__tsan_##name)                                                              \
  extern "C" __attribute__((visibility("hidden"), used)) void mazur_in___tsan_##name parameters { \
    constexpr bool kWatched = false;                                                              \
    __VA_ARGS__                                                                                   \
  }                                                                                               \
  extern "C"                                                                                      \
      __attribute__((visibility("hidden"), used)) void mazur_watched___tsan_##name parameters {   \
    constexpr bool kWatched = true;                                                               \
    __VA_ARGS__                                                                                   \
  }
#define MAZUR_PLAIN(name, size, writes) \
  MAZUR_PLAIN_ENTRY(name, (void* p), plain_access<kWatched>(p, size, writes, MAZUR_CALLER);)
#define MAZUR_PLAIN_BOTH(name, size)                                                       \
  MAZUR_PLAIN_ENTRY(name, (void* p), plain_access<kWatched>(p, size, false, MAZUR_CALLER); \
                    plain_access<kWatched>(p, size, true, MAZUR_CALLER);)
#define MAZUR_PLAIN_ALL(size)                             \
  MAZUR_PLAIN(read##size, size, false)                    \
  MAZUR_PLAIN(write##size, size, true)                    \
  MAZUR_PLAIN(unaligned_read##size, size, false)          \
  MAZUR_PLAIN(unaligned_write##size, size, true)          \
  MAZUR_PLAIN(volatile_read##size, size, false)           \
  MAZUR_PLAIN(volatile_write##size, size, true)           \
  MAZUR_PLAIN(unaligned_volatile_read##size, size, false) \
  MAZUR_PLAIN(unaligned_volatile_write##size, size, true) \
  MAZUR_PLAIN_BOTH(read_write##size, size)                \
  MAZUR_PLAIN_BOTH(unaligned_read_write##size, size)

MAZUR_PLAIN_ALL(1)
MAZUR_PLAIN_ALL(2)
MAZUR_PLAIN_ALL(4)
MAZUR_PLAIN_ALL(8)
MAZUR_PLAIN_ALL(16)

MAZUR_PLAIN_ENTRY(read_range, (void* p, std::size_t size),
                  plain_access<kWatched>(p, size, false, MAZUR_CALLER);)
MAZUR_PLAIN_ENTRY(write_range, (void* p, std::size_t size),
                  plain_access<kWatched>(p, size, true, MAZUR_CALLER);)
MAZUR_PLAIN_ENTRY(vptr_read, (void** p), plain_access<kWatched>(p, sizeof *p, false, MAZUR_CALLER);)
MAZUR_PLAIN_ENTRY(vptr_update, (void** p, void* value),
                  if (*p != value) plain_access<kWatched>(p, sizeof *p, true, MAZUR_CALLER);)

// Call stacks are walked when they are needed, so entries and exits cost nothing, unless some
// functions are atomic blocks.
MAZUR_EXPORT void __tsan_func_entry(void*) {
  if (__builtin_expect(has_atomic_functions, 0)) function_entered(MAZUR_CALLER);
}
MAZUR_EXPORT void __tsan_func_exit() {
  if (__builtin_expect(has_atomic_functions, 0)) function_left();
}
MAZUR_EXPORT void __tsan_init() {}
