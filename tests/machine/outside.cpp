#include "outside.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {

ThreadId fiber_count = 1;
int PrivateHeapScope::depth_ = 0;

void die(const char* format, ...) {
  std::fprintf(stderr, "died: %s\n", format);
  std::abort();
}

void* map_pages(void* at, std::size_t size) {
  const int fixed = at != nullptr ? MAP_FIXED_NOREPLACE : 0;
  void* pages = mmap(at, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (pages == MAP_FAILED) die("no memory");
  return pages;
}

void* private_allocate(std::size_t size, std::size_t alignment) {
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void private_free(void* pointer) { std::free(pointer); }

}  // namespace mazur::native
