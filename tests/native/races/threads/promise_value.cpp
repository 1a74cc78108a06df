// A future hands a value over.
#include <future>
#include <thread>

int data;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t([&promise] {
    data = 1;
    promise.set_value(2);
  });
  const int sum = future.get() + data;
  t.join();
  return sum == 3 ? 0 : 1;
}
