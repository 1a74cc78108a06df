// std::random_device and getrandom answer; the program must not depend on what.
#include <sys/random.h>

#include <cassert>
#include <random>
#include <thread>

int main() {
  std::thread t([] {
    unsigned char bytes[8];
    assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  });
  std::random_device device;
  unsigned a = device();
  unsigned b = device();
  t.join();
  assert(a <= std::random_device::max() && b <= std::random_device::max());
}
