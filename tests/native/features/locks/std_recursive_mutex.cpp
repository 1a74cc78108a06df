// std::recursive_mutex: nested sections of one thread, exclusion between threads.
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex m;
static int x;

static void nested(int depth) {
  std::lock_guard lock(m);
  if (depth > 0) nested(depth - 1);
  x++;
}

int main() {
  std::thread t(nested, 1);
  nested(1);
  t.join();
  assert(x == 4);
  assert(m.try_lock() && m.try_lock());
  m.unlock();
  m.unlock();
}
