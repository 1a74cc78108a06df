// Threads as C11 sees them. The rules are in thread.cpp.
#pragma once

#include <pthread.h>

namespace mazur::native {

int create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*),
                  void* argument, const void* pc);
int join_thread(pthread_t handle, void** result, const void* pc);

}  // namespace mazur::native
