// std::thread: arguments, moves, ids, swap, detach, hardware_concurrency, yield.
#include <atomic>
#include <cassert>
#include <functional>
#include <string>
#include <thread>
#include <utility>

static void concatenate(std::string& out, std::string a, const char* b, int n) {
  out = a + b + std::to_string(n);
}

struct Adder {
  int sum = 0;
  void add(int n) { sum += n; }
};

int main() {
  std::string result;
  std::thread a(concatenate, std::ref(result), "left", "right", 5);
  assert(a.joinable() && a.get_id() != std::this_thread::get_id());
  std::thread b = std::move(a);
  assert(!a.joinable() && a.get_id() == std::thread::id());
  b.join();
  assert(!b.joinable());
  assert(result == "leftright5");

  Adder adder;
  std::thread member(&Adder::add, &adder, 3);
  std::thread::id id;
  std::thread lambda([&id] {
    std::this_thread::yield();
    id = std::this_thread::get_id();
  });
  member.swap(lambda);
  std::thread::id swapped = member.get_id();
  member.join();
  lambda.join();
  assert(id == swapped && adder.sum == 3);
  assert(std::thread::hardware_concurrency() > 0);

  static std::atomic<bool> done;
  std::thread([] {
    done.store(true);
    done.notify_one();
  }).detach();
  done.wait(false);
}
