// What the program prints. Standard output and error go to one file in memory; it is emptied before
// each execution.
#pragma once

#include <string>

namespace mazur::native {

// Descriptors of the runtime's own: above what is closed at the end of an execution.
inline constexpr int kOwnDescriptors = 1000;

// Puts the file in place of descriptors 1 and 2. `through`: what was printed also goes to the real
// output.
void capture_output(bool through);
// Empties the file, after passing it through if asked to (and not running again for a report).
void start_output();
// Writes out what stdio still holds.
void flush_output();
// Everything printed in this execution (up to 1 MB).
std::string captured_output();

// Set during trial runs: what the program writes is not shown.
extern bool output_is_nobodys;

}  // namespace mazur::native
