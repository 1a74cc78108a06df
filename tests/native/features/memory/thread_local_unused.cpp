// A thread_local object that a thread never uses is not constructed there.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> constructed;

struct Counted {
  Counted() { constructed.fetch_add(1); }
  int value = 0;
};

static int use() {
  thread_local Counted counted;
  return ++counted.value;
}

int main() {
  std::thread a([] { assert(use() == 1 && use() == 2); });
  std::thread b([] {});
  a.join();
  b.join();
  assert(constructed.load() == 1);
  assert(use() == 1);
}
