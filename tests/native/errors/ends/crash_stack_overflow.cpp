// A thread recurses without end if it sees the flag.
#include <atomic>
#include <thread>

static std::atomic<int> flag;
static volatile int depth;

__attribute__((noinline)) static int recurse(int n) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(n);
  if (depth < 0) return 0;
  return recurse(n + 1) + frame[0];  // BUG-LINE
}

int main() {
  std::thread t([] {
    if (flag.load() == 1) recurse(0);
  });
  flag.store(1);
  t.join();
}
