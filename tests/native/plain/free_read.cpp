// One thread reads a block of the heap, another one frees it.
#include <cstdlib>
#include <thread>

int main() {
  int* p = static_cast<int*>(std::malloc(sizeof *p));
  *p = 1;
  std::thread reader([=] {
    volatile int seen = *p;  // line 9
    (void)seen;
  });
  std::thread freer([=] { std::free(p); });
  reader.join();
  freer.join();
}
