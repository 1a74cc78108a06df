// Before main: where the program's process becomes a machine.
#pragma once

namespace mazur::native {

// Something happened before main that has to happen inside an execution instead (a constructor
// created a thread, or failed). If constructors are running, starts again with constructors as a
// part of every execution; if that is already so, or it was a library's constructor, ends the
// process with the message.
[[noreturn]] void failure_before_main(const char* message);

// Functions marked as destructors, of the program itself.
void run_destructor_functions();

// Closes what the execution opened (files.cpp).
void close_opened_files();

// Runs what the channel asks for and ends the process (session.cpp).
[[noreturn]] void run_session();

}  // namespace mazur::native
