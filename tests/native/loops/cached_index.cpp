// A ring for one producer and one consumer, each of which keeps the other's index as it last saw it:
// a loop that waits writes what is there already. Seeded bug: an item is shown before it is there.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

static constexpr std::size_t kSlots = 2;  // one of them stays empty
static int slots[kSlots];
static std::atomic<std::size_t> written{0}, taken{0};
static std::size_t written_seen = 0, taken_seen = 0;

static void push(int item) {
  const std::size_t at = written.load(std::memory_order_relaxed);
  const std::size_t next = (at + 1) % kSlots;
  while (next == taken_seen) taken_seen = taken.load(std::memory_order_acquire);
#ifdef BUG
  written.store(next, std::memory_order_release);
  slots[at] = item;
#else
  slots[at] = item;
  written.store(next, std::memory_order_release);
#endif
}

static int pop() {
  const std::size_t at = taken.load(std::memory_order_relaxed);
  while (at == written_seen) written_seen = written.load(std::memory_order_acquire);
  const int item = slots[at];
  taken.store((at + 1) % kSlots, std::memory_order_release);
  return item;
}

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 3; ++i) push(i);
  });
  for (int i = 1; i <= 3; ++i) {
    const int item = pop();
    assert(item == i);
  }
  producer.join();
}
