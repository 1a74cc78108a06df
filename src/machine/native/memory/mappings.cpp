// Memory that the program maps itself: unmapped at the end of the execution, so that the next one
// finds the same address space. What it maps over memory of the snapshot, or unmaps of it, cannot
// be undone.
//
// Enabled, does, depends on, reversible: no events.
#include <errno.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <vector>

#include "machine/native/engine/per_execution.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

struct Mapping {
  std::uintptr_t begin, end;
};
std::vector<Mapping> mappings;

// Each thread has a range of its own for what it maps, so that an address depends only on what the
// thread has mapped before. In a window of its own (shadow.h).
constexpr std::uintptr_t kPlaces = 0x6c0000000000;
constexpr std::uintptr_t kRange = std::uintptr_t{4} << 30;
std::uintptr_t used[kMaxThreads];

const PerExecution unmap([] {
  if (mappings.empty()) return;
  for (const Mapping& m : mappings)
    raw_syscall(SYS_munmap, static_cast<long>(m.begin), static_cast<long>(m.end - m.begin));
  mappings.clear();
  std::fill_n(used, kMaxThreads, 0);
});

// The next place of so many bytes, with a page that nobody has behind it. 0: the kernel may choose.
std::uintptr_t take_place(std::size_t size) {
  const ThreadId me = current_thread();
  const std::size_t room = page_up(size) + 4096;
  if (size > kRange || used[me] + room > kRange) return 0;
  const std::uintptr_t place = kPlaces + me * kRange + used[me];
  used[me] += room;
  return place;
}

std::uintptr_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void forget(std::uintptr_t begin, std::uintptr_t end) {
  std::vector<Mapping> left;
  for (const Mapping& m : mappings) {
    if (m.begin < std::min(m.end, begin)) left.push_back({m.begin, std::min(m.end, begin)});
    if (std::max(m.begin, end) < m.end) left.push_back({std::max(m.begin, end), m.end});
  }
  mappings = std::move(left);
}

bool is_ours(std::uintptr_t begin, std::uintptr_t end) {
  return std::any_of(mappings.begin(), mappings.end(),
                     [&](const Mapping& m) { return m.begin <= begin && end <= m.end; });
}

void* result_of(long result) {
  if (result >= 0 || result <= -4096) return reinterpret_cast<void*>(result);
  errno = static_cast<int>(-result);
  return MAP_FAILED;
}

void* map(void* at, std::size_t size, int protection, int flags, int file, off_t offset,
          const void* pc) {
  const std::uintptr_t end = page_up(address_of(at) + size);
  if (in_execution() && (flags & MAP_FIXED) != 0 && !is_ours(address_of(at), end))
    unsupported("mmap with MAP_FIXED over other memory", pc);
  if (in_execution() && at == nullptr && (flags & (MAP_FIXED | MAP_32BIT)) == 0) {
    at = reinterpret_cast<void*>(take_place(size));
    if (at != nullptr) flags |= MAP_FIXED_NOREPLACE;
  }
  void* result = result_of(raw_syscall(SYS_mmap, reinterpret_cast<long>(at),
                                       static_cast<long>(size), protection, flags, file, offset));
  if (result == MAP_FAILED || !in_execution()) return result;
  forget(address_of(result), page_up(address_of(result) + size));
  mappings.push_back({address_of(result), page_up(address_of(result) + size)});
  return result;
}

}  // namespace
}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT void* mmap(void* at, std::size_t size, int protection, int flags, int file,
                        off_t offset) noexcept {
  return map(at, size, protection, flags, file, offset, MAZUR_CALLER);
}
MAZUR_EXPORT void* mmap64(void* at, std::size_t size, int protection, int flags, int file,
                          off64_t offset) noexcept {
  return map(at, size, protection, flags, file, offset, MAZUR_CALLER);
}

MAZUR_EXPORT int munmap(void* at, std::size_t size) noexcept {
  const std::uintptr_t begin = address_of(at), end = page_up(begin + size);
  if (in_execution()) {
    if (!is_ours(begin, end)) unsupported("munmap of memory mapped before main", MAZUR_CALLER);
    forget(begin, end);
  }
  const long result = raw_syscall(SYS_munmap, reinterpret_cast<long>(at), static_cast<long>(size));
  return result_of(result) == MAP_FAILED ? -1 : 0;
}

MAZUR_EXPORT void* mremap(void* old, std::size_t old_size, std::size_t size, int flags,
                          ...) noexcept {
  va_list more;
  va_start(more, flags);
  void* wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(more, void*) : nullptr;
  va_end(more);
  const std::uintptr_t begin = address_of(old), end = page_up(begin + old_size);
  if (in_execution() && (wanted != nullptr || !is_ours(begin, end)))
    unsupported("mremap of memory mapped before main, or to a fixed address", MAZUR_CALLER);
  if (in_execution() && (flags & MREMAP_MAYMOVE) != 0 && size > old_size) {
    wanted = reinterpret_cast<void*>(take_place(size));
    if (wanted != nullptr) flags |= MREMAP_FIXED;
  }
  void* result =
      result_of(raw_syscall(SYS_mremap, reinterpret_cast<long>(old), static_cast<long>(old_size),
                            static_cast<long>(size), flags, reinterpret_cast<long>(wanted)));
  if (result == MAP_FAILED || !in_execution()) return result;
  forget(begin, end);
  const std::uintptr_t new_end = page_up(address_of(result) + size);
  mappings.push_back({address_of(result), new_end});
  // It may have grown beyond its place.
  if (const std::uintptr_t thread = (address_of(result) - kPlaces) / kRange; thread < kMaxThreads)
    used[thread] = std::max(used[thread], new_end + 4096 - kPlaces - thread * kRange);
  return result;
}
