// An access in an atomic block races with one outside of any.
#include <mazur/mazur.h>

#include <thread>

int x;

int main() {
  std::thread t([] {
    mazur_atomic_begin();
    x = 1;
    mazur_atomic_end();
  });
  x = 2;
  t.join();
}
