#include "work/sqlite/schema.h"

#include <errno.h>
#include <sys/stat.h>

#include <cstring>

namespace mazur {
namespace {

constexpr std::int64_t kApplication = 0x4d5a4c47;  // "MZLG", in the head of the file
constexpr std::int64_t kFormat = 2;

// Larger files are not looked through before they are used. What is damaged in them is found when
// it is read.
constexpr std::int64_t kLookedThrough = 64 << 20;

constexpr char kSchema[] = R"(
CREATE TABLE run (id INTEGER PRIMARY KEY CHECK (id = 1), state BLOB NOT NULL);
CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  state INTEGER NOT NULL,
  claim INTEGER NOT NULL,
  next_child INTEGER NOT NULL,
  deaths INTEGER NOT NULL,
  refusals INTEGER NOT NULL,
  results BLOB NOT NULL,
  piece BLOB NOT NULL);
CREATE INDEX open_item ON item (key) WHERE state = 0;
CREATE UNIQUE INDEX claimed_item ON item (claim) WHERE state = 1;
CREATE TABLE sums (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  open INTEGER NOT NULL DEFAULT 0, claimed INTEGER NOT NULL DEFAULT 0,
  slices INTEGER NOT NULL DEFAULT 0, microseconds INTEGER NOT NULL DEFAULT 0,
  explored INTEGER NOT NULL DEFAULT 0,
  complete INTEGER NOT NULL DEFAULT 0, blocked INTEGER NOT NULL DEFAULT 0,
  assume_blocked INTEGER NOT NULL DEFAULT 0, bounded INTEGER NOT NULL DEFAULT 0,
  events INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,
  depth INTEGER NOT NULL DEFAULT 0);
INSERT INTO sums (id) VALUES (1);
CREATE TABLE thing (name TEXT PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE worker (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  process TEXT NOT NULL,
  name TEXT NOT NULL, processes INTEGER NOT NULL, idle INTEGER NOT NULL,
  executions INTEGER NOT NULL,
  begun INTEGER NOT NULL, seen INTEGER NOT NULL, until INTEGER NOT NULL);
PRAGMA application_id = 0x4d5a4c47;
PRAGMA user_version = 2;
)";

std::int64_t number_of(Database& database, const char* sql) {
  auto rows = database.query(sql);
  return rows.next() ? rows.number(0) : 0;
}

// Whether it is a ledger. False: there is nothing in it.
bool is_ledger(Database& database) {
  const std::int64_t application = number_of(database, "PRAGMA application_id");
  const std::int64_t format = number_of(database, "PRAGMA user_version");
  const bool is_empty = number_of(database, "SELECT count(*) FROM sqlite_master") == 0;
  if (application == 0 && format == 0 && is_empty) return false;
  const std::string& path = database.path();
  if (application != kApplication)
    throw LedgerError("'" + path + "' is a database of another program, no ledger of Mazur.");
  if (format != kFormat)
    throw LedgerError("the ledger '" + path + "' has the format " + std::to_string(format) +
                      " of another version of Mazur; this one has the format " +
                      std::to_string(kFormat) + ".");
  return true;
}

void look_through(Database& database) {
  auto rows = database.query("PRAGMA integrity_check(1)");
  if (!rows.next() || rows.bytes(0) != "ok")
    throw LedgerError("the ledger '" + database.path() + "' is damaged.");
}

// Two processes may make it at the same time.
void make(Database& database) {
  database.execute("BEGIN IMMEDIATE");
  if (!is_ledger(database)) database.execute(kSchema);
  database.execute("COMMIT");
}

}  // namespace

std::unique_ptr<Database> open_ledger_file(const std::string& path, Opening opening,
                                           const StoreOptions& options) {
  struct stat file {};
  const bool exists = stat(path.c_str(), &file) == 0;
  if (!exists && errno != ENOENT)
    throw LedgerError("the ledger '" + path + "' cannot be opened: " + std::strerror(errno) + ".");
  if (!exists && opening != Opening::kCreate)
    throw LedgerError("there is no ledger '" + path + "'.");
  if (exists && !S_ISREG(file.st_mode))
    throw LedgerError("the ledger '" + path + "' is no ordinary file.");
  if (exists && file.st_size > 0) {
    // Whatever it is: nothing in it may change.
    auto database = std::make_unique<Database>(path, SQLITE_OPEN_READONLY, options.gives_up);
    if (is_ledger(*database) && file.st_size <= kLookedThrough) look_through(*database);
    if (opening == Opening::kLook) return database;
  }
  auto database = std::make_unique<Database>(
      path, SQLITE_OPEN_READWRITE | (opening == Opening::kCreate ? SQLITE_OPEN_CREATE : 0),
      options.gives_up);
  make(*database);
  // What a process has committed survives it. If the machine goes down, the last transactions may
  // be missing, and then their pieces are explored again.
  database->execute("PRAGMA journal_mode = WAL");
  database->execute("PRAGMA synchronous = NORMAL");
  return database;
}

}  // namespace mazur
