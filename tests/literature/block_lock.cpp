// A lock made of atomic blocks, as verification tasks write it: a failed assume undoes its block,
// so nobody sees half of it; and what the lock protects is no data race.
#include <mazur/mazur.h>

#include <cassert>
#include <thread>

int locked, trying, counter;

static void acquire() {
  mazur_atomic_begin();
  trying = 1;
  mazur_assume(locked == 0);
  trying = 0;
  locked = 1;
  mazur_atomic_end();
}

static void release() {
  mazur_atomic_begin();
  assert(trying == 0);
  locked = 0;
  mazur_atomic_end();
}

static void work() {
  acquire();
  ++counter;
  release();
}

int main() {
  std::thread a(work), b(work);
  a.join();
  b.join();
  assert(counter == 2);
}
