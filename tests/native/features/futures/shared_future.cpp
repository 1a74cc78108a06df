// A std::shared_future is read by two threads.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::thread a([future] { assert(future.get() == 6); });
  std::thread b([future] { assert(future.get() == 6); });
  promise.set_value(6);
  a.join();
  b.join();
  assert(future.get() == 6);
}
