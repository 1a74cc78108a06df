// A file that is a ledger: how it is made, and how one that is not is told.
#pragma once

#include <memory>
#include <string>

#include "work/open_store.h"
#include "work/sqlite/database.h"

namespace mazur {

// Opens the file, and makes it if that was asked for. Throws LedgerError if it is no ledger, one of
// another version, or damaged; then nothing in it has changed.
std::unique_ptr<Database> open_ledger_file(const std::string& path, Opening opening,
                                           const StoreOptions& options);

}  // namespace mazur
