// realloc copies what the threads have left, and so tells which of them was the last.
#include <cassert>
#include <cstdlib>
#include <thread>

int main() {
  int* p = static_cast<int*>(std::malloc(sizeof(int)));
  std::thread a([=] { *p = 1; });
  std::thread b([=] { *p = 2; });
  a.join();
  b.join();
  int* q = static_cast<int*>(std::realloc(p, 64));
  assert(*q == 2);
  std::free(q);
}
