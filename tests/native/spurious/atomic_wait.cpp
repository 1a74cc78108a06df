// std::atomic::wait looks again by itself.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> flag{0};

int main() {
  std::thread giver([] {
    flag = 1;
    flag.notify_one();
  });
  flag.wait(0);
  assert(flag == 1);
  giver.join();
}
