#include "machine/native/memory/raw.h"

#include <sys/mman.h>

#include <cstdarg>
#include <cstdio>

#include "machine/native/engine/runtime.h"

namespace mazur::native {

void* map_pages(void* at, std::size_t size) {
  const int flags =
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at != nullptr ? MAP_FIXED_NOREPLACE : 0);
  const long result = raw_syscall(SYS_mmap, reinterpret_cast<long>(at), static_cast<long>(size),
                                  PROT_READ | PROT_WRITE, flags, -1, 0);
  if (result < 0 && result > -4096) die("cannot map %zu bytes (error %ld)", size, -result);
  return reinterpret_cast<void*>(result);
}

void die(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  int size = std::snprintf(text, sizeof text, "mazur runtime: ");
  size += std::vsnprintf(text + size, sizeof text - static_cast<std::size_t>(size) - 1, format,
                         arguments);
  va_end(arguments);
  if (size > static_cast<int>(sizeof text) - 2) size = sizeof text - 2;
  text[size++] = '\n';
  raw_syscall(SYS_write, runtime.error_fd, reinterpret_cast<long>(text), size);
  raw_syscall(SYS_exit_group, 97);
  __builtin_unreachable();
}

}  // namespace mazur::native
