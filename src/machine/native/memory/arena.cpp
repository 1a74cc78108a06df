#include "machine/native/memory/arena.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/memory/early_blocks.h"
#include "machine/native/memory/large_blocks.h"
#include "machine/native/memory/leaks.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/races/plain.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/races/race_report.h"

namespace mazur::native {
namespace {

// Away from the stacks and thread-local blocks (fiber.cpp), for as many arenas as there can be.
constexpr std::uintptr_t kArenas = 0x630000000000;
constexpr std::size_t kArenaSize = std::size_t{4} << 30;
// An arena that used more than this in an execution gives its pages back afterwards.
constexpr std::size_t kKept = std::size_t{16} << 20;
// Larger blocks are not filled but come from fresh pages (large_blocks.h).
constexpr std::size_t kLargestFilled = 32 << 10;
constexpr std::size_t kPage = 4096;
// This much of a large block is poisoned, for pointers that nobody has initialised. Together with
// the block's header it is less than a page.
constexpr std::size_t kLargePoisoned = 2048;

enum class BlockState : std::uint64_t { kUsed = 0xa110ca7ed, kFreed = 0xf4eed };

struct alignas(16) Block {
  std::size_t size;
  BlockState state;
};

struct FreedBlock {
  FreedBlock* next;
};

struct Arena {
  char* begin = nullptr;
  char* next = nullptr;
  char* mark = nullptr;
  char* highest = nullptr;     // over all executions
  FreedBlock* freed[64] = {};  // by power of two; only beyond kReuseAbove
};

Arena arenas[kMaxThreads];

Arena& my_arena() {
  Arena& arena = arenas[current_thread()];
  if (__builtin_expect(arena.begin == nullptr, 0)) {
    const std::uintptr_t place = kArenas + current_thread() * kArenaSize;
    arena.begin = static_cast<char*>(map_pages(reinterpret_cast<void*>(place), kArenaSize));
    arena.next = arena.mark = arena.highest = arena.begin;
  }
  return arena;
}

Block* block_of(void* pointer) { return static_cast<Block*>(pointer) - 1; }

bool in_arenas(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) - kArenas < kMaxThreads * kArenaSize;
}

unsigned bucket(std::size_t size) {
  return size <= 16 ? 4 : static_cast<unsigned>(64 - __builtin_clzl(size - 1));
}

// In the scheduler context malloc is the runtime's own business.
bool wants_private() {
  return PrivateHeapScope::active() || (!runtime.running && !runtime.booting);
}

// What a block contains when it is handed out: the same in every execution.
enum class Contents { kPoisoned, kZero };

void fill(void* from, const void* to, Contents contents) {
  std::memset(from, contents == Contents::kZero ? 0 : kPoison,
              static_cast<std::size_t>(static_cast<const char*>(to) - static_cast<char*>(from)));
}

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

// `room`: what the block has in all. `again`: it was one before.
void* handed_out(Block* block, std::size_t size, std::size_t room, bool again) {
  block->size = size;
  block->state = BlockState::kUsed;
  const auto at = reinterpret_cast<std::uintptr_t>(block + 1);
  if (__builtin_expect(runtime.booting, 0)) note_early_block(at, size);
  if (race_state.on) {
    if (__builtin_expect(again, 0)) shadow_forget(at, room);
    block_allocated(block + 1, size, room, sizeof(Block));
  }
  if (__builtin_expect(leaks_on && runtime.running, 0) && !again) note_allocation(block + 1);
  return block + 1;
}

[[gnu::noinline]] void* allocate_large(std::size_t size, std::size_t alignment, Contents contents) {
  // So many bytes behind a block are marked, to notice when it is overrun.
  constexpr std::size_t kBehind = 64;
  const LargeRoom room = take_large(current_thread(), size, alignment);
  if (room.at == 0) return no_memory();
  char* const at = reinterpret_cast<char*>(room.at);
  if (contents == Contents::kPoisoned)
    fill(at, at + std::min(size, kLargePoisoned), Contents::kPoisoned);
  return handed_out(block_of(at), size,
                    room.again ? room.size : std::min(room.size, size + kBehind), room.again);
}

void* allocate(std::size_t size, std::size_t alignment, Contents contents) {
  if (__builtin_expect(wants_private(), 0)) {
    void* pointer = private_allocate(size, alignment);
    if (contents == Contents::kZero) std::memset(pointer, 0, size);
    return pointer;
  }
  if (size > kArenaSize || alignment > kArenaSize) return no_memory();
  note_change(LoopObstacle::kAllocation);
  if (__builtin_expect(size > kLargestFilled || alignment > kPage, 0) && !runtime.booting)
    return allocate_large(size, alignment, contents);
  Arena& arena = my_arena();
  const bool reuses = arena.next - arena.begin > static_cast<std::ptrdiff_t>(kReuseAbove);
  if (__builtin_expect(reuses, 0) && alignment <= 16) {
    const unsigned index = bucket(size);
    if (FreedBlock* freed = arena.freed[index]; freed != nullptr) {
      arena.freed[index] = freed->next;
      const std::size_t room = (std::size_t{1} << index) + 1;
      fill(freed, reinterpret_cast<char*>(freed) + room, contents);
      return handed_out(block_of(freed), size, room, true);
    }
    size = std::max<std::size_t>(size, 1);
  }
  // A byte more than asked for keeps neighbours apart, so that one past the end is nobody's.
  const auto at = (reinterpret_cast<std::uintptr_t>(arena.next) + sizeof(Block) + alignment - 1) &
                  ~(alignment - 1);
  const std::size_t room = reuses ? std::size_t{1} << bucket(size) : size;
  char* const end = reinterpret_cast<char*>((at + room + 16) & ~std::uintptr_t{15});
  if (end > arena.begin + kArenaSize) return no_memory();
  auto* const block = reinterpret_cast<Block*>(at) - 1;
  if (__builtin_expect(alignment > 16, 0)) fill(arena.next, block, Contents::kPoisoned);
  // Before main all memory of the arena is fresh.
  if (__builtin_expect(size > kLargestFilled, 0))
    fill(block + 1, reinterpret_cast<char*>(at) + std::min(kLargePoisoned, size), contents);
  else
    fill(block + 1, end, contents);
  arena.next = end;
  return handed_out(block, size, reinterpret_cast<std::uintptr_t>(end) - at, false);
}

bool is_block(const Block* block) {
  return block->state == BlockState::kUsed || block->state == BlockState::kFreed;
}

// With --races=explore, and in an atomic block: the end of a block's life is an event, as accesses
// to it are. It is announced before anybody looks whether the block was freed already.
void free_event(const Block* block, const void* pc) {
  if (!runtime.running || !runtime.explore_plain || !runtime.begun || is_c_library(pc)) return;
  const auto size = std::min<std::size_t>(std::max<std::size_t>(block->size, 1), 0xffffffff);
  if (!runtime.in_block && !is_shared(reinterpret_cast<std::uintptr_t>(block + 1), size)) return;
  visible({.kind = OpKind::kFree,
           .size = static_cast<std::uint32_t>(size),
           .object = reinterpret_cast<ObjectId>(block + 1)},
          pc);
}

void release(void* pointer, const void* pc) {
  if (pointer == nullptr) return;
  if (is_private(pointer)) {
    private_free(pointer);
    return;
  }
  note_change(LoopObstacle::kAllocation);
  const bool large = is_large(pointer);
  if ((!large && !in_arenas(pointer)) || (reinterpret_cast<std::uintptr_t>(pointer) & 15) != 0) {
    if (!runtime.running) return;  // from the dynamic loader's own first heap
    fail(FailureKind::kInvalidFree, "free of %p, which malloc did not return", pointer);
  }
  Block* block = block_of(pointer);
  if (__builtin_expect(runtime.explore_plain, 0) && is_block(block)) {
    free_event(block, pc);
    note_change(LoopObstacle::kAllocation);
  }
  if (block->state == BlockState::kFreed) {
    if (!runtime.running) return;
    if (race_state.threads_only) note_shared(reinterpret_cast<std::uintptr_t>(pointer), 1);
    fail_second_free(pointer, block->size, pc);
  }
  if (block->state != BlockState::kUsed) {
    if (!runtime.running) return;
    fail(FailureKind::kInvalidFree, "free of %p, which malloc did not return", pointer);
  }
  block->state = BlockState::kFreed;
  if (__builtin_expect(runtime.booting, 0))
    forget_early_block(reinterpret_cast<std::uintptr_t>(pointer));
  if (race_state.on) block_freed(pointer, block->size, pc);
  if (__builtin_expect(large, 0)) {
    const auto at = reinterpret_cast<std::uintptr_t>(pointer);
    if (owner_of_large(at) == current_thread()) give_back_large(at, block->size);
    return;
  }
  Arena& arena = arenas[(reinterpret_cast<std::uintptr_t>(pointer) - kArenas) / kArenaSize];
  if (__builtin_expect(
          static_cast<char*>(pointer) - arena.begin > static_cast<std::ptrdiff_t>(kReuseAbove),
          0) &&
      &arena == &arenas[current_thread()]) {
    auto* freed = static_cast<FreedBlock*>(pointer);
    const unsigned index = bucket(block->size);
    freed->next = arena.freed[index];
    arena.freed[index] = freed;
  }
}

std::size_t usable(void* pointer) {
  if (pointer == nullptr) return 0;
  return is_private(pointer) ? private_size(pointer) : block_of(pointer)->size;
}

bool bad_alignment(std::size_t alignment) {
  return alignment == 0 || (alignment & (alignment - 1)) != 0;
}

}  // namespace

HeapBlock heap_block_near(std::uintptr_t address) {
  // Headers are 16 bytes at multiples of 16: the nearest one below is the block's, or that of the
  // block after a gap.
  constexpr std::uintptr_t kFarthest = 16 << 20;
  const auto header_below = [](std::uintptr_t at, std::uintptr_t lowest) -> const Block* {
    for (at &= ~std::uintptr_t{15}; at >= lowest; at -= sizeof(Block)) {
      const auto* block = reinterpret_cast<const Block*>(at);
      if (is_block(block)) return block;
    }
    return nullptr;
  };
  const bool large = is_large(reinterpret_cast<const void*>(address));
  if (!large && !in_arenas(reinterpret_cast<const void*>(address))) return {};
  const std::uintptr_t begin =
      large ? begin_of_large(address) : address - (address - kArenas) % kArenaSize;
  const std::uintptr_t lowest = address - begin > kFarthest ? address - kFarthest : begin;
  const Block* block = header_below(address, lowest);
  if (block == nullptr) return {};
  const auto header = reinterpret_cast<std::uintptr_t>(block);
  if (address < header + sizeof(Block) && header > lowest) {
    const Block* previous = header_below(header - 1, lowest);
    if (previous != nullptr &&
        address - (reinterpret_cast<std::uintptr_t>(previous + 1) + previous->size) <= 16)
      block = previous;
  }
  return {reinterpret_cast<std::uintptr_t>(block + 1), block->size};
}

std::size_t used_size(std::uintptr_t address) {
  const Block* block = reinterpret_cast<const Block*>(address) - 1;
  return block->state == BlockState::kUsed ? block->size : kNotUsed;
}

ThreadId arena_owner(std::uintptr_t address) {
  if (is_large(reinterpret_cast<const void*>(address))) return owner_of_large(address);
  return static_cast<ThreadId>((address - kArenas) / kArenaSize);
}

ArenaRange arena_at_snapshot() { return {arenas[0].begin, arenas[0].mark}; }

void mix_arenas(std::uint64_t& hash) {
  for (ThreadId id = 0; id < known_threads(); ++id) {
    const Arena& arena = arenas[id];
    if (arena.begin != nullptr) mix_memory(hash, arena.mark, arena.next);
  }
}

void mark_arenas() {
  for (Arena& arena : arenas) arena.mark = arena.next;
  keep_early_blocks(reinterpret_cast<std::uintptr_t>(arenas[0].begin),
                    reinterpret_cast<std::uintptr_t>(arenas[0].mark));
}

void reset_arenas() {
  reset_large_blocks();
  const ThreadId known = known_threads();
  for (ThreadId id = 0; id < known; ++id) {
    Arena& arena = arenas[id];
    if (arena.next == arena.mark) continue;
    const std::size_t used = static_cast<std::size_t>(arena.next - arena.mark);
    if (__builtin_expect(used > kKept, 0)) {
      const std::uintptr_t from = page_up(reinterpret_cast<std::uintptr_t>(arena.mark));
      const std::uintptr_t to = page_up(reinterpret_cast<std::uintptr_t>(arena.next));
      raw_syscall(SYS_madvise, static_cast<long>(from), static_cast<long>(to - from),
                  MADV_DONTNEED);
      std::memset(arena.freed, 0, sizeof arena.freed);
    }
    arena.next = arena.mark;
  }
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT void* malloc(std::size_t size) noexcept {
  return allocate(size, 16, Contents::kPoisoned);
}
MAZUR_EXPORT void free(void* pointer) noexcept { release(pointer, MAZUR_CALLER); }

MAZUR_EXPORT void* calloc(std::size_t count, std::size_t each) noexcept {
  std::size_t size;
  if (__builtin_mul_overflow(count, each, &size)) return no_memory();
  return allocate(size, 16, Contents::kZero);
}

MAZUR_EXPORT void* realloc(void* old, std::size_t size) noexcept {
  if (old == nullptr) return allocate(size, 16, Contents::kPoisoned);
  if (size == 0) {
    release(old, MAZUR_CALLER);
    return nullptr;
  }
  void* pointer = allocate(size, 16, Contents::kPoisoned);
  if (pointer == nullptr) return nullptr;
  // The copy reads the old block. That is an access of its own: the free says nothing about
  // contents.
  if (runtime.running && runtime.explore_plain && !is_private(old) && !is_c_library(MAZUR_CALLER))
    plain(old, std::min(usable(old), size), false, MAZUR_CALLER);
  std::memcpy(pointer, old, std::min(usable(old), size));
  release(old, MAZUR_CALLER);
  return pointer;
}

MAZUR_EXPORT void* reallocarray(void* old, std::size_t count, std::size_t each) noexcept {
  std::size_t size;
  if (__builtin_mul_overflow(count, each, &size)) return no_memory();
  return realloc(old, size);
}

MAZUR_EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return bad_alignment(alignment)
             ? nullptr
             : allocate(size, std::max<std::size_t>(alignment, 16), Contents::kPoisoned);
}
MAZUR_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}
MAZUR_EXPORT int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  if (bad_alignment(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* pointer = allocate(size, std::max<std::size_t>(alignment, 16), Contents::kPoisoned);
  if (pointer == nullptr) return ENOMEM;
  *out = pointer;
  return 0;
}
MAZUR_EXPORT void* valloc(std::size_t size) noexcept {
  return allocate(size, kPage, Contents::kPoisoned);
}
MAZUR_EXPORT void* pvalloc(std::size_t size) noexcept {
  return allocate(page_up(size), kPage, Contents::kPoisoned);
}
MAZUR_EXPORT std::size_t malloc_usable_size(void* pointer) noexcept { return usable(pointer); }
MAZUR_EXPORT void cfree(void* pointer) noexcept { release(pointer, MAZUR_CALLER); }
MAZUR_EXPORT int malloc_trim(std::size_t) noexcept { return 0; }
