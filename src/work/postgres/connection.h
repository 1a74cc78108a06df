// A connection to a PostgreSQL server. What comes from it is not trusted: every length and every
// number is checked, and what it says is printed without control characters.
//
// All that libpq reads holds: service files, PGPASSWORD, ~/.pgpass, certificates.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "work/open_store.h"
#include "work/postgres/libpq.h"
#include "work/store.h"

namespace mazur {

// The server was in the way of itself: the transaction can be tried again.
struct TryAgain {};
// There is no connection any more, or none could be made. The transaction may have been committed.
struct ConnectionLost {
  std::string why;
};

// A value for a statement: in PostgreSQL's binary format.
class Value {
 public:
  Value(std::int64_t number);  // NOLINT: meant to be implicit. A bigint
  static Value bytes(std::string_view bytes);
  static Value text(std::string_view text);

  Oid type() const { return type_; }
  const std::string& content() const { return content_; }

 private:
  Value(Oid type, std::string content) : type_(type), content_(std::move(content)) {}
  Oid type_;
  std::string content_;
};

// The rows that a statement gave.
class Rows {
 public:
  Rows(PGresult* result, const std::string& ledger) : result_(result), ledger_(&ledger) {}
  int size() const { return libpq().PQntuples(result_.get()); }
  std::uint64_t changed() const;  // rows, by a statement that gave none
  std::int64_t number(int row, int column) const;
  std::string bytes(int row, int column) const;
  bool is_null(int row, int column) const;

 private:
  struct Clear {
    void operator()(PGresult* result) const { libpq().PQclear(result); }
  };
  void check(int row, int column) const;
  std::unique_ptr<PGresult, Clear> result_;
  const std::string* ledger_;
};

class Connection {
 public:
  // `url`: without a password (see check_url()). `ledger`: how it is called in sentences.
  Connection(std::string url, std::string ledger, const StoreOptions& options);

  // Throws LedgerError if the URL makes no sense or has a password in it.
  static void check_url(const std::string& url);

  void open();  // throws ConnectionLost
  void close() { connection_.reset(); }
  bool is_open() const { return connection_ != nullptr; }
  int server_version() const { return libpq().PQserverVersion(connection_.get()); }

  // Throws TryAgain, ConnectionLost, or LedgerError for what will not pass.
  Rows run(const std::string& sql, const std::vector<Value>& values = {});
  // Several statements at once, without values and rows.
  void execute(const std::string& sql);
  // Throws TryAgain if the server has undone it instead.
  void commit();
  void roll_back() noexcept;

  // What the server says, for a sentence.
  static std::string readable(const char* message);

 private:
  struct Finish {
    void operator()(PGconn* connection) const { libpq().PQfinish(connection); }
  };
  PGresult* answer();
  void wait();
  [[noreturn]] void lost();
  PGresult* checked(PGresult* result);

  const std::string url_, ledger_;
  const StoreOptions& options_;
  std::unique_ptr<PGconn, Finish> connection_;
};

}  // namespace mazur
