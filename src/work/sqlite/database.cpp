#include "work/sqlite/database.h"

#include <errno.h>
#include <time.h>

#include <cstring>

namespace mazur {
namespace {

// `result`: an extended one.
std::string sentence(const std::string& path, int result, int system_error) {
  const std::string name = "the ledger '" + path + "'";
  const bool is_full = system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
  if (result == SQLITE_FULL || is_full)
    return "there is no space left for " + name + "; what stands in it is safe.";
  const std::string why =
      system_error != 0 ? std::string(": ") + std::strerror(system_error) + "." : ".";
  if (result == SQLITE_IOERR_WRITE && system_error == 0)
    return name + " cannot be written, perhaps for want of space; what stands in it is safe.";
  switch (result & 0xff) {
    case SQLITE_NOTADB:
      return "'" + path + "' is no ledger of Mazur.";
    case SQLITE_CORRUPT:
      return name + " is damaged.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return name + " cannot be written.";
    case SQLITE_CANTOPEN:
      return name + " cannot be opened" + why;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return name + " is locked by another process.";
    case SQLITE_NOMEM:
      return "there is too little memory for " + name + ".";
    case SQLITE_TOOBIG:
      return "something is too large for " + name + ".";
    default:
      return name + " cannot be read or written: " + sqlite3_errstr(result) +
             (system_error != 0 ? std::string(" (") + std::strerror(system_error) + ")." : ".");
  }
}

}  // namespace

// A name such as ":memory:" means a file, too.
Database::Database(const std::string& path, int flags, std::function<bool()> gives_up)
    : path_(path), gives_up_(std::move(gives_up)) {
  sqlite3* connection = nullptr;
  const std::string file = path.starts_with('/') ? path : "./" + path;
  const int result = sqlite3_open_v2(file.c_str(), &connection,
                                     flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  connection_.reset(connection);
  check(result);
  sqlite3_busy_handler(connection, &Database::wait, this);
}

// Another process works on it: for a moment, if nothing is wrong.
int Database::wait(void* database, int times) {
  constexpr int kMostTimes = 30'000;  // a minute, or two
  const auto& gives_up = static_cast<Database*>(database)->gives_up_;
  if (times >= kMostTimes || (gives_up && gives_up())) return 0;
  const timespec moment{0, times < 100 ? 200'000 : 2'000'000};
  nanosleep(&moment, nullptr);
  return 1;
}

void Database::check(int result) {
  if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
  const int system_error = connection_ == nullptr ? 0 : sqlite3_system_errno(connection_.get());
  const bool is_of_system = (result & 0xff) == SQLITE_IOERR || (result & 0xff) == SQLITE_CANTOPEN;
  throw LedgerError(sentence(path_, result, is_of_system ? system_error : 0));
}

void Database::execute(const char* sql) {
  check(sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr));
}

sqlite3_stmt* Database::prepared(const char* sql) {
  auto& statement = statements_[sql];
  if (statement == nullptr) {
    sqlite3_stmt* fresh = nullptr;
    check(
        sqlite3_prepare_v3(connection_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &fresh, nullptr));
    statement.reset(fresh);
  }
  return statement.get();
}

void Database::bind(sqlite3_stmt* statement, int place, std::int64_t number) {
  check(sqlite3_bind_int64(statement, place, number));
}

// The bytes outlive the statement's run, but not the statement. An empty string has an address.
void Database::bind(sqlite3_stmt* statement, int place, Blob blob) {
  const char* bytes = blob.bytes.empty() ? "" : blob.bytes.data();
  check(sqlite3_bind_blob64(statement, place, bytes, blob.bytes.size(), SQLITE_STATIC));
}

void Database::bind(sqlite3_stmt* statement, int place, const std::string& text) {
  check(
      sqlite3_bind_text64(statement, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

bool Database::Rows::next() {
  const int result = sqlite3_step(statement_);
  database_.check(result);
  return result == SQLITE_ROW;
}

std::string Database::Rows::bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (bytes == nullptr || size <= 0) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

}  // namespace mazur
