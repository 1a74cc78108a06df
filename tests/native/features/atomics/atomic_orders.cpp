// Every operation with every memory order it allows.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x;

static void every_order() {
  for (auto order :
       {std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst}) {
    x.store(1, order);
  }
  for (auto order : {std::memory_order_relaxed, std::memory_order_consume,
                     std::memory_order_acquire, std::memory_order_seq_cst}) {
    assert(x.load(order) == 1);
  }
  x.store(1, std::memory_order_relaxed);
  x.store(1, std::memory_order_release);
  x.store(1, std::memory_order_seq_cst);
  assert(x.load(std::memory_order_relaxed) == 1);
  assert(x.load(std::memory_order_consume) == 1);
  assert(x.load(std::memory_order_acquire) == 1);
  assert(x.load(std::memory_order_seq_cst) == 1);
  assert(x.exchange(2, std::memory_order_relaxed) == 1);
  assert(x.exchange(3, std::memory_order_acquire) == 2);
  assert(x.exchange(4, std::memory_order_release) == 3);
  assert(x.exchange(5, std::memory_order_acq_rel) == 4);
  assert(x.exchange(6, std::memory_order_seq_cst) == 5);
  assert(x.fetch_add(1, std::memory_order_relaxed) == 6);
  assert(x.fetch_add(1, std::memory_order_consume) == 7);
  assert(x.fetch_sub(1, std::memory_order_acquire) == 8);
  assert(x.fetch_or(8, std::memory_order_release) == 7);
  assert(x.fetch_and(7, std::memory_order_acq_rel) == 15);
  assert(x.fetch_xor(1, std::memory_order_seq_cst) == 7);
  int expected = 6;
  assert(
      x.compare_exchange_strong(expected, 7, std::memory_order_relaxed, std::memory_order_relaxed));
  assert(!x.compare_exchange_strong(expected, 8, std::memory_order_acq_rel,
                                    std::memory_order_acquire));
  assert(expected == 7);
  assert(
      x.compare_exchange_strong(expected, 8, std::memory_order_release, std::memory_order_seq_cst));
}

static int data;
static std::atomic<bool> ready;

int main() {
  every_order();
  std::thread t([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  if (ready.load(std::memory_order_acquire)) assert(data == 42);
  t.join();
}
