// std::promise hands over a value or an exception; wait_for ends ready or by timeout.
#include <cassert>
#include <chrono>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

using namespace std::chrono_literals;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t([p = std::move(promise)]() mutable { p.set_value(9); });
  auto status = future.wait_for(1ms);
  assert(status == std::future_status::ready || status == std::future_status::timeout);
  assert(future.get() == 9);
  t.join();

  std::promise<void> failed;
  std::future<void> failure = failed.get_future();
  std::thread u(
      [&failed] { failed.set_exception(std::make_exception_ptr(std::runtime_error("failed"))); });
  bool caught = false;
  try {
    failure.get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  u.join();
  assert(caught);

  std::future<int> orphan = std::promise<int>().get_future();
  caught = false;
  try {
    orphan.get();
  } catch (const std::future_error& e) {
    caught = e.code() == std::future_errc::broken_promise;
  }
  assert(caught);
}
