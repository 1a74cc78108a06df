// An exception travels to another thread as std::exception_ptr.
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static std::exception_ptr stored;

int main() {
  std::thread t([] {
    try {
      throw std::runtime_error("from the thread");
    } catch (...) {
      std::lock_guard lock(m);
      stored = std::current_exception();
    }
  });
  std::exception_ptr seen;
  {
    std::lock_guard lock(m);
    seen = stored;
  }
  t.join();
  bool caught = false;
  try {
    std::rethrow_exception(stored);
  } catch (const std::runtime_error& e) {
    caught = std::string(e.what()) == "from the thread";
  }
  assert(caught);
  assert(seen == nullptr || seen == stored);
}
