// The program as the loader brought it in: its code, its constructors and destructors, its main.
// (What others ask about it is declared in runtime.h: is_program_code, is_c_library, real_symbol.)
#pragma once

#include <cstdint>

namespace mazur::native {

using MainFunction = int (*)(int, char**, char**);

// Finds the program and takes its constructors and destructors out of the loader's hands. Called
// before the loader would run them.
void take_program(MainFunction main);
// Finds the code of libgcc_s and of the C library.
void find_libraries();

// What to add to an address in the program's file to get the one in memory.
std::uint64_t load_address();

// What constructors and main are called with.
void set_arguments(int count, char** values, char** variables);

// Runs the program's constructors. False if one did what can only be done inside an execution
// (failure_before_main): from now on they are a part of every execution, and what they have changed
// is to be undone.
bool construct();

// Something happened before main that has to happen inside an execution instead (a constructor
// created a thread, or failed). Ends construct(); if the constructors are a part of the executions
// already, or it was a library's constructor, ends the process with the message.
[[noreturn]] void failure_before_main(const char* message);

// Functions marked as destructors, of the program itself.
void run_destructor_functions();

}  // namespace mazur::native
