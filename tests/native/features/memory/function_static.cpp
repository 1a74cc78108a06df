// A function-local static is constructed once, by whoever comes first.
#include <cassert>
#include <thread>

static int constructions;

struct Resource {
  int value;
  Resource() : value(42) { constructions++; }
};

static Resource& resource() {
  static Resource instance;
  return instance;
}

static void use() { assert(resource().value == 42); }

int main() {
  std::thread a(use), b(use);
  use();
  a.join();
  b.join();
  assert(constructions == 1);
}
