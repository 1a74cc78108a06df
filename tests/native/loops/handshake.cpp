// A result handed over through a flag, both on main's stack, where another thread writes while main
// waits (the text in library code that is not instrumented). Seeded bug: the flag is set first.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

int main() {
  std::string text;
  int length = 0;
  std::atomic<bool> done{false};
  std::thread worker([&] {
    text = "a text that is too long to lie in the string itself";
#ifdef BUG
    done.store(true, std::memory_order_relaxed);
    length = static_cast<int>(text.size());
#else
    length = static_cast<int>(text.size());
    done.store(true, std::memory_order_release);
#endif
  });
  while (!done.load(std::memory_order_acquire)) std::this_thread::yield();
  assert(length > 20 && text.size() > 20);
  worker.join();
}
