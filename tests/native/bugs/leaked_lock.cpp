// A number that cannot be read throws between lock and unlock; the next one who wants the lock
// waits for ever.
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::mutex total_mutex;
int total = 0;

void add(const std::string& text) {
#ifdef FIXED
  std::lock_guard lock(total_mutex);
  total += std::stoi(text);
#else
  total_mutex.lock();
  total += std::stoi(text);
  total_mutex.unlock();
#endif
}

void try_to_add(const char* text) {
  try {
    add(text);
  } catch (const std::invalid_argument&) {
  }
}

int main() {
  std::thread other(try_to_add, "12");
  try_to_add("twelve");
  other.join();
}
