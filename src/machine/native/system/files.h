// Descriptors that an execution opened, closed or redirected. The rules are in files.cpp.
#pragma once

namespace mazur::native {

// Closes what the execution opened, and puts back what it closed or redirected.
void close_opened_files();

}  // namespace mazur::native
