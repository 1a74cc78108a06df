// Loops in which threads race, and loops in which nobody does: --unroll=N is about the former.
#include <atomic>
#include <cassert>
#include <thread>

struct Slots {
  Slots() {
    for (auto& slot : slots) slot.store(1);
  }
  std::atomic<int> slots[8];
};

std::atomic<int> turns{0};

int main(int count, char**) {
  const int times = count + 2;  // 3, but the compiler does not know
  Slots all;
  std::thread other([times] {
    for (int i = 0; i < times; ++i) turns.fetch_add(1);  // of the other
  });
  for (int i = 0; i < times; ++i) turns.fetch_add(1);  // of main
  other.join();
  int sum = 0;
  for (auto& slot : all.slots) sum += slot.load();
  assert(sum == 8);
}
