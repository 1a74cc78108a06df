// A queue for one producer and one consumer. Each side keeps the other's index as it last saw it, and
// looks again only when that says full or empty.
//
//   mazur check examples/waiting/cached_ring.cpp -std=c++20 -DITEMS=2
//   mazur check examples/waiting/cached_ring.cpp -std=c++20 --memory=c++20
//
// Verified, without a bound on how often they look. With memory_order_relaxed in one of the stores
// Mazur reports the data race on a slot.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>

#ifndef ITEMS
#define ITEMS 1  // as many fit into the ring
#endif

class Ring {
 public:
  void push(int item) {
    const std::size_t at = written_.load(std::memory_order_relaxed);
    const std::size_t next = (at + 1) % kSlots;
    while (next == taken_seen_) taken_seen_ = taken_.load(std::memory_order_acquire);
    slots_[at] = item;
    written_.store(next, std::memory_order_release);
  }
  int pop() {
    const std::size_t at = taken_.load(std::memory_order_relaxed);
    while (at == written_seen_) written_seen_ = written_.load(std::memory_order_acquire);
    const int item = slots_[at];
    taken_.store((at + 1) % kSlots, std::memory_order_release);
    return item;
  }

 private:
  static constexpr std::size_t kSlots = ITEMS + 1;
  int slots_[kSlots] = {};
  std::atomic<std::size_t> written_{0}, taken_{0};
  std::size_t written_seen_ = 0, taken_seen_ = 0;
};

Ring ring;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 3; ++i) ring.push(i);
  });
  for (int i = 1; i <= 3; ++i) {
    const int item = ring.pop();
    assert(item == i);
  }
  producer.join();
}
