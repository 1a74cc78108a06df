// Both threads see the pointer and both delete the object.
#include <atomic>
#include <thread>

static std::atomic<int*> shared;

static void release() {
  int* p = shared.load();
  if (p) {
    shared.store(nullptr);
    delete p;  // BUG-LINE
  }
}

int main() {
  shared.store(new int(3));
  std::thread t(release);
  release();
  t.join();
}
