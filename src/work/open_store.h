// Opens what a user has named as a ledger: a file (SQLite), or a URL (PostgreSQL).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "work/store.h"

namespace mazur {

// How a ledger is opened.
enum class Opening {
  kCreate,  // made if it is not there
  kJoin,    // it must be there
  kLook,    // it must be there; only read, with rights to read alone
};

struct StoreOptions {
  double lease_seconds = 30;
  double pause_seconds = 0.5;  // after that, who has found nothing open looks again
  // Asked now and then while the store is away: true ends the waiting. Empty: never.
  std::function<bool()> gives_up;
  double patience_seconds = 600;  // so long a server may be away
};

// postgresql://... or postgres://..., with "#name" behind it: the run of this name; without, the run
// "default". Everything else is a file. Throws LedgerError: there is none, it cannot be read or
// written, it is damaged, of another program, of another version. A password in a URL is refused:
// everybody on the machine sees it there.
std::unique_ptr<LedgerStore> open_store(const std::string& place, Opening opening,
                                        const StoreOptions& options = {});

// Nothing outlives this process.
std::unique_ptr<LedgerStore> open_memory_store();

// Whether it names a server.
bool names_server(const std::string& place);

}  // namespace mazur
