// The tables of ledgers in a database: in a schema of their own, "mazur", many runs beside each other.
#pragma once

#include <cstdint>
#include <string>

#include "work/open_store.h"
#include "work/postgres/connection.h"

namespace mazur {

// So many rows have the sums of a run: transactions at the same time need not wait for one another.
inline constexpr std::int64_t kSumShards = 16;
// Of the two numbers of our advisory locks, the first one. The second one is a run, or 0 for all.
inline constexpr std::int64_t kLockClass = 0x4d5a4c47;

// The number of the run with this name. Makes the tables and the run if that is asked for. Throws as
// Connection::run(), and LedgerError if there are none, or they have another format.
std::int64_t find_run(Connection& connection, const std::string& run, const std::string& ledger,
                      Opening opening);

}  // namespace mazur
