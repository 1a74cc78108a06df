// Model programs as C programs, for the native machine.
#pragma once

#include <string>
#include <vector>

#include "machine/model/program.h"

namespace mazur::model {

// Whether the program does only what is easy to write in C.
bool is_easy(const Program& program);

// One C program for all of them: its argument is the number. It prints how each execution ends: "@",
// the variables, and the registers of all threads.
std::string as_c(const std::vector<Program>& programs);

}  // namespace mazur::model
