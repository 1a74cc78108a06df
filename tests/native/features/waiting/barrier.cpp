// std::barrier with a completion function that runs once per phase, and arrive_and_drop.
#include <barrier>
#include <cassert>
#include <thread>

static int completions;
static int slot[2];

static void complete() noexcept {
  completions++;
  assert(slot[0] == 1 && slot[1] == 1);
}

int main() {
  std::barrier barrier(2, complete);
  std::thread t([&barrier] {
    slot[1] = 1;
    barrier.arrive_and_wait();
    assert(slot[0] == 1 && completions == 1);
    barrier.arrive_and_drop();
  });
  slot[0] = 1;
  barrier.arrive_and_wait();
  assert(slot[1] == 1 && completions == 1);
  barrier.arrive_and_wait();
  assert(completions == 2);
  t.join();
}
