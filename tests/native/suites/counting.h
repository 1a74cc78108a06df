// What the cases of the suites count with: a test that fails under some schedules, and one that does
// not.
#pragma once

#include <atomic>
#include <thread>

inline int counted_with_loss() {
  std::atomic<int> n{0};
  const auto count = [&n] { n.store(n.load() + 1); };
  std::thread a(count), b(count);
  a.join();
  b.join();
  return n;
}

inline int counted() {
  std::atomic<int> n{0};
  std::thread a([&n] { ++n; }), b([&n] { ++n; });
  a.join();
  b.join();
  return n;
}
