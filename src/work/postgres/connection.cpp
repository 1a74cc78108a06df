#include "work/postgres/connection.h"

#include <poll.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace mazur {
namespace {

// Of pg_type.
constexpr Oid kBytea = 17, kBigint = 20, kText = 25;

std::string big_endian(std::int64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> shift));
  return bytes;
}

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { libpq().PQconninfoFree(options); }
};

}  // namespace

Value::Value(std::int64_t number) : type_(kBigint), content_(big_endian(number)) {}
Value Value::bytes(std::string_view bytes) { return {kBytea, std::string(bytes)}; }
Value Value::text(std::string_view text) { return {kText, std::string(text)}; }

std::uint64_t Rows::changed() const {
  const std::string_view text = libpq().PQcmdTuples(result_.get());
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void Rows::check(int row, int column) const {
  if (row < size() && column < libpq().PQnfields(result_.get()) &&
      libpq().PQfformat(result_.get(), column) == 1)
    return;
  throw LedgerError("the server of the ledger '" + *ledger_ + "' gives answers without sense.");
}

bool Rows::is_null(int row, int column) const {
  check(row, column);
  return libpq().PQgetisnull(result_.get(), row, column) != 0;
}

std::int64_t Rows::number(int row, int column) const {
  check(row, column);
  if (libpq().PQgetlength(result_.get(), row, column) != 8 ||
      libpq().PQftype(result_.get(), column) != kBigint)
    check(size(), column);
  std::uint64_t number = 0;
  for (int i = 0; i < 8; ++i)
    number =
        number << 8 | static_cast<unsigned char>(libpq().PQgetvalue(result_.get(), row, column)[i]);
  return static_cast<std::int64_t>(number);
}

std::string Rows::bytes(int row, int column) const {
  check(row, column);
  const int size = libpq().PQgetlength(result_.get(), row, column);
  return {libpq().PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(size)};
}

Connection::Connection(std::string url, std::string ledger, const StoreOptions& options)
    : url_(std::move(url)), ledger_(std::move(ledger)), options_(options) {}

void Connection::check_url(const std::string& url) {
  // What libpq says about a URL that makes no sense repeats it, perhaps with a password.
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, FreeOptions> parsed(
      libpq().PQconninfoParse(url.c_str(), &message));
  libpq().PQfreemem(message);
  if (parsed == nullptr)
    throw LedgerError(
        "the URL of the ledger makes no sense: it is postgresql://[user@][host][:port]/database"
        "[?option=value...][#run].");
  for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option)
    if (option->val != nullptr && *option->val != '\0' &&
        std::string_view(option->keyword).find("password") != std::string_view::npos)
      throw LedgerError(
          "a password in the URL of a ledger can be seen by everybody on the machine: give it with "
          "PGPASSWORD, ~/.pgpass or a service file.");
}

std::string Connection::readable(const char* message) {
  std::string text;
  for (const char c : std::string_view(message == nullptr ? "" : message).substr(0, 400)) {
    const auto byte = static_cast<unsigned char>(c);
    text.push_back(byte < 0x20 || byte == 0x7f ? ' ' : c);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

void Connection::open() {
  // What stands in the URL comes later, and wins.
  std::vector<const char*> keywords{"fallback_application_name", "keepalives_idle",
                                    "keepalives_interval",       "keepalives_count",
                                    "tcp_user_timeout",          "client_encoding"};
  std::vector<const char*> values{"mazur", "10", "5", "3", "30000", "UTF8"};
  if (std::getenv("PGCONNECT_TIMEOUT") == nullptr) {
    keywords.push_back("connect_timeout");
    values.push_back("10");
  }
  keywords.insert(keywords.end(), {"dbname", nullptr});
  values.insert(values.end(), {url_.c_str(), nullptr});
  connection_.reset(libpq().PQconnectdbParams(keywords.data(), values.data(), /*expand_dbname=*/1));
  if (connection_ == nullptr || libpq().PQstatus(connection_.get()) != CONNECTION_OK) lost();
  libpq().PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  // A process that is stopped within a transaction must not stop all others for good.
  execute(
      "SET search_path = pg_catalog; SET idle_in_transaction_session_timeout = '60s'; "
      "SET client_min_messages = error");
}

void Connection::lost() {
  const std::string why =
      connection_ == nullptr ? "" : readable(libpq().PQerrorMessage(connection_.get()));
  close();
  throw ConnectionLost{why};
}

// Waits for the server, but only a moment: somebody may not want to wait any longer.
void Connection::wait() {
  if (options_.gives_up && options_.gives_up())
    throw LedgerError("the server of the ledger '" + ledger_ + "' did not answer in time.");
  pollfd socket{libpq().PQsocket(connection_.get()), POLLIN, 0};
  const int to_write = libpq().PQflush(connection_.get());
  if (to_write < 0) lost();
  if (to_write > 0) socket.events |= POLLOUT;
  poll(&socket, 1, 200);
  if (libpq().PQconsumeInput(connection_.get()) == 0) lost();
}

// The first error of several statements, or the last result.
PGresult* Connection::answer() {
  PGresult* last = nullptr;
  for (;;) {
    while (libpq().PQisBusy(connection_.get()) != 0) wait();
    PGresult* next = libpq().PQgetResult(connection_.get());
    if (next == nullptr) return last;
    if (last != nullptr && libpq().PQresultStatus(last) == PGRES_FATAL_ERROR) {
      libpq().PQclear(next);
      continue;
    }
    libpq().PQclear(last);
    last = next;
  }
}

PGresult* Connection::checked(PGresult* result) {
  if (result == nullptr) lost();
  const ExecStatusType status = libpq().PQresultStatus(result);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return result;
  const char* field = libpq().PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string state = field == nullptr ? "" : field;
  const std::string why = readable(libpq().PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
  libpq().PQclear(result);
  if (libpq().PQstatus(connection_.get()) != CONNECTION_OK) lost();
  // Serialisation failures, deadlocks; the server ends, or ended the transaction.
  if (state == "40001" || state == "40P01") throw TryAgain();
  if (state.starts_with("57P") || state.starts_with("08") || state == "25P03") {
    close();
    throw ConnectionLost{why};
  }
  const std::string name = "the ledger '" + ledger_ + "'";
  if (state == "53100") throw LedgerError("the server has no space left for " + name + ".");
  if (state == "25006") throw LedgerError(name + " cannot be written: " + why + ".");
  if (state == "42501") throw LedgerError("there are no rights to use " + name + ": " + why + ".");
  throw LedgerError(name + " cannot be used: " + why + ".");
}

Rows Connection::run(const std::string& sql, const std::vector<Value>& values) {
  if (!is_open()) throw ConnectionLost{};
  std::vector<Oid> types;
  std::vector<const char*> contents;
  std::vector<int> lengths, formats(values.size(), 1);
  for (const Value& value : values) {
    types.push_back(value.type());
    contents.push_back(value.content().data());
    lengths.push_back(static_cast<int>(value.content().size()));
  }
  if (libpq().PQsendQueryParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()),
                                types.data(), contents.data(), lengths.data(), formats.data(),
                                /*resultFormat=*/1) == 0)
    lost();
  return Rows(checked(answer()), ledger_);
}

void Connection::execute(const std::string& sql) {
  if (!is_open()) throw ConnectionLost{};
  if (libpq().PQsendQuery(connection_.get(), sql.c_str()) == 0) lost();
  libpq().PQclear(checked(answer()));
}

void Connection::commit() {
  if (!is_open()) throw ConnectionLost{};
  if (libpq().PQsendQuery(connection_.get(), "COMMIT") == 0) lost();
  PGresult* result = checked(answer());
  const bool committed = std::strcmp(libpq().PQcmdStatus(result), "COMMIT") == 0;
  libpq().PQclear(result);
  if (!committed) throw TryAgain();
}

void Connection::roll_back() noexcept {
  if (!is_open()) return;
  try {
    execute("ROLLBACK");
  } catch (...) {
    close();
  }
}

}  // namespace mazur
