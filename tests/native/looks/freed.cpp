// What a loop waits for is freed.
#include <atomic>
#include <thread>

int main() {
  auto* ready = new std::atomic<bool>(false);
  std::thread waits([ready] {
    while (!ready->load()) {
    }
  });
  if (!ready->load()) delete ready;
  waits.join();
}
