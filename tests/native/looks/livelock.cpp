// A thread waits for a value that is overwritten: nobody can see it any more.
#include <atomic>
#include <thread>

std::atomic<int> x{0};

int main() {
  std::thread waits([] {
    while (x.load() != 1) {
    }
  });
  x = 1;
  x = 2;
  waits.join();
}
