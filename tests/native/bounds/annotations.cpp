// What include/mazur/mazur.h has, from C++. BROKEN: an observed assertion fails.
#include <mazur/mazur.h>

#include <atomic>
#include <thread>

std::atomic<int> seen{0};
std::atomic<std::uint16_t> small{65535};

int main() {
  mazur_name_object(&seen, "the seen one");
  std::thread writer([] {
    mazur_name_thread("writer");
    seen = -1;
#ifdef BROKEN
    seen = 3;
#endif
  });
  mazur_yield();
  mazur_observe(seen, <, 3);
  mazur_observe(small, ==, 65535);
  writer.join();
  const long long n = mazur_nondet(-4, 4);
  mazur_assert(n >= -4 && n <= 4);
  return mazur_is_checking() ? 0 : n != -4;
}
