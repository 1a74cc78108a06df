// Atomics of one byte side by side: updates of one do not disturb the others.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned char> cell[4];

int main() {
  std::thread a([] { cell[0].store(0xff); });
  std::thread b([] { cell[1].fetch_add(0x7f); });
  cell[2].exchange(0x33);
  a.join();
  b.join();
  assert(cell[0] == 0xff && cell[1] == 0x7f && cell[2] == 0x33 && cell[3] == 0);
}
