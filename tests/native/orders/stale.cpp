// Executions that fail because of an old value. tests/native/orders_test.cpp says which memory
// orders would forbid them: the lines have names.
#include <atomic>
#include <cassert>
#include <memory>
#include <string_view>
#include <thread>

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
std::atomic<int> x, y;
std::atomic<bool> flag;

// std::atomic<bool> has functions that are not always inlined.
void message() {
  std::thread writer([] {
    x.store(1, relaxed);
    flag.store(true, relaxed);  // message: publishes
  });
  if (flag.load(relaxed))  // message: looks
    assert(x.load(relaxed) == 1);
  writer.join();
}

// The same object of the heap, twice in one execution.
void reused() {
  for (int round = 0; round < 2; ++round) {
    const auto cell = std::make_unique<std::atomic<int>[]>(2);
    std::thread writer([&] {
      cell[0].store(1, relaxed);
      cell[1].store(1, relaxed);  // reused: publishes
    });
    if (cell[1].load(relaxed) == 1 && round == 1)  // reused: looks
      assert(cell[0].load(relaxed) == 1);
    writer.join();
  }
}

void buffered() {
  static int old_values;
  const auto each = [](std::atomic<int>& mine, std::atomic<int>& other) {
    mine.store(1, relaxed);           // buffered: stores
    return other.load(relaxed) == 0;  // buffered: loads
  };
  static bool first, second;
  std::thread one([&] { first = each(x, y); });
  std::thread two([&] { second = each(y, x); });
  one.join();
  two.join();
  old_values = first + second;
  assert(old_values < 2);
}

// Each thread has its own code.
void dekker() {
  static std::atomic<int> inside;
  std::thread one([] {
    x.store(1, relaxed);         // dekker: first store
    if (y.load(relaxed) == 0) {  // dekker: first load
      assert(inside.exchange(1) == 0);
    }
  });
  std::thread two([] {
    y.store(1, relaxed);         // dekker: second store
    if (x.load(relaxed) == 0) {  // dekker: second load
      assert(inside.exchange(1) == 0);
    }
  });
  one.join();
  two.join();
}

// A reader that takes what was written in part for a version that does not change.
void seqlock() {
  std::thread writer([] {
    x.store(1, relaxed);  // seqlock: is being written
    y.store(7, relaxed);  // seqlock: writes
    x.store(2, std::memory_order_release);
  });
  const int version = x.load(relaxed);
  const int value = y.load(relaxed);  // seqlock: reads
  const int again = x.load(relaxed);  // seqlock: looks again
  assert(version != 0 || again != 0 || value == 0);
  writer.join();
}

// An update that gets lost.
void counter() {
  const auto increment = [] {
    const int value = x.load(relaxed);
    x.store(value + 1, relaxed);
  };
  std::thread other(increment);
  increment();
  other.join();
  assert(x.load(relaxed) == 2);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "message") message();
  if (name == "reused") reused();
  if (name == "buffered") buffered();
  if (name == "dekker") dekker();
  if (name == "seqlock") seqlock();
  if (name == "counter") counter();
}
