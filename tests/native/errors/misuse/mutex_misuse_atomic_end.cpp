// The end of an atomic block that was not begun.
#include <mazur/mazur.h>

#include <thread>

int main() {
  std::thread t([] { mazur_atomic_end(); });
  t.join();
}
