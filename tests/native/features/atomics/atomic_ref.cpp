// std::atomic_ref makes accesses to an ordinary object atomic.
#include <atomic>
#include <cassert>
#include <thread>

static int value;
static short array[2];

int main() {
  std::thread t([] {
    std::atomic_ref(value).fetch_add(1);
    std::atomic_ref<short>(array[0]).store(7);
  });
  std::atomic_ref(value).fetch_add(1);
  std::atomic_ref<short>(array[1]).store(8);
  t.join();
  assert(value == 2 && array[0] == 7 && array[1] == 8);
  std::atomic_ref ref(value);
  int expected = 2;
  assert(ref.compare_exchange_strong(expected, 3) && value == 3);
  assert(ref.exchange(4) == 3 && ref.load() == 4);
}
