// The block of a global vector was allocated before main; who comes second writes behind its end.
#include <atomic>
#include <thread>
#include <vector>

static std::vector<char> places(13);
static std::atomic<int> next{12};

static void take() {
  const int place = next.fetch_add(1);
  places.data()[place] = 1;  // BUG-LINE
}

int main() {
  std::thread t(take);
  take();
  t.join();
}
