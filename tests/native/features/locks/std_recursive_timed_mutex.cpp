// std::recursive_timed_mutex: nested timed sections.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

static std::recursive_timed_mutex m;
static int x;

static int nested() {
  int done = 0;
  if (m.try_lock_for(1h)) {
    assert(m.try_lock_until(std::chrono::system_clock::now() + 1h));
    x++;
    done = 1;
    m.unlock();
    m.unlock();
  }
  return done;
}

int main() {
  int other = 0;
  std::thread t([&other] { other = nested(); });
  int own = nested();
  t.join();
  assert(x == own + other && x >= 1);
}
