// Functions whose name begins with __VERIFIER_atomic_ run as atomic blocks (SV-COMP).
//
// They are found by name in the program's symbol table, once. The hooks that instrumented code
// calls at the entry and exit of functions do the rest. `mazur cc` keeps such functions from being
// inlined.
#pragma once

#include <cstdint>

namespace mazur::native {

// Whether there are any: the hooks do nothing otherwise.
extern bool has_atomic_functions;

void find_atomic_functions(std::uint64_t load_address);
void function_entered(const void* pc);
void function_left();

}  // namespace mazur::native
