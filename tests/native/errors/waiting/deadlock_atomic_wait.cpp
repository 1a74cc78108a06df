// std::atomic::wait and nobody notifies: whoever already sleeps is not woken by the store alone.
#include <atomic>
#include <thread>

static std::atomic<int> stage;

int main() {
  std::thread t([] { stage.wait(0); });  // BUG-LINE
  stage.store(1);
  t.join();
}
