// Boost.Lockfree's stack: two threads push, two pop, everything comes out once.
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

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
