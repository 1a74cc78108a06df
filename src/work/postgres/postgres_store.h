// A ledger in a PostgreSQL database, for many machines.
#pragma once

#include <memory>
#include <string>

#include "work/open_store.h"

namespace mazur {

// As open_store().
std::unique_ptr<LedgerStore> open_postgres_store(const std::string& place, Opening opening,
                                                 const StoreOptions& options);

}  // namespace mazur
