// A loop on a plain flag: no scheduling point, so nobody can ever set it, and a data race besides.
#include <atomic>
#include <thread>

static volatile bool flag;
static std::atomic<int> x;

int main() {
  std::thread t([] {
    if (x.load() == 1) {
      while (!flag) {  // BUG-LINE
      }
    }
  });
  x.store(1);
  x.store(2);
  flag = true;
  t.join();
}
