// Programs as C text.
#pragma once

#include <span>
#include <string>

#include "program.h"

namespace differential {

// One source with all the programs. Its arguments FIRST and LAST say which are run: FIRST up to,
// but not with, LAST; which of them is a choice. With a third argument every execution prints
//
//   @start NUMBER              when it has chosen
//   @end NUMBER OUTCOME        when main has joined all threads
//
// with NUMBER as four hexadecimal digits and OUTCOME as in Answer. A program is one function,
// because compilers spend most of their time on small functions for each of them.
std::string write_c(std::span<const Program> programs);

}  // namespace differential
