#include "machine/native/loops/kept_memory.h"

#include <array>
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/loops/why_not_waiting.h"
#include "machine/native/races/race_detector.h"

namespace mazur::native {
namespace {

struct Write {
  const void* address;
  std::size_t size;
  std::array<char, 16> before;
};
constexpr std::size_t kMost = 16;  // a step with more of them has changed something

std::array<Write, kMost> noted;
std::size_t count = 0;
bool all = false;
bool expected = false;

void watch(bool on) {
  mazur_watch_plain =
      static_cast<std::uint8_t>((mazur_watch_plain & ~kWatchWrites) | (on ? kWatchWrites : 0));
}

}  // namespace

void watch_all_writes(bool on) {
  all = on;
  count = 0;
  watch(on);
}

void expect_kept_memory() { expected = true; }

void watch_writes_of_step() {
  if (expected && !runtime.explore_plain) watch(true);
}

void note_watched_access(const volatile void* p, std::size_t size, bool writes) {
  const void* address = const_cast<const void*>(p);
  const bool own = reinterpret_cast<std::uintptr_t>(address) - runtime.stack < kStackSize;
  // A loop without operations is judged by runtime.changed (endless_loop.h).
  const bool looked_at = (mazur_watch_plain & kWatchLoop) != 0;
  const bool compares = race_state.reports_races;  // otherwise others may look in between
  if (!writes || own || looked_at || !compares || count == kMost || size > sizeof noted[0].before) {
    if (__builtin_expect(runtime.explains_loops, 0) && writes && !own)
      note_obstacle(LoopObstacle::kWrite);
    return note_access(p, writes);
  }
  if (__builtin_expect(runtime.explains_loops, 0)) keep_writer(count);
  runtime.touched = true;
  Write& write = noted[count++];
  write.address = address;
  write.size = size;
  std::memcpy(write.before.data(), address, size);
}

void compare_writes(Fiber& fiber) {
  if ((mazur_watch_plain & kWatchWrites) == 0) return;
  // After a change there is nothing to compare, and what was written to may be gone.
  bool kept = count != 0 && !runtime.changed;
  for (std::size_t i = 0; kept && i < count; ++i) {
    kept = std::memcmp(noted[i].address, noted[i].before.data(), noted[i].size) == 0;
    if (!kept && runtime.explains_loops) note_writer(i, fiber.id);
  }
  if (count != 0 && !kept) runtime.changed = true;
  if (kept) fiber.loop.kept = true;
  count = 0;
  watch(all);
}

}  // namespace mazur::native
