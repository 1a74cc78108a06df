// std::pmr::synchronized_pool_resource shared by two threads: they get different memory.
#include <cassert>
#include <cstring>
#include <memory_resource>
#include <thread>

static void use(std::pmr::memory_resource* resource, int byte) {
  char* p = static_cast<char*>(resource->allocate(24));
  std::memset(p, byte, 24);
  std::this_thread::yield();
  for (int i = 0; i < 24; i++) assert(p[i] == byte);
  resource->deallocate(p, 24);
}

int main() {
  std::pmr::synchronized_pool_resource pool;
  std::thread t(use, &pool, 1);
  use(&pool, 2);
  t.join();
}
