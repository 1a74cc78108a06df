// A function that locks calls another one that locks the same std::mutex, if there is work.
#include <atomic>
#include <mutex>
#include <thread>

static std::mutex m;
static std::atomic<int> work;
static int done;

static void finish() {
  std::lock_guard lock(m);  // BUG-LINE
  done++;
}

static void process() {
  std::lock_guard lock(m);
  if (work.load()) finish();
}

int main() {
  std::thread t([] { work.store(1); });
  process();
  t.join();
}
