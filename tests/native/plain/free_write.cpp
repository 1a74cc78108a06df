// One thread deletes a block of the heap, another one writes what is there already.
#include <thread>

int main() {
  long* p = new long(7);
  std::thread deleter([=] { delete p; });
  std::thread writer([=] { *p = 7; });  // line 7
  deleter.join();
  writer.join();
}
