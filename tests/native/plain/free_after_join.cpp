// Two threads store to a block that is freed when both have ended: the free tells their order not.
#include <thread>

int main() {
  int* p = new int(0);
  std::thread a([=] { *p = 1; });
  std::thread b([=] { *p = 2; });
  a.join();
  b.join();
  delete p;
}
