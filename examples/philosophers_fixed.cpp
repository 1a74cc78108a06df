// Dining philosophers where everybody takes the fork with the smaller number first: no cycle of
// waiting can close.
//
//   mazur check examples/philosophers_fixed.cpp -DN=5
//
// Verified. 6 executions for 3 philosophers, 30 for 5: 2^N - 2, because each fork goes to one of
// its two neighbours first, and they cannot all give way to the same side.
#include <algorithm>
#include <mutex>
#include <thread>

#ifndef N
#define N 3
#endif

std::mutex fork_[N];
int meals[N];

void dine(int seat) {
  int other = (seat + 1) % N;
  std::lock_guard first(fork_[std::min(seat, other)]);
  std::lock_guard second(fork_[std::max(seat, other)]);
  meals[seat]++;
}

int main() {
  std::thread philosopher[N];
  for (int i = 0; i < N; i++) philosopher[i] = std::thread(dine, i);
  for (std::thread& t : philosopher) t.join();
}
