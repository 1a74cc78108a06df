// Makes a program that shows something smaller while it still shows it.
#pragma once

#include <functional>

#include "machine/model/program.h"

namespace mazur::model {

// Repeatedly deletes threads and instructions, simplifies operands and lowers initial values as
// long as `shows` stays true, until nothing more can go. `shows(program)` must be true; it is only
// called with valid programs.
Program shrink(Program program, const std::function<bool(const Program&)>& shows);

}  // namespace mazur::model
