#include "machine/native/memory/leaks.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "machine/native/engine/fiber.h"
#include "machine/native/memory/arena.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/races/race_report.h"

namespace mazur::native {

bool leaks_on = false;

namespace {

struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  enum class Mark : std::uint8_t { kLost, kReached, kReachedFromLost } mark = Mark::kLost;
};
using Mark = Allocation::Mark;

std::vector<std::uintptr_t>& allocations() {
  static auto& all = *new std::vector<std::uintptr_t>;
  return all;
}

// Follows pointers from block to block.
class Search {
 public:
  Search() {
    for (const std::uintptr_t begin : allocations())
      if (const std::size_t size = used_size(begin); size != kNotUsed)
        blocks_.push_back({begin, size});
    std::sort(blocks_.begin(), blocks_.end(),
              [](const Allocation& a, const Allocation& b) { return a.begin < b.begin; });
  }

  void from_memory(const void* from, const void* to, Mark mark) {
    auto at = (reinterpret_cast<std::uintptr_t>(from) + 7) & ~std::uintptr_t{7};
    for (; at + 8 <= reinterpret_cast<std::uintptr_t>(to); at += 8)
      pointer(*reinterpret_cast<const std::uintptr_t*>(at), mark);
    while (!waiting_.empty()) {
      const Allocation block = *waiting_.back();
      waiting_.pop_back();
      for (std::uintptr_t p = block.begin; p + 8 <= block.begin + block.size; p += 8)
        pointer(*reinterpret_cast<const std::uintptr_t*>(p), mark);
    }
  }
  void from_pointer(const void* pointer, Mark mark) { from_memory(&pointer, &pointer + 1, mark); }

  std::vector<Allocation>& blocks() { return blocks_; }

 private:
  void pointer(std::uintptr_t value, Mark mark) {
    auto at = std::upper_bound(
        blocks_.begin(), blocks_.end(), value,
        [](std::uintptr_t address, const Allocation& block) { return address < block.begin; });
    if (at == blocks_.begin()) return;
    --at;
    if (value >= at->begin + std::max<std::size_t>(at->size, 1) || at->mark != Mark::kLost) return;
    at->mark = mark;
    waiting_.push_back(&*at);
  }

  std::vector<Allocation> blocks_;
  std::vector<Allocation*> waiting_;
};

void from_thread(Search& search, const Fiber& fiber, const void* stack_pointer) {
  search.from_memory(stack_pointer, fiber.stack + kStackSize, Mark::kReached);
  const ThreadLocalRange locals = thread_local_range(fiber);
  search.from_memory(locals.begin, locals.end, Mark::kReached);
  search.from_pointer(fiber.argument, Mark::kReached);
  for (const void* value : fiber.keys) search.from_pointer(value, Mark::kReached);
  for (const ThreadLocalDestructor& destructor : fiber.destructors)
    search.from_pointer(destructor.object, Mark::kReached);
}

}  // namespace

void set_up_leaks(bool on) { leaks_on = on; }

void reset_leaks() { allocations().clear(); }

void note_allocation(const void* block) {
  PrivateHeapScope scope;
  allocations().push_back(reinterpret_cast<std::uintptr_t>(block));
  watch_allocation(block);
}

[[gnu::noinline]] void find_leaks() {
  PrivateHeapScope scope;
  __builtin_unwind_init();  // registers may hold the last pointer: they go to the stack
  Search search;
  for (std::size_t i = 0; i < snapshot_regions(); ++i) {
    const SnapshotRegion region = snapshot_region(i);
    search.from_memory(region.begin, region.end, Mark::kReached);
  }
  for (ThreadId id = 0; id < known_threads(); ++id) {
    const Fiber* fiber = find_fiber(id);
    if (fiber == nullptr) continue;
    if (!fiber->joined) search.from_pointer(fiber->result, Mark::kReached);
    if (fiber->live)
      from_thread(search, *fiber,
                  fiber == runtime.current ? __builtin_frame_address(0) : fiber->sp);
  }
  // A lost block that another lost block points to is lost together with that one.
  std::vector<Allocation>& blocks = search.blocks();
  const Allocation* first = nullptr;
  std::size_t count = 0, bytes = 0;
  for (Allocation& block : blocks) {
    if (block.mark == Mark::kReached) continue;
    ++count;
    bytes += block.size;
    const auto* begin = reinterpret_cast<const char*>(block.begin);
    const Mark mark = block.mark;
    search.from_memory(begin, begin + block.size, Mark::kReachedFromLost);
    block.mark = mark;
  }
  for (const Allocation& block : blocks)
    if (block.mark == Mark::kLost && first == nullptr) first = &block;
  for (const Allocation& block : blocks)
    if (block.mark == Mark::kReachedFromLost && first == nullptr) first = &block;
  if (first != nullptr) met_leak(first->begin, first->size, count, bytes);
}

}  // namespace mazur::native
