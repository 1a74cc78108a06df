// A pointer that is published late: who comes first dereferences null.
#include <atomic>
#include <thread>

static int value = 5;
static std::atomic<int*> published;
static std::atomic<int> seen;

int main() {
  std::thread t([] { published.store(&value); });
  int* p = published.load();
  seen.store(*p);  // BUG-LINE
  t.join();
}
