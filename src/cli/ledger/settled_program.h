// A program that is ready to work on a ledger: where it starts looks the same on every machine, and
// it is known what it consists of.
#pragma once

#include <string>
#include <vector>

#include "cli/ledger/run_terms.h"
#include "cli/run/program_run.h"

namespace mazur {

struct SettledProgram {
  std::vector<Part> parts;
  std::vector<CheckedModule> modules;  // of a process there
};

// Starts the program up to main, twice: to find its libraries, and to see where they lie in the place
// (run.place) that is made from them. `name`: what it sees as its own. Throws UsageError.
SettledProgram settle(ProgramRun& run, const std::string& name, const Installation& installation);

// Whether the library belongs to the C library: these come with the system and fit to its loader.
bool is_of_c_library(const std::string& file);

}  // namespace mazur
