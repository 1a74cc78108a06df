// A global constructor starts a thread and its destructor joins it.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

static std::atomic<int> count;

struct Service {
  std::vector<int> results;
  std::thread thread;
  Service() : results(3), thread([] { count.fetch_add(1); }) {}
  ~Service() {
    thread.join();
    if (count.load() != 2 || results.size() != 3) std::abort();
  }
};

static Service service;

int main() {
  count.fetch_add(1);
  assert(count.load() == 1 || count.load() == 2);
}
