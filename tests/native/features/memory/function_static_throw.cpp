// A function-local static whose first construction throws is constructed by a later caller.
#include <cassert>
#include <stdexcept>
#include <thread>

static int attempts;

struct Resource {
  int value;
  Resource() {
    if (attempts++ == 0) throw std::runtime_error("first attempt");
    value = 42;
  }
};

static Resource& resource() {
  static Resource instance;
  return instance;
}

static int failures[2];

static void use(int id) {
  try {
    assert(resource().value == 42);
  } catch (const std::runtime_error&) {
    failures[id]++;
    assert(resource().value == 42);
  }
}

int main() {
  std::thread t(use, 1);
  use(0);
  t.join();
  assert(attempts == 2 && failures[0] + failures[1] == 1);
}
