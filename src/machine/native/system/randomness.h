// Numbers that would differ from process to process. The rules are in randomness.cpp.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace mazur::native {

// What the program is told its process id is; its threads are numbered from it.
inline constexpr pid_t kProcessId = 1000;
pid_t current_thread_number();

void fill_random(void* buffer, std::size_t size);

}  // namespace mazur::native
