// Dining philosophers: everybody takes the left fork, then the right one.
//
//   mazur check examples/philosophers.cpp -DN=5
//
// Deadlock: each holds a left fork and waits for the right one. philosophers_fixed.cpp seats one
// left-hander.
#include <mutex>
#include <thread>

#ifndef N
#define N 3
#endif

std::mutex fork_[N];
int meals[N];

void dine(int seat) {
  std::lock_guard left(fork_[seat]);
  std::lock_guard right(fork_[(seat + 1) % N]);
  meals[seat]++;
}

int main() {
  std::thread philosopher[N];
  for (int i = 0; i < N; i++) philosopher[i] = std::thread(dine, i);
  for (std::thread& t : philosopher) t.join();
}
