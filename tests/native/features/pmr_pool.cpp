// std::pmr::synchronized_pool_resource shared by two threads.
#include <cassert>
#include <memory_resource>
#include <thread>
#include <vector>

static void fill(std::pmr::memory_resource* resource) {
  std::pmr::vector<int> v(resource);
  for (int i = 0; i < 10; i++) v.push_back(i);
  for (int i = 0; i < 10; i++) assert(v[i] == i);
}

int main() {
  std::pmr::synchronized_pool_resource pool;
  std::thread t(fill, &pool);
  fill(&pool);
  t.join();
}
