// std::async, both policies, and the states of a future.
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;

int main() {
  auto eager = std::async(std::launch::async, [] { return 7; });
  auto lazy = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
  assert(lazy.wait_for(0s) == std::future_status::deferred);
  auto failing = std::async(std::launch::async, []() -> int { throw std::logic_error("no"); });
  assert(lazy.get() == std::this_thread::get_id());
  assert(eager.valid() && eager.get() == 7 && !eager.valid());
  bool caught = false;
  try {
    failing.get();
  } catch (const std::logic_error&) {
    caught = true;
  }
  assert(caught);
}
