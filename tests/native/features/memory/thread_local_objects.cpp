// thread_local objects: constructed on first use in each thread, destroyed at its end, in reverse.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> constructed, destroyed;

struct Inner {
  Inner() { constructed.fetch_add(1); }
  ~Inner() { destroyed.fetch_add(1); }
  int value = 10;
};

thread_local Inner first;
thread_local std::string text = "thread";
thread_local int plain = 3;

static void use() {
  assert(plain == 3 && text == "thread");
  plain++;
  text += " local";
  first.value++;
  static thread_local Inner nested;
  nested.value++;
  std::this_thread::yield();
  assert(plain == 4 && text == "thread local" && first.value == 11 && nested.value == 11);
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(plain == 3 && text == "thread");
  assert(constructed.load() == destroyed.load() + 1);
  assert(destroyed.load() == 4);
}
