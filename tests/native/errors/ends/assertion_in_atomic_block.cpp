// A block that touches another place when it comes later, and fails there.
#include <mazur/mazur.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> index, slots[2];

int main() {
  std::thread a([] {
    mazur_atomic_begin();
    slots[index] = 1;
    assert(slots[1] == 0 || index == 0);
    mazur_atomic_end();
  });
  std::thread b([] { index = 1; });
  a.join();
  b.join();
}
