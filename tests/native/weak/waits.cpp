// Waiting under a weak memory model: what is built on futexes, deadlines, and the lives of objects. Those that end
// with -weak have an error under c++20.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <string>
#include <thread>

namespace {

int data = 0;
std::atomic<int> word{0};

void promise() {
  std::promise<int> made;
  std::future<int> future = made.get_future();
  std::thread maker([&] { made.set_value(7); });
  assert(future.get() == 7);
  maker.join();
}

void semaphore() {
  static std::counting_semaphore<4> free{0};
  std::thread releaser([] {
    data = 1;
    free.release();
  });
  free.acquire();
  assert(data == 1);
  releaser.join();
}

// The library's notify looks whether anybody waits. If the store before it is weaker than seq_cst, that look may come
// first: then nobody is woken.
void wait_and_notify(std::memory_order order) {
  std::thread writer([order] {
    data = 1;
    word.store(1, order);
    word.notify_one();
  });
  word.wait(0, std::memory_order_acquire);
  assert(data == 1);
  writer.join();
}

void relaxed_wait() {
  std::thread writer([] {
    data = 1;
    word.store(1, std::memory_order_relaxed);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  });
  while (word.load(std::memory_order_relaxed) == 0)
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  assert(data == 1);
  writer.join();
}

class FutexMutex {
 public:
  explicit FutexMutex(int wakes) : wakes_(wakes) {}
  void lock() {
    int seen = 0;
    if (state_.compare_exchange_strong(seen, 1, std::memory_order_acquire)) return;
    if (seen != 2) seen = state_.exchange(2, std::memory_order_acquire);
    while (seen != 0) {
      syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, 2, nullptr, nullptr, 0);
      seen = state_.exchange(2, std::memory_order_acquire);
    }
  }
  void unlock() {
    if (state_.exchange(0, std::memory_order_release) == 2)
      syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, wakes_, nullptr, nullptr, 0);
  }

 private:
  int wakes_;
  std::atomic<int> state_{0};
};

void futex_mutex(int wakes) {
  FutexMutex mutex(wakes);
  const auto add = [&] {
    const std::lock_guard guard(mutex);
    ++data;
  };
  std::thread other(add);
  add();
  other.join();
  assert(data == 2);
}

void wake_all() {
  const auto sleep = [] { syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0); };
  std::thread first(sleep), second(sleep);
  word.store(1);
  const long woken = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1 << 30, nullptr, nullptr, 0);
  assert(woken >= 0 && woken <= 2);
  first.join();
  second.join();
}

long wait_with(unsigned mask) {
  return syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, nullptr, nullptr, mask);
}
long wake_with(unsigned mask, int most = 1 << 30) {
  return syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, most, nullptr, nullptr, mask);
}

// A wake reaches those whose mask has a bit in common with its own. If `second` has none with that of the other
// sleeper, it may sleep for ever.
void bitset(unsigned second) {
  std::thread first([] { wait_with(1); }), other([] { wait_with(2); });
  word.store(1);
  assert(wake_with(1) <= 1);
  wake_with(second);
  first.join();
  other.join();
}

void one_bitset() {
  std::thread sleeper([] { wait_with(2); });
  word.store(1);
  assert(wake_with(1) == 0);
  assert(wake_with(4 | 2) <= 1);
  sleeper.join();
}

// The one that is woken is one of those that can be. Then there is one left at most whom the same mask reaches.
void chosen_by_bitset(bool alone) {
  std::thread first([] { wait_with(1 | 2); }), second([] { wait_with(2 | 4); }),
      third([] { wait_with(4); });
  word.store(1);
  const long woken = wake_with(2, 1);
  assert(woken <= 1);
  const long more = wake_with(1);
  assert(!alone || more == 0);  // unless the first slept, and the second one was chosen
  wake_with(~0u);
  first.join();
  second.join();
  third.join();
}

void bitset_deadline() {
  std::thread waker([] {
    word.store(1);
    wake_with(2);
    wake_with(1);
  });
  const timespec second{1, 0};
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &second, nullptr, 1);
  waker.join();
}

void deadline(bool must_be_ready) {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread setter([&] {
    {
      const std::lock_guard guard(mutex);
      ready = true;
    }
    changed.notify_one();
  });
  {
    std::unique_lock guard(mutex);
    const bool in_time = changed.wait_for(guard, std::chrono::seconds(1), [&] { return ready; });
    assert(in_time == ready);
    assert(in_time || !must_be_ready);
  }
  setter.join();
}

void futex_deadline() {
  std::thread waker([] {
    word.store(1);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  });
  const timespec second{1, 0};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &second, nullptr, 0);
  waker.join();
}

void destroyed(bool too_early) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, nullptr);
  std::thread user([&] {
    pthread_mutex_lock(&mutex);
    ++data;
    pthread_mutex_unlock(&mutex);
  });
  if (!too_early) user.join();
  pthread_mutex_destroy(&mutex);
  if (too_early) user.join();
}

// An exchange may come before a store that has been run, and so may the load before it.
void test_and_test_and_set() {
  const auto add = [] {
    do {
      while (word.load() != 0) {
      }
    } while (word.exchange(1) != 0);
    ++data;
    word.store(0);
  };
  std::thread first(add), second(add);
  first.join();
  second.join();
  assert(data == 2);
}

void begun_anew() {
  std::thread other([] {
    pthread_mutex_t mutex;
    for (int i = 0; i < 2; ++i) {
      pthread_mutex_init(&mutex, nullptr);
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
      pthread_mutex_destroy(&mutex);
    }
    word.store(1);
  });
  word.load();
  other.join();
}

}  // namespace

int main(int, char** arguments) {
  const std::string name = arguments[1];
  if (name == "promise") promise();
  if (name == "semaphore") semaphore();
  if (name == "notify") wait_and_notify(std::memory_order_seq_cst);
  if (name == "notify-weak") wait_and_notify(std::memory_order_release);
  if (name == "relaxed-weak") relaxed_wait();
  if (name == "futex-mutex") futex_mutex(1);
  if (name == "futex-mutex-weak") futex_mutex(0);
  if (name == "wake-all") wake_all();
  if (name == "bitset") bitset(2);
  if (name == "bitset-weak") bitset(1);
  if (name == "one-bitset") one_bitset();
  if (name == "chosen-by-bitset") chosen_by_bitset(false);
  if (name == "chosen-by-bitset-weak") chosen_by_bitset(true);
  if (name == "bitset-deadline") bitset_deadline();
  if (name == "deadline") deadline(false);
  if (name == "deadline-weak") deadline(true);
  if (name == "futex-deadline") futex_deadline();
  if (name == "destroyed") destroyed(false);
  if (name == "destroyed-weak") destroyed(true);
  if (name == "begun-anew") begun_anew();
  if (name == "test-and-test-and-set") test_and_test_and_set();
}
