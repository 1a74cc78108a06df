// A buffer of one place between two producers and two consumers, with one condition variable for
// both sides and notify_one.
//
//   mazur check examples/bounded_buffer.cpp
//
// Deadlock: the notification meant for a producer wakes the other consumer, who goes back to sleep,
// and then everybody sleeps. bounded_buffer_fixed.cpp has the cure.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable changed;
bool full = false;
int item = 0;
int sum = 0;

void produce(int value) {
  std::unique_lock lock(m);
  changed.wait(lock, [] { return !full; });
  item = value;
  full = true;
  changed.notify_one();
}

void consume() {
  std::unique_lock lock(m);
  changed.wait(lock, [] { return full; });
  sum += item;
  full = false;
  changed.notify_one();
}

int main() {
  std::thread consumers[2] = {std::thread(consume), std::thread(consume)};
  std::thread producers[2] = {std::thread(produce, 1), std::thread(produce, 2)};
  for (std::thread& t : producers) t.join();
  for (std::thread& t : consumers) t.join();
  assert(sum == 3);
}
