// A block that is open when its thread ends, ends with it.
#include <mazur/mazur.h>

#include <cassert>
#include <thread>

int x, y;

static void leave_open() {
  mazur_atomic_begin();
  x = 1;
  y = 1;
}

int main() {
  std::thread a(leave_open), b([] {
    mazur_atomic_begin();
    assert(x == y);
    mazur_atomic_end();
  });
  a.join();
  b.join();
}
