#include "work/open_store.h"

#include "work/postgres/postgres_store.h"
#include "work/sqlite/sqlite_store.h"

namespace mazur {

bool names_server(const std::string& place) {
  return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::unique_ptr<LedgerStore> open_store(const std::string& place, Opening opening,
                                        const StoreOptions& options) {
  if (place.empty()) throw LedgerError("a ledger needs a name: a file, or postgresql://...");
  if (names_server(place)) return open_postgres_store(place, opening, options);
  if (place.find("://") != std::string::npos)
    throw LedgerError("'" + place.substr(0, place.find("://")) +
                      "' is no kind of ledger: it is a file, or postgresql://...");
  return open_sqlite_store(place, opening, options);
}

}  // namespace mazur
