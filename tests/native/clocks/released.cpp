// A thread that was released by one that has slept a second finds that second gone, by every clock
// and in every schedule. The argument says how it is released.
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

Clock::time_point start;

void has_passed(Clock::duration least) {
  const auto gone = Clock::now() - start;
  assert(gone >= least);
  assert(gone < least + 500ms);
}

void nap() { sleep(1); }

void by_join() {
  std::thread sleeper(nap);
  sleeper.join();
  has_passed(1s);
}

// It is the longer of the two times, not their sum.
void by_joining_two() {
  std::thread one(nap), two([] { usleep(700'000); });
  one.join();
  two.join();
  has_passed(1s);
}

void by_creation() {
  nap();
  std::thread child([] {
    has_passed(1s);
    std::thread([] { has_passed(1s); }).join();
  });
  child.join();
}

void by_mutex() {
  static std::mutex m;
  static bool slept = false;
  std::thread sleeper([] {
    nap();
    const std::lock_guard lock(m);
    slept = true;
  });
  {
    const std::lock_guard lock(m);
    has_passed(slept ? 1s : 0s);
  }
  sleeper.join();
}

void by_shared_mutex() {
  static std::shared_mutex m;
  static bool slept = false;
  std::thread sleeper([] {
    nap();
    const std::lock_guard lock(m);
    slept = true;
  });
  {
    const std::shared_lock lock(m);
    has_passed(slept ? 1s : 0s);
  }
  sleeper.join();
}

void by_condition() {
  static std::mutex m;
  static std::condition_variable changed;
  static bool done = false;
  std::thread sleeper([] {
    nap();
    {
      const std::lock_guard lock(m);
      done = true;
    }
    changed.notify_one();
  });
  {
    std::unique_lock lock(m);
    changed.wait(lock, [] { return done; });
  }
  has_passed(1s);
  sleeper.join();
}

void by_semaphore() {
  static sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  std::thread sleeper([] {
    nap();
    sem_post(&semaphore);
  });
  sem_wait(&semaphore);
  has_passed(1s);
  sleeper.join();
}

void by_barrier() {
  static pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread sleeper([] {
    nap();
    pthread_barrier_wait(&barrier);
  });
  pthread_barrier_wait(&barrier);
  has_passed(1s);
  sleeper.join();
}

void by_relaxed_store() {
  static std::atomic<int> flag{0}, other{0};
  std::thread sleeper([] {
    other.store(1, std::memory_order_relaxed);
    nap();
    flag.store(1, std::memory_order_relaxed);
  });
  std::thread bystander([] {
    // A store says nothing about what it replaces.
    flag.store(2, std::memory_order_relaxed);
    has_passed(0s);
  });
  const int seen = flag.load(std::memory_order_relaxed);
  has_passed(seen == 1 ? 1s : 0s);
  sleeper.join();
  bystander.join();
}

void by_promise() {
  std::promise<int> promise;
  std::thread sleeper([&] {
    nap();
    promise.set_value(1);
  });
  assert(promise.get_future().get() == 1);
  has_passed(1s);
  sleeper.join();
}

// The clocks of two threads that know nothing of each other are their own.
void by_nobody() {
  std::thread sleeper(nap);
  has_passed(0s);
  sleeper.join();
  has_passed(1s);
}

// A deadline that has struck is over for those who are told of it.
void by_timeout() {
  static std::timed_mutex m;
  m.lock();
  std::thread waiter([] { assert(!m.try_lock_for(1s)); });
  waiter.join();
  m.unlock();
  has_passed(1s);
}

void all_clocks_agree() {
  const auto monotonic = [](clockid_t clock) {
    timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + static_cast<double>(t.tv_nsec) * 1e-9;
  };
  const auto passed_since = [](double now, double then) {
    assert(now - then >= 1);
    assert(now - then < 1.5);
  };
  const double then[] = {monotonic(CLOCK_MONOTONIC), monotonic(CLOCK_REALTIME),
                         monotonic(CLOCK_MONOTONIC_RAW)};
  timeval day;
  gettimeofday(&day, nullptr);
  const time_t second = time(nullptr);
  const auto system = std::chrono::system_clock::now();
  const clock_t ticks = times(nullptr);
  unsigned processor = 1;
  const unsigned long long counter = __rdtsc(), counter_too = __rdtscp(&processor);
  assert(processor == 0);
  assert(counter_too > counter);
  std::thread sleeper(nap);
  sleeper.join();
  has_passed(1s);
  passed_since(monotonic(CLOCK_MONOTONIC), then[0]);
  passed_since(monotonic(CLOCK_REALTIME), then[1]);
  passed_since(monotonic(CLOCK_MONOTONIC_RAW), then[2]);
  timeval later;
  gettimeofday(&later, nullptr);
  passed_since(static_cast<double>(later.tv_sec) + static_cast<double>(later.tv_usec) * 1e-6,
               static_cast<double>(day.tv_sec) + static_cast<double>(day.tv_usec) * 1e-6);
  assert(time(nullptr) - second == 1);
  assert(std::chrono::system_clock::now() - system >= 1s);
  assert(times(nullptr) - ticks >= 100);
  const auto gone = static_cast<double>(__rdtsc() - counter) * 1e-9;
  assert(gone >= 1 && gone < 1.5);
}

}  // namespace

int main(int, char** arguments) {
  const std::map<std::string, std::function<void()>> ways = {{"join", by_join},
                                                             {"two", by_joining_two},
                                                             {"creation", by_creation},
                                                             {"mutex", by_mutex},
                                                             {"shared-mutex", by_shared_mutex},
                                                             {"condition", by_condition},
                                                             {"semaphore", by_semaphore},
                                                             {"barrier", by_barrier},
                                                             {"relaxed", by_relaxed_store},
                                                             {"promise", by_promise},
                                                             {"nobody", by_nobody},
                                                             {"timeout", by_timeout},
                                                             {"all", all_clocks_agree}};
  start = Clock::now();
  ways.at(arguments[1])();
}
