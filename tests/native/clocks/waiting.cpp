// Loops in which time passes. The arguments say which one, and where somebody looks at a clock: nowhere,
// before there are threads, in a thread that has waited, or in one that has nothing to do with it.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::atomic<bool> ready{false};
std::timed_mutex timed;
std::recursive_timed_mutex recursive;
std::shared_timed_mutex shared;
pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
timespec deadline = {2'000'000'000, 0};

template <typename Try, typename Unlock>
void in_two_threads(Try try_to_lock, Unlock unlock) {
  const auto work = [&] {
    while (!try_to_lock()) std::this_thread::yield();
    unlock();
  };
  std::thread other(work);
  work();
  other.join();
}

void wait_in(const std::string& loop) {
  if (loop == "poll" || loop == "spin") {
    std::thread other([] { ready.store(true); });
    while (!ready.load())
      if (loop == "poll") std::this_thread::sleep_for(1ms);
    other.join();
  }
  if (loop == "mutex")
    in_two_threads([] { return timed.try_lock_for(1ms); }, [] { timed.unlock(); });
  if (loop == "recursive")
    in_two_threads([] { return recursive.try_lock_for(1ms); }, [] { recursive.unlock(); });
  if (loop == "shared")
    in_two_threads([] { return shared.try_lock_for(1ms); }, [] { shared.unlock(); });
  if (loop == "reader") {
    std::thread other([] {
      shared.lock();
      shared.unlock();
    });
    while (!shared.try_lock_shared_for(1ms)) std::this_thread::yield();
    shared.unlock_shared();
    other.join();
  }
  if (loop == "posix")
    in_two_threads([] { return pthread_mutex_timedlock(&plain, &deadline) == 0; },
                   [] { pthread_mutex_unlock(&plain); });
}

int main(int, char** arguments) {
  const std::string loop = arguments[1], look = arguments[2];
  if (look == "before") assert(Clock::now() > Clock::time_point{});
  const auto begin = look == "after" ? Clock::now() : Clock::time_point{};
  std::thread elsewhere([&] {
    if (look == "elsewhere") assert(Clock::now() > Clock::time_point{});
  });
  wait_in(loop);
  elsewhere.join();
  if (look == "after") assert(Clock::now() - begin < 20ms);  // false after twenty rounds
}
