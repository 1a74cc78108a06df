// Atomics of 16 bytes: no torn value is ever seen.
#include <atomic>
#include <cassert>
#include <thread>

struct alignas(16) Pair {
  long a, b;
};

static std::atomic<Pair> x;

int main() {
  std::thread writer([] {
    x.store({1, 1});
    Pair seen = x.exchange({2, 2});
    assert(seen.a == seen.b);
  });
  Pair seen = x.load();
  assert(seen.a == seen.b && seen.a >= 0 && seen.a <= 3);
  Pair expected = seen;
  if (!x.compare_exchange_strong(expected, {3, 3})) {
    assert(expected.a == expected.b);
    assert(expected.a != seen.a);
  }
  writer.join();
  seen = x.load();
  assert(seen.a == seen.b && (seen.a == 2 || seen.a == 3));
}
