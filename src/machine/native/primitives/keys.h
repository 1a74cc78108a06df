// What a thread does at its end, in two parts: exit() does only the first for the thread that calls
// it.
#pragma once

namespace mazur::native {

// Destructors of thread_local objects of the running thread.
void run_thread_local_destructors();
// Destructors of its pthread keys. run_thread_destructors() (fiber.h) does both.
void run_key_destructors();

}  // namespace mazur::native
