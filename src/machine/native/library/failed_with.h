// How functions of the C library fail: they return -1 and say why in errno.
#pragma once

#include <cerrno>

namespace mazur::native {

inline int failed_with(int error) {
  errno = error;
  return -1;
}

// What such a function returns for the result of a system call (memory/raw.h).
inline long checked(long result) {
  return result >= 0 ? result : failed_with(static_cast<int>(-result));
}

}  // namespace mazur::native
