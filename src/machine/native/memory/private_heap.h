// The runtime's own heap: for the explorer, the trace and everything else that outlives an
// execution. It shares nothing with the program's heap and is not part of the snapshot.
#pragma once

#include <cstddef>

namespace mazur::native {

void* private_allocate(std::size_t size, std::size_t alignment = 16);
void private_free(void* pointer);
bool is_private(const void* pointer);
// Usable bytes of an allocation.
std::size_t private_size(const void* pointer);

// While one lives, malloc() takes from the private heap, whoever calls it: for libc functions that
// the runtime uses. None may live in the scheduler context while a fiber runs: its end would count
// for a scope that is no more.
class PrivateHeapScope {
 public:
  PrivateHeapScope() { ++depth_; }
  ~PrivateHeapScope() { --depth_; }
  PrivateHeapScope(const PrivateHeapScope&) = delete;
  PrivateHeapScope& operator=(const PrivateHeapScope&) = delete;
  static bool active() { return depth_ != 0; }
  // A fiber was abandoned inside a scope.
  static void reset() { depth_ = 0; }

 private:
  static int depth_;
};

}  // namespace mazur::native
