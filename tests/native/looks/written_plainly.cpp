// What a loop waits for is also written plainly: a look that comes too early is in a data race with that,
// and the one that ends the loop is not.
#include <thread>

int ready = 0;

int main() {
  std::thread waits([] {
    while (__atomic_load_n(&ready, __ATOMIC_ACQUIRE) != 2) {
    }
  });
  ready = 1;
  __atomic_store_n(&ready, 2, __ATOMIC_RELEASE);
  waits.join();
}
