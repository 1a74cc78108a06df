// std::call_once after an exception: the flag stays unset and a later call runs its function.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int attempts, initialised;
static int failures[2];

static void initialise() {
  if (attempts++ == 0) throw std::runtime_error("first attempt");
  initialised++;
}

static void use(int id) {
  try {
    std::call_once(once, initialise);
  } catch (const std::runtime_error&) {
    failures[id]++;
    std::call_once(once, initialise);
  }
  assert(initialised == 1);
}

int main() {
  std::thread t(use, 1);
  use(0);
  t.join();
  assert(attempts == 2 && failures[0] + failures[1] == 1);
}
