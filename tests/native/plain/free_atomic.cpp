// One thread frees an atomic variable that another one still uses.
#include <atomic>
#include <thread>

int main() {
  auto* p = new std::atomic<int>(0);
  std::thread user([=] { p->fetch_add(0); });  // line 7
  std::thread deleter([=] { delete p; });
  user.join();
  deleter.join();
}
