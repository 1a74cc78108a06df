#include "machine/native/memory/snapshot.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/arena.h"
#include "machine/native/memory/loaded_objects.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

struct Region {
  char* begin;
  char* end;
  char* saved;  // the same bytes at the snapshot
  bool whole;   // copied back always: not page-aligned, or not worth tracking
  bool alone;   // nobody has anything behind it on its last page
};

// A piece of memory that a restart copies back.
struct Chunk {
  char* to;
  const char* from;
  std::size_t size;
};

std::vector<Region> regions;
std::vector<Chunk> chunks;
std::size_t faults = 0;
bool tracking = false;

// Something of this shared object, to recognise it by.
char own_data;

bool is_own(std::uintptr_t begin, std::uintptr_t end) {
  const auto own = reinterpret_cast<std::uintptr_t>(&own_data);
  return begin <= own && own < end;
}

// The end of the pages that can be protected for it.
std::uintptr_t end_of_pages(const Region& region) {
  const auto end = reinterpret_cast<std::uintptr_t>(region.end);
  return region.alone ? page_up(end) : page_down(end);
}

void add_region(std::uintptr_t begin, std::uintptr_t end, bool whole, bool alone) {
  if (begin >= end) return;
  Region region{reinterpret_cast<char*>(begin), reinterpret_cast<char*>(end), nullptr, whole,
                alone};
  region.saved = static_cast<char*>(map_pages(nullptr, page_up(end - begin)));
  std::memcpy(region.saved, region.begin, end - begin);
  regions.push_back(region);
}

// The writable segments of an object, without what the loader made read-only after relocation. The
// dynamic loader and the runtime itself keep their state.
void add_object(const LoadedObject& object) {
  if (object.is_named("ld-linux") || object.is_named("vdso")) return;
  const LoadedRange relro{page_down(object.relro().begin), page_down(object.relro().end)};
  bool own = false;
  object.for_each_segment([&](const Segment& segment) {
    own = own || (segment.is_writable() && is_own(segment.begin, segment.end));
    if (!segment.is_writable() || own) return;
    const std::uintptr_t begin =
        relro.contains(segment.begin) ? std::min(relro.end, segment.end) : segment.begin;
    add_region(begin, segment.end, /*whole=*/false, /*alone=*/true);
  });
  if (own) return;
  const LoadedRange thread_locals = object.thread_locals();
  add_region(thread_locals.begin, thread_locals.end, /*whole=*/true, /*alone=*/false);
}

void add_chunk(const Region& region, std::uintptr_t begin, std::uintptr_t end) {
  if (begin >= end) return;
  char* to = reinterpret_cast<char*>(begin);
  chunks.push_back({to, region.saved + (to - region.begin), end - begin});
}

void protect(Region& region) {
  const auto begin = reinterpret_cast<std::uintptr_t>(region.begin);
  const auto end = reinterpret_cast<std::uintptr_t>(region.end);
  const std::uintptr_t first = page_up(begin), last = end_of_pages(region);
  if (region.whole || first >= last || !tracking) {
    region.whole = true;
    add_chunk(region, begin, end);
    return;
  }
  // Pages that the region shares with others are copied back in any case.
  add_chunk(region, begin, first);
  add_chunk(region, last, end);
  raw_syscall(SYS_mprotect, static_cast<long>(first), static_cast<long>(last - first), PROT_READ);
}

void unprotect_all() {
  for (const Region& region : regions) {
    const auto begin = page_up(reinterpret_cast<std::uintptr_t>(region.begin));
    const std::uintptr_t end = end_of_pages(region);
    if (!region.whole && begin < end)
      raw_syscall(SYS_mprotect, static_cast<long>(begin), static_cast<long>(end - begin),
                  PROT_READ | PROT_WRITE);
    raw_syscall(SYS_munmap, reinterpret_cast<long>(region.saved),
                static_cast<long>(page_up(static_cast<std::size_t>(region.end - region.begin))));
  }
}

const Region* region_of(std::uintptr_t page) {
  for (const Region& region : regions) {
    if (region.whole) continue;
    if (page >= page_up(reinterpret_cast<std::uintptr_t>(region.begin)) &&
        page < end_of_pages(region))
      return &region;
  }
  return nullptr;
}

bool is_sticky(std::uintptr_t page) {
  return std::any_of(chunks.begin(), chunks.end(), [page](const Chunk& chunk) {
    const auto begin = reinterpret_cast<std::uintptr_t>(chunk.to);
    return page >= begin && page < begin + chunk.size;
  });
}

}  // namespace

void take_snapshot(bool track) {
  PrivateHeapScope scope;
  unprotect_all();
  regions.clear();
  chunks.clear();
  tracking = track;
  mark_arenas();
  visit_loaded_objects([](const LoadedObject& object) {
    add_object(object);
    return false;
  });
  const ArenaRange heap = arena_at_snapshot();
  add_region(reinterpret_cast<std::uintptr_t>(heap.begin),
             reinterpret_cast<std::uintptr_t>(heap.end), /*whole=*/false, /*alone=*/false);
  for (Region& region : regions) protect(region);
}

void restore_snapshot() {
  for (const Chunk& chunk : chunks) std::memcpy(chunk.to, chunk.from, chunk.size);
  reset_arenas();
}

bool first_write(void* address) {
  const std::uintptr_t page = page_down(reinterpret_cast<std::uintptr_t>(address));
  const Region* region = region_of(page);
  if (region == nullptr || is_sticky(page)) return false;
  PrivateHeapScope scope;
  raw_syscall(SYS_mprotect, static_cast<long>(page), 4096, PROT_READ | PROT_WRITE);
  // Neighbouring pages are copied in one go.
  char* to = reinterpret_cast<char*>(page);
  const char* from = region->saved + (to - region->begin);
  const std::size_t size = std::min<std::size_t>(4096, static_cast<std::size_t>(region->end - to));
  ++faults;
  for (Chunk& chunk : chunks) {
    if (chunk.to + chunk.size == to && chunk.from + chunk.size == from) {
      chunk.size += size;
      return true;
    }
    if (to + size == chunk.to && from + size == chunk.from) {
      chunk.to = to;
      chunk.from = from;
      chunk.size += size;
      return true;
    }
  }
  chunks.push_back({to, from, size});
  return true;
}

void touch_for_kernel(void* buffer, std::size_t size) {
  if (!tracking || size == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer);
  for (std::uintptr_t page = page_down(begin); page < begin + size; page += 4096)
    if (region_of(page) != nullptr && !is_sticky(page)) first_write(reinterpret_cast<void*>(page));
}

std::size_t snapshot_regions() { return regions.size(); }
SnapshotRegion snapshot_region(std::size_t n) { return {regions[n].begin, regions[n].end}; }

void mix_memory(std::uint64_t& hash, const char* begin, const char* end) {
  for_each_word(begin, end, [&hash](std::uint64_t word) { hash = mixed(hash, word); });
}

void mix_snapshot(std::uint64_t& hash) {
  hash ^= faults;
  for (const Chunk& chunk : chunks) mix_memory(hash, chunk.to, chunk.to + chunk.size);
}

SnapshotCost snapshot_cost() {
  SnapshotCost cost{0, 0, chunks.size(), faults};
  for (const Region& region : regions)
    cost.total_bytes += static_cast<std::size_t>(region.end - region.begin);
  for (const Chunk& chunk : chunks) cost.copied_bytes += chunk.size;
  return cost;
}

}  // namespace mazur::native
