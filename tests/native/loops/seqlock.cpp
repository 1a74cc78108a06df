// A sequence lock: readers try again when a writer was about. Seeded bug: they do not look at the
// number again.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 2
#endif

static std::atomic<unsigned> sequence{0};
static std::atomic<int> low{0}, high{0};

static void writer() {
  sequence.fetch_add(1, std::memory_order_acq_rel);
  low.store(1, std::memory_order_release);
  high.store(1, std::memory_order_release);
  sequence.fetch_add(1, std::memory_order_acq_rel);
}

static void reader() {
  for (;;) {
    const unsigned before = sequence.load(std::memory_order_acquire);
    if (before % 2 != 0) continue;
    const int a = low.load(std::memory_order_acquire);
    const int b = high.load(std::memory_order_acquire);
#ifndef BUG
    if (sequence.load(std::memory_order_relaxed) != before) continue;
#endif
    assert(a == b);
    return;
  }
}

int main() {
  std::vector<std::thread> readers;
  for (int i = 1; i < THREADS; ++i) readers.emplace_back(reader);
  writer();
  for (std::thread& thread : readers) thread.join();
}
