// Exceptions thrown and caught inside threads that run side by side, rethrown and nested.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static int cleaned[2];

struct Cleaner {
  int id;
  ~Cleaner() { cleaned[id]++; }
};

static void fail(int id) {
  Cleaner cleaner{id};
  std::this_thread::yield();
  throw std::runtime_error("thread " + std::to_string(id));
}

static void run(int id) {
  bool caught = false;
  try {
    try {
      fail(id);
    } catch (const std::exception& e) {
      std::this_thread::yield();
      assert(std::uncaught_exceptions() == 0);
      assert(e.what() == "thread " + std::to_string(id));
      throw;
    }
  } catch (const std::runtime_error& e) {
    caught = e.what() == "thread " + std::to_string(id);
    try {
      std::throw_with_nested(std::logic_error("outer"));
    } catch (const std::logic_error& outer) {
      try {
        std::rethrow_if_nested(outer);
        assert(false);
      } catch (const std::runtime_error&) {
      }
    }
  }
  assert(caught && cleaned[id] == 1);
}

int main() {
  std::thread t(run, 1);
  run(0);
  t.join();
}
