// What an execution opened.
#pragma once

namespace mazur::native {

// Closes it.
void close_opened_files();

}  // namespace mazur::native
