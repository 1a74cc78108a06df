// Two threads free one block, of no byte at all.
#include <cstdlib>
#include <thread>

int main() {
  void* p = std::malloc(0);
  std::thread a([=] { std::free(p); });
  std::thread b([=] { std::free(p); });
  a.join();
  b.join();
}
