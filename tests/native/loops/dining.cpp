// Philosophers who put the left fork down when the right one is taken. Seeded bug: the last one keeps
// it and waits.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 2
#endif

static std::mutex forks[THREADS];
static int meals[THREADS];

static void philosopher(int i) {
  std::mutex& left = forks[i];
  std::mutex& right = forks[(i + 1) % THREADS];
  for (;;) {
    left.lock();
#ifdef BUG
    right.lock();
    break;
#else
    if (right.try_lock()) break;
#endif
    left.unlock();
    std::this_thread::yield();
  }
  ++meals[i];
  right.unlock();
  left.unlock();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) threads.emplace_back(philosopher, i);
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < THREADS; ++i) assert(meals[i] == 1);
}
