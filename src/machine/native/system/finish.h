// How executions end: exit, abort, failed assertions, signals.
#pragma once

#include "machine/machine.h"

namespace mazur::native {

// Ends the process as exit(3) does, from the running thread: its thread-local destructors, the
// handlers of atexit and destructors of static objects, then the end, once no other thread can run.
[[noreturn]] void finish_process(int status, const void* pc);

// Handlers of pthread_cleanup_push in C code (cleanup.cpp).
void run_c_cleanup_handlers();

// Ends the running thread with an error, in a signal handler, where it was interrupted.
[[noreturn]] void fail_in_handler(FailureKind kind, Message message, void* context);

// Installs the signal handlers and, with `watch`, starts the watchdog (watchdog.h).
void install_signal_handlers(bool watch);

// Calls std::set_terminate, if the program has libstdc++, to tell an uncaught exception from
// abort().
void install_terminate_handler();

}  // namespace mazur::native
