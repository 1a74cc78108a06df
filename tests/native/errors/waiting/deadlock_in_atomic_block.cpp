// A lock inside of an atomic block that another thread may hold.
#include <mazur/mazur.h>

#include <mutex>
#include <thread>

std::mutex mutex;

int main() {
  std::thread a([] { const std::lock_guard guard(mutex); });
  std::thread b([] {
    mazur_atomic_begin();
    mutex.lock();
    mutex.unlock();
    mazur_atomic_end();
  });
  a.join();
  b.join();
}
