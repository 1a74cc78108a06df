#include "runtime/arguments.h"

#include <cstddef>
#include <cstring>

#include "machine/native/engine/per_execution.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {
namespace {

struct Kept {
  char* begin = nullptr;
  std::size_t size = 0;
  char* copy = nullptr;

  void keep(void* first, void* end) {
    begin = static_cast<char*>(first);
    size = static_cast<std::size_t>(static_cast<char*>(end) - begin);
    copy = static_cast<char*>(private_allocate(size));
  }
  void capture() {
    if (copy != nullptr) std::memcpy(copy, begin, size);
  }
  void restore() {
    if (copy != nullptr) std::memcpy(begin, copy, size);
  }
};
Kept pointers, strings;

const PerExecution restored(
    [] {
      pointers.restore();
      strings.restore();
    },
    [] {
      pointers.capture();
      strings.capture();
    });

}  // namespace

void keep_arguments(char** arguments, char** environment) {
  char** end = environment;
  while (*end != nullptr) ++end;
  pointers.keep(arguments, end + 1);
  // The kernel lays the strings out one behind the other, in the order of their pointers.
  if (arguments[0] == nullptr) return;
  char* behind = arguments[0];
  for (char** each = arguments; each != end; ++each)
    if (*each == behind) behind += std::strlen(behind) + 1;
  strings.keep(arguments[0], behind);
}

}  // namespace mazur::native
