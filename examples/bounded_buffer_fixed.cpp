// bounded_buffer.cpp, repaired: whoever might have to act is woken. (Two condition variables, one
// for each side, would let notify_one stay.)
//
//   mazur check examples/bounded_buffer_fixed.cpp
//
// Verified.
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
  changed.notify_all();
}

void consume() {
  std::unique_lock lock(m);
  changed.wait(lock, [] { return full; });
  sum += item;
  full = false;
  changed.notify_all();
}

int main() {
  std::thread consumers[2] = {std::thread(consume), std::thread(consume)};
  std::thread producers[2] = {std::thread(produce, 1), std::thread(produce, 2)};
  for (std::thread& t : producers) t.join();
  for (std::thread& t : consumers) t.join();
  assert(sum == 3);
}
