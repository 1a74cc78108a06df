// std::packaged_task run by another thread, and run again after reset.
#include <cassert>
#include <future>
#include <thread>
#include <utility>

int main() {
  std::packaged_task<int(int)> task([](int n) { return n + 1; });
  std::future<int> future = task.get_future();
  std::thread t(std::move(task), 4);
  assert(future.get() == 5);
  t.join();

  std::packaged_task<int()> again([] { return 3; });
  std::future<int> first = again.get_future();
  again();
  again.reset();
  std::future<int> second = again.get_future();
  again();
  assert(first.get() == 3 && second.get() == 3);
}
