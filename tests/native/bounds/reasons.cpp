// Loops until another thread has stored, each of which does in every round something that keeps it
// from counting as one that waits. The argument says which one; the line of what it does says so.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

using Clock = std::chrono::steady_clock;

std::atomic<bool> ready{false};
std::atomic<int> tries{0}, others[25];
int plain_tries = 0;
char buffer[8];

template <int N>
[[gnu::always_inline]] inline void look_at_all() {
  others[N].load();
  if constexpr (N < 24) look_at_all<N + 1>();
}

int deep(int levels) {
  volatile char room[4096];
  room[0] = static_cast<char>(levels);
  if (levels > 0) return deep(levels - 1) + room[0];
  while (!ready.load()) {  // stack
  }
  return 0;
}

int main(int, char** arguments) {
  const std::string_view which = arguments[1];
  std::thread other([] { ready.store(true); });
  if (which == "update")
    while (!ready.load()) tries.fetch_add(1);  // update
  if (which == "write")
    while (!ready.load()) ++plain_tries;  // write
  if (which == "library")
    while (!ready.load()) std::memset(buffer, ++buffer[0], 1);  // library
  if (which == "allocation")
    while (!ready.load()) {
      void* volatile block = std::malloc(1);  // allocation
      std::free(block);
    }
  if (which == "clock")
    while (!ready.load())
      if (Clock::now() == Clock::time_point{}) break;  // clock
  if (which == "counter")
    for (int i = 0; !ready.load(); ++i)  // counter
      if (i == 1'000'000) break;
  if (which == "reads")
    while (!ready.load()) {  // reads
      look_at_all<0>();
    }
  if (which == "wait") {
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    const timespec past = {};
    while (!ready.load()) pthread_cond_timedwait(&condition, &own, &past);  // wait
    pthread_mutex_unlock(&own);
  }
  if (which == "stack") deep(20);
  other.join();
}
