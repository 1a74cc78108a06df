// The program and its libraries in the ledger, by the SHA-256 of their contents, for machines that do
// not have them. Not the C library, which has to fit to the machine's loader, and not Mazur's runtime.
#pragma once

#include <filesystem>
#include <vector>

#include "cli/ledger/run_terms.h"
#include "cli/run/program_run.h"
#include "work/ledger.h"

namespace mazur {

// Puts there what is not there yet. `run` is settled, and `terms` has its parts. Throws UsageError and
// LedgerError.
void ship(Ledger& ledger, const RunTerms& terms, const ProgramRun& run);

// Writes the program and its libraries into the folder: only what has the hash that the terms give.
// Returns the program's path. Throws UsageError and LedgerError. Nothing is run.
std::filesystem::path unpack(Ledger& ledger, const RunTerms& terms,
                             const std::filesystem::path& folder);

}  // namespace mazur
