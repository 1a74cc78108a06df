// Atomics of 1, 2, 4 and 8 bytes: every operation, with the values it must return.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <typename T>
static void all_operations() {
  std::atomic<T> x{T(5)};
  static_assert(std::atomic<T>::is_always_lock_free);
  assert(x.load() == T(5));
  x.store(T(6));
  assert(x.exchange(T(7)) == T(6));
  T expected = T(1);
  assert(!x.compare_exchange_strong(expected, T(2)));
  assert(expected == T(7));
  assert(x.compare_exchange_strong(expected, T(8)));
  while (!x.compare_exchange_weak(expected = T(8), T(9))) {
  }
  assert(x.fetch_add(T(3)) == T(9));
  assert(x.fetch_sub(T(2)) == T(12));
  assert(x.fetch_or(T(0x10)) == T(10));
  assert(x.fetch_and(T(0x18)) == T(0x1a));
  assert(x.fetch_xor(T(0x09)) == T(0x18));
  assert(++x == T(0x12));
  assert(x++ == T(0x12));
  assert(--x == T(0x12));
  assert(x-- == T(0x12));
  assert((x += T(4)) == T(0x15));
  assert((x -= T(5)) == T(0x10));
  assert((x |= T(1)) == T(0x11));
  assert((x &= T(0x10)) == T(0x10));
  assert((x ^= T(0x30)) == T(0x20));
  x = T(~T(0));
  assert(x.fetch_add(T(1)) == T(~T(0)));
  assert(x.load() == T(0));
}

template <typename T>
static void count_together() {
  std::atomic<T> x{T(0)};
  std::thread t([&] { x.fetch_add(T(100)); });
  x.fetch_add(T(27));
  t.join();
  assert(x.load() == T(127));
}

int main() {
  all_operations<std::uint8_t>();
  all_operations<std::int8_t>();
  all_operations<std::uint16_t>();
  all_operations<std::int32_t>();
  all_operations<std::uint64_t>();
  count_together<std::uint8_t>();
  count_together<std::uint16_t>();
  count_together<std::uint32_t>();
  count_together<std::uint64_t>();
}
