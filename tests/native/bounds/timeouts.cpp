// A wait with a deadline in a loop. FORGOTTEN: nobody notifies, and only the timeout helps.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable ready;
bool done = false;

int main() {
  std::thread other([] {
    std::lock_guard lock(m);
    done = true;
#ifndef FORGOTTEN
    ready.notify_one();
#endif
  });
  {
    std::unique_lock lock(m);
    while (!done) ready.wait_for(lock, std::chrono::milliseconds(10));
  }
  other.join();
}
