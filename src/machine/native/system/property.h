// SV-COMP's properties in the runtime: what is an error under them and what only ends an execution
// (protocol/property.h), and the function that must not be called.
//
// A program's own reach_error may be empty, static or inlined. `mazur check --svcomp` compiles with
// -finstrument-functions, which tells about every entry of every function, inlined or not.
#pragma once

#include <cstdint>

#include "machine/native/engine/runtime.h"

namespace mazur::native {

// Whether an error of this kind is no error under the property that is checked, and only ends the
// execution.
bool only_ends_execution(FailureKind kind);

// The running thread never goes on; the others do. Where an abort only ends an execution this is
// equivalent: the abort could have come after all that the others can do.
[[noreturn]] void stop_for_good(const void* pc);

// The running thread is about to end the process. Under a property no thread may go on after half
// of an atomic block: the thread then stops before the block, and this does not return.
void stop_if_in_block(const void* pc);

// A function of the program, while they are looked through at the start.
void note_function(const char* name, std::uint64_t address);
void all_functions_noted();

// One of SV-COMP's functions that report an error, as the program calls it.
[[noreturn]] void verifier_function_called(const char* call);

}  // namespace mazur::native
