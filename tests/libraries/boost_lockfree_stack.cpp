// Boost.Lockfree's stack: two threads push, two pop, everything comes out once.
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

// Boost reads a node's links and value before its tagged compare-exchange tells whether the node
// was still there; if it had been recycled, the values are thrown away. By the letter of the
// language that is a data race, which ThreadSanitizer reports as well.
extern "C" const char* __tsan_default_suppressions() { return "race:boost::lockfree\n"; }

int main() {
  boost::lockfree::stack<int, boost::lockfree::capacity<4>> stack;
  assert(stack.push(1));
  int popped[2] = {0, 0};
  std::thread t([&] {
    assert(stack.push(2));
    int value;
    if (stack.pop(value)) popped[1] = value;
  });
  int value;
  if (stack.pop(value)) popped[0] = value;
  t.join();
  int sum = popped[0] + popped[1];
  while (stack.pop(value)) sum += value;
  assert(sum == 3);
  assert(popped[0] == 0 || popped[0] != popped[1]);
}
