// The default order publishes, too.
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main() {
  std::thread t([] {
    data = 42;
    flag.store(1, std::memory_order_seq_cst);
  });
  int seen = 42;
  if (flag.load(std::memory_order_seq_cst) == 1) {
    seen = data;
  }
  t.join();
  return seen == 42 ? 0 : 1;
}
