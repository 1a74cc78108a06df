// operator new in all its forms, freed by another thread.
#include <cassert>
#include <cstdint>
#include <new>
#include <thread>

struct alignas(128) Wide {
  char bytes[128];
};

int main() {
  int* one = new int(5);
  int* many = new int[10]();
  Wide* wide = new Wide;
  Wide* wides = new Wide[2];
  assert(reinterpret_cast<std::uintptr_t>(wide) % 128 == 0);
  assert(reinterpret_cast<std::uintptr_t>(wides) % 128 == 0);
  for (int i = 0; i < 10; i++) assert(many[i] == 0);
  std::thread t([=] {
    assert(*one == 5);
    delete one;
    delete[] many;
    delete wide;
    delete[] wides;
  });
  t.join();
  char* nothing = new (std::nothrow) char[3];
  assert(nothing);
  delete[] nothing;
  volatile std::size_t huge = SIZE_MAX / 2;
  char* volatile refused = new (std::nothrow) char[huge];
  assert(refused == nullptr);
  bool caught = false;
  try {
    refused = new char[huge];
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  assert(caught);
  delete static_cast<int*>(nullptr);
}
