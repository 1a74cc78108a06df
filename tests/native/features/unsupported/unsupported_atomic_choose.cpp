// A choice inside of an atomic block.
#include <mazur/mazur.h>

#include <thread>

int x;

int main() {
  std::thread t([] {
    mazur_atomic_begin();
    x = static_cast<int>(mazur_choose(2));
    mazur_atomic_end();
  });
  t.join();
}
