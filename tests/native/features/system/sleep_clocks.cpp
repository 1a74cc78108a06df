// Sleeping and reading clocks: no call fails, a thread's monotonic clock never goes back, and a
// sleep takes at least as long as was asked, by the program's own clock.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

static long long monotonic() {
  timespec t;
  assert(clock_gettime(CLOCK_MONOTONIC, &t) == 0);
  assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void sleep_every_way() {
  long long before = monotonic();
  timespec pause = {0, 1000000};
  assert(nanosleep(&pause, nullptr) == 0);
  long long after = monotonic();
  assert(after - before >= 1000000);
  assert(usleep(1000) == 0);
  before = after;
  after = monotonic();
  assert(after - before >= 1000000);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr) == 0);
  before = after;
  after = monotonic();
  assert(after - before >= 1000000);

  auto steady = std::chrono::steady_clock::now();
  auto system = std::chrono::system_clock::now();
  std::this_thread::sleep_for(1ms);
  assert(std::chrono::steady_clock::now() - steady >= 1ms);
  assert(std::chrono::system_clock::now() >= system);
  std::this_thread::sleep_until(steady + 3ms);
  assert(std::chrono::steady_clock::now() >= steady + 3ms);
}

int main() {
  std::thread t(sleep_every_way);
  timeval first, second;
  assert(gettimeofday(&first, nullptr) == 0);
  time_t now = time(nullptr);
  assert(now > 0);
  assert(sleep(0) == 0);
  assert(gettimeofday(&second, nullptr) == 0);
  assert(second.tv_sec > first.tv_sec ||
         (second.tv_sec == first.tv_sec && second.tv_usec >= first.tv_usec));
  timespec resolution;
  assert(clock_getres(CLOCK_MONOTONIC, &resolution) == 0);
  assert(time(nullptr) >= now);
  t.join();
}
