// Two threads count to four. RACY: by load and store, so that one can get lost.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter{0};

void count() {
  for (int i = 0; i < 2; ++i) {
#ifdef RACY
    counter.store(counter.load() + 1);
#else
    counter.fetch_add(1);
#endif
  }
}

int main() {
  std::thread a(count), b(count);
  a.join();
  b.join();
  assert(counter.load() == 4);
}
