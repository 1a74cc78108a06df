// From the text of a dlang program to a Program.
#pragma once

#include <string_view>

#include "machine/dlang/program.h"

namespace mazur::dlang {

// Throws SyntaxError for text that is no program, and nothing else. It never takes long.
Program parse(std::string_view source);

}  // namespace mazur::dlang
