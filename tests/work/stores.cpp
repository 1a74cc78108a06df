#include "stores.h"

#include <stdlib.h>

#include <algorithm>
#include <stdexcept>

#include "postgres_server.h"

namespace mazur::test {

std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::kMemory:
      return "Memory";
    case Kind::kSqlite:
      return "Sqlite";
    case Kind::kPostgres:
      return "Postgres";
  }
  return "";
}

void OnStore::SetUp() {
  if (GetParam() == Kind::kPostgres) {
    ASSERT_NO_THROW(PostgresServer::shared());
  }
  std::string folder = (std::filesystem::temp_directory_path() / "mazur-work-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  folder_ = folder;
}

void OnStore::TearDown() { std::filesystem::remove_all(folder_); }

unsigned OnStore::rounds(unsigned in_memory) const {
  if (!is_durable()) return in_memory;
  return std::max(in_memory / (GetParam() == Kind::kPostgres ? 100 : 20), 1u);
}

std::string OnStore::place() const {
  if (GetParam() == Kind::kPostgres)
    return PostgresServer::shared().url() + "#run-" + std::to_string(run_);
  return folder_ / ("run-" + std::to_string(run_) + ".db");
}

std::unique_ptr<Ledger> OnStore::begin(bool keep_going, bool first) {
  run_ = ++runs_;
  if (!is_durable()) return std::make_unique<Ledger>(keep_going, first);
  const RunFacts facts{.terms = "terms", .keep_going = keep_going, .first = first};
  return std::make_unique<Ledger>(
      open_store(place(), Opening::kCreate, {.lease_seconds = 1000, .pause_seconds = 0.001}),
      facts);
}

std::unique_ptr<LedgerStore> OnStore::open(double lease) const {
  return open_store(place(), Opening::kJoin, {.lease_seconds = lease, .pause_seconds = 0.001});
}

std::unique_ptr<Ledger> OnStore::join(double lease) const {
  return std::make_unique<Ledger>(open(lease));
}

}  // namespace mazur::test
