// A ledger in a file.
#pragma once

#include <memory>
#include <string>

#include "work/open_store.h"

namespace mazur {

// As open_store().
std::unique_ptr<LedgerStore> open_sqlite_store(const std::string& path, Opening opening,
                                               const StoreOptions& options);

}  // namespace mazur
