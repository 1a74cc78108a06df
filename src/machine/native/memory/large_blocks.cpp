#include "machine/native/memory/large_blocks.h"

#include <sys/mman.h>

#include <bit>
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/snapshot.h"

namespace mazur::native {
namespace {

// In a window of its own (shadow.h).
constexpr std::uintptr_t kLargeBlocks = 0x680000000000;
constexpr std::size_t kLargeRange = std::size_t{8} << 30;
constexpr std::size_t kHeader = 16;

struct FreedRoom {
  std::uintptr_t next;
};

struct Range {
  std::uintptr_t begin = 0, next = 0;
  std::uintptr_t freed[64] = {};  // by power of two
};

Range ranges[kMaxThreads];
bool any_taken = false;  // in this execution

unsigned power_of(std::size_t size) {
  return static_cast<unsigned>(std::bit_width(kHeader + size));  // a byte more than both
}

void drop_pages(std::uintptr_t from, std::uintptr_t to) {
  raw_syscall(SYS_madvise, static_cast<long>(from), static_cast<long>(to - from), MADV_DONTNEED);
}

}  // namespace

LargeRoom take_large(ThreadId thread, std::size_t size, std::size_t alignment) {
  if (size > kLargeRange || alignment > kLargeRange) return {};
  Range& range = ranges[thread];
  if (__builtin_expect(range.begin == 0, 0)) {
    range.begin = range.next = kLargeBlocks + thread * kLargeRange;
    map_pages(reinterpret_cast<void*>(range.begin), kLargeRange);
    // A huge page would be zeroed as a whole for one byte that is touched.
    raw_syscall(SYS_madvise, static_cast<long>(range.begin), static_cast<long>(kLargeRange),
                MADV_NOHUGEPAGE);
  }
  any_taken = true;
  const bool reuses = range.next - range.begin > kReuseAbove && alignment <= kHeader;
  const std::size_t reused_size = (std::size_t{1} << power_of(size)) - kHeader;
  if (__builtin_expect(reuses, 0)) {
    std::uintptr_t& first = range.freed[power_of(size)];
    if (const std::uintptr_t at = first; at != 0) {
      auto* room = reinterpret_cast<FreedRoom*>(at);
      first = room->next;
      room->next = 0;
      return {at, reused_size, true};
    }
  }
  const std::uintptr_t at = (range.next + kHeader + alignment - 1) & ~(alignment - 1);
  const std::uintptr_t end = page_up(at + (reuses ? reused_size : size + 1));
  if (end > range.begin + kLargeRange) return {};
  range.next = end;
  return {at, reuses ? reused_size : end - at, false};
}

void give_back_large(std::uintptr_t at, std::size_t size) {
  Range& range = ranges[owner_of_large(at)];
  // A block with a larger alignment lies elsewhere in its first page; its room is not reused.
  if (at - kHeader - range.begin <= kReuseAbove || at % 4096 != kHeader) return;
  const std::uintptr_t end = at - kHeader + (std::size_t{1} << power_of(size));
  std::memset(reinterpret_cast<void*>(at), 0, 4096 - kHeader);
  drop_pages(page_up(at), end);
  std::uintptr_t& first = range.freed[power_of(size)];
  reinterpret_cast<FreedRoom*>(at)->next = first;
  first = at;
}

bool is_large(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - kLargeBlocks < kMaxThreads * kLargeRange;
}

ThreadId owner_of_large(std::uintptr_t address) {
  return static_cast<ThreadId>((address - kLargeBlocks) / kLargeRange);
}

std::uintptr_t begin_of_large(std::uintptr_t address) {
  return address - (address - kLargeBlocks) % kLargeRange;
}

bool mix_large_blocks(std::uint64_t& hash) {
  constexpr std::size_t kMost = std::size_t{64} << 20;
  std::size_t all = 0;
  for (ThreadId id = 0; id < known_threads(); ++id) all += ranges[id].next - ranges[id].begin;
  if (all > kMost) return false;
  for (ThreadId id = 0; id < known_threads(); ++id)
    mix_memory(hash, reinterpret_cast<const char*>(ranges[id].begin),
               reinterpret_cast<const char*>(ranges[id].next));
  return true;
}

void reset_large_blocks() {
  if (__builtin_expect(!any_taken, 1)) return;
  any_taken = false;
  const ThreadId known = known_threads();
  for (ThreadId id = 0; id < known; ++id) {
    Range& range = ranges[id];
    if (range.next == range.begin) continue;
    drop_pages(range.begin, range.next);
    if (range.next - range.begin > kReuseAbove) std::memset(range.freed, 0, sizeof range.freed);
    range.next = range.begin;
  }
}

}  // namespace mazur::native
