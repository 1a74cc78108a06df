// One thread makes a block larger, another one reads it where it was.
#include <cstdlib>
#include <thread>

int main() {
  char* p = static_cast<char*>(std::calloc(1, 16));
  std::thread grower([=] { std::free(std::realloc(p, 32)); });
  std::thread reader([=] {
    volatile char seen = p[8];  // line 9
    (void)seen;
  });
  grower.join();
  reader.join();
}
