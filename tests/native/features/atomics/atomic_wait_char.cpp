// std::atomic<char>::wait goes through the library's table of proxy words.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<char> go;
static int data;

int main() {
  std::thread t([] {
    go.wait(0);
    assert(data == 1);
  });
  data = 1;
  go.store(1);
  go.notify_one();
  t.join();
}
