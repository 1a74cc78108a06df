// Makes a program smaller as long as something stays true of it.
#pragma once

#include <functional>

#include "program.h"

namespace differential {

// Leaves out threads, statements, and what surrounds them, one at a time.
Program shrink(Program program, const std::function<bool(const Program&)>& still);

}  // namespace differential
