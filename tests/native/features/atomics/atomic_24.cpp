// Atomics of 24 bytes, which no instruction can do: whole values all the same.
#include <atomic>
#include <cassert>
#include <thread>

struct Triple {
  long a, b, c;
};

static std::atomic<Triple> x;

static void whole(const Triple& t) { assert(t.a == t.b && t.b == t.c); }

int main() {
  std::thread writer([] {
    x.store({1, 1, 1});
    whole(x.exchange({2, 2, 2}));
  });
  Triple seen = x.load();
  whole(seen);
  Triple expected = seen;
  if (!x.compare_exchange_strong(expected, {3, 3, 3})) {
    whole(expected);
    assert(expected.a != seen.a);
  }
  writer.join();
  seen = x.load();
  whole(seen);
  assert(seen.a == 2 || seen.a == 3);
}
