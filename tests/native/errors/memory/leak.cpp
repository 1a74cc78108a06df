// A publisher overwrites what another one has published, and nobody frees that.
#include <atomic>
#include <thread>

static std::atomic<int*> slot;

static void publish(int n) {
  int* mine = new int(n);  // BUG-LINE
  if (slot.load() == nullptr) {
    slot.store(mine);
  } else {
    delete mine;
  }
}

int main() {
  std::thread t(publish, 1);
  publish(2);
  t.join();
  delete slot.load();
}
