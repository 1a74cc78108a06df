// A thread waits for plain variables in a loop without any other operation. -DSTACK: for one on the
// stack of the waiting thread. -DNEVER: for one that nobody sets.
#include <thread>

int ready = 0;

int main() {
#ifdef STACK
  int done = 0;
#else
  static int done = 0;
#endif
  int* p = &done;
  std::thread other([p] {
    ready = 1;
#ifndef NEVER
    *const_cast<volatile int*>(p) = 1;
#endif
  });
  while (*const_cast<volatile int*>(p) == 0) {
  }
  other.join();
  return ready == 1 ? 0 : 1;
}
