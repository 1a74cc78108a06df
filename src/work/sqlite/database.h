// A connection to an SQLite database, with errors as sentences about a ledger.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "work/store.h"

namespace mazur {

// Bytes that are a BLOB, not a text.
struct Blob {
  std::string_view bytes;
};

class Database {
 public:
  // `flags`: of sqlite3_open_v2(). `gives_up`: asked while another process has the database locked.
  // Throws LedgerError, as all of this does.
  Database(const std::string& path, int flags, std::function<bool()> gives_up);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  void execute(const char* sql);

  // The rows of a running statement. It must be gone before the same statement runs again.
  class Rows {
   public:
    ~Rows() { sqlite3_reset(statement_); }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    bool next();
    std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
    std::string bytes(int column) const;

   private:
    friend class Database;
    Rows(Database& database, sqlite3_stmt* statement)
        : database_(database), statement_(statement) {}
    Database& database_;
    sqlite3_stmt* statement_;
  };
  // `sql` is a literal: the statement is prepared once.
  template <typename... Values>
  Rows query(const char* sql, const Values&... values) {
    sqlite3_stmt* statement = prepared(sql);
    int place = 0;
    (bind(statement, ++place, values), ...);
    return Rows(*this, statement);
  }
  // A statement without rows. Returns how many rows it has changed.
  template <typename... Values>
  std::uint64_t run(const char* sql, const Values&... values) {
    query(sql, values...).next();
    return static_cast<std::uint64_t>(sqlite3_changes64(connection_.get()));
  }
  std::int64_t last_row() const { return sqlite3_last_insert_rowid(connection_.get()); }
  // Whether a transaction is open. Some errors end it.
  bool is_in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  sqlite3_stmt* prepared(const char* sql);
  void bind(sqlite3_stmt* statement, int place, std::int64_t number);
  void bind(sqlite3_stmt* statement, int place, Blob blob);
  void bind(sqlite3_stmt* statement, int place, const std::string& text);
  void check(int result);
  static int wait(void* database, int times);

  const std::string path_;
  const std::function<bool()> gives_up_;
  std::unique_ptr<sqlite3, Close> connection_;
  std::map<const char*, std::unique_ptr<sqlite3_stmt, Close>> statements_;
};

}  // namespace mazur
