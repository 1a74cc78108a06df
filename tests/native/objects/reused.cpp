// Objects that are destroyed when nobody uses them any more, and their memory, which is used again.
// The argument says which.
#include <pthread.h>
#include <semaphore.h>

#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <thread>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int value = 0;

void use() {
  pthread_mutex_lock(&mutex);
  ++value;
  pthread_mutex_unlock(&mutex);
}

void use_by_two() {
  std::thread other(use);
  use();
  other.join();
}

void initialised_again() {
  for (int i = 0; i < 3; ++i) {
    use_by_two();
    pthread_mutex_destroy(&mutex);
    if (i == 0) pthread_mutex_init(&mutex, nullptr);
    if (i == 1) mutex = PTHREAD_MUTEX_INITIALIZER;
  }
  std::memset(static_cast<void*>(&mutex), 0, sizeof mutex);
  use_by_two();
}

// By one thread, while others are there.
void in_frames() {
  const auto work = [] {
    for (int i = 0; i < 2; ++i) {
      pthread_mutex_t local;
      pthread_mutex_init(&local, nullptr);
      pthread_mutex_lock(&local);
      pthread_mutex_unlock(&local);
      pthread_mutex_destroy(&local);
      pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
      pthread_mutex_lock(&other);
      pthread_mutex_unlock(&other);
    }
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}

struct Shared {
  std::mutex m;
  std::condition_variable changed;
  bool done = false;
};

void in_the_same_storage() {
  alignas(Shared) static unsigned char storage[sizeof(Shared)];
  for (int i = 0; i < 2; ++i) {
    auto* shared = new (storage) Shared;
    std::thread waiter([=] {
      std::unique_lock lock(shared->m);
      shared->changed.wait(lock, [=] { return shared->done; });
    });
    {
      const std::lock_guard lock(shared->m);
      shared->done = true;
      shared->changed.notify_one();
    }
    waiter.join();
    shared->~Shared();
  }
}

// POSIX: "as soon as all threads that wait on it have been woken".
void destroyed_after_broadcast() {
  static bool done = false;
  std::thread waiter([] {
    pthread_mutex_lock(&mutex);
    while (!done) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_lock(&mutex);
  done = true;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&condition);
  waiter.join();
}

// The last one destroys it.
void destroyed_after_unlock() {
  struct Counted {
    pthread_mutex_t lock;
    int users;
  };
  auto* counted = static_cast<Counted*>(std::malloc(sizeof(Counted)));
  pthread_mutex_init(&counted->lock, nullptr);
  counted->users = 2;
  const auto leave = [=] {
    pthread_mutex_lock(&counted->lock);
    const bool last = --counted->users == 0;
    pthread_mutex_unlock(&counted->lock);
    if (!last) return;
    pthread_mutex_destroy(&counted->lock);
    std::free(counted);
  };
  std::thread other(leave);
  leave();
  other.join();
}

// Whoever leaves first destroys it.
void destroyed_after_barrier() {
  static pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  const auto meet = [] {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
      assert(pthread_barrier_destroy(&barrier) == 0);
  };
  for (int i = 0; i < 2; ++i) {
    std::thread other(meet);
    meet();
    other.join();
    pthread_barrier_init(&barrier, nullptr, 2);
  }
}

void destroyed_after_wait() {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  std::thread other([&] { sem_post(&semaphore); });
  sem_wait(&semaphore);
  assert(sem_destroy(&semaphore) == 0);
  other.join();
}

}  // namespace

int main(int, char** arguments) {
  const std::map<std::string, std::function<void()>> cases = {
      {"initialised-again", initialised_again}, {"frames", in_frames},
      {"storage", in_the_same_storage},         {"after-broadcast", destroyed_after_broadcast},
      {"after-unlock", destroyed_after_unlock}, {"after-barrier", destroyed_after_barrier},
      {"after-wait", destroyed_after_wait}};
  cases.at(arguments[1])();
}
