// Atomic blocks: nested, with atomics, plain variables and a mutex inside, left by an exception.
#include <mazur/mazur.h>

#include <atomic>
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

struct Block {
  Block() { mazur_atomic_begin(); }
  ~Block() { mazur_atomic_end(); }
};

std::atomic<int> x, y;
int plain;
char bytes[24];
std::mutex mutex;

static void both() {
  const Block block;
  x = 1;
  {
    const Block inner;
    plain = plain + 1;
    std::memset(bytes + 3, 1, 15);
  }
  mazur_yield();
  y.store(1, std::memory_order_relaxed);
}

static void look() {
  const Block block;
  assert(x == y);
  assert(bytes[3] == bytes[17]);
  if (plain != 0) plain = 5;
}

static void change_and_restore() {
  try {
    const Block block;
    mutex.lock();
    x.fetch_add(1);
    int expected = 7;
    y.compare_exchange_strong(expected, 3);
    x.fetch_sub(1);
    mutex.unlock();
    throw 1;
  } catch (int) {
  }
}

int main() {
  std::thread a(both), b(look), c(change_and_restore);
  a.join();
  b.join();
  c.join();
  assert(plain == 1 || plain == 5);
}
