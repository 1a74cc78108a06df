// Peterson's algorithm without the turn: both may enter.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> wants[2];
static std::atomic<int> inside;

static void enter(int id) {
  if (wants[1 - id].load()) return;
  wants[id].store(1);
  int others = inside.fetch_add(1);
  assert(others == 0);  // BUG-LINE
  inside.fetch_sub(1);
  wants[id].store(0);
}

int main() {
  std::thread t(enter, 1);
  enter(0);
  t.join();
}
