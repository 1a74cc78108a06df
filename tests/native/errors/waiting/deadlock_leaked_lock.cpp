// An exception leaves a function between lock and unlock.
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static std::atomic<int> broken;
static int total;

static void add(int n) {
  m.lock();  // BUG-LINE
  if (broken.load()) throw std::runtime_error("broken");
  total += n;
  m.unlock();
}

static void run() {
  try {
    add(1);
  } catch (const std::runtime_error&) {
  }
}

int main() {
  std::thread a(run), b(run);
  broken.store(1);
  a.join();
  b.join();
}
