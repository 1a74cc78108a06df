// Items, and the run's row.
#include <algorithm>
#include <limits>

#include "work/postgres/transaction.h"

namespace mazur {
namespace {

#define COLUMNS "key, state, claim, next_child, deaths, refusals, results"

// A number that has to fit.
template <typename T>
T number_in(const Rows& rows, int row, int column, std::uint64_t most) {
  const std::int64_t number = rows.number(row, column);
  if (number < 0 || static_cast<std::uint64_t>(number) > most)
    throw LedgerError("the ledger is damaged: a number in its table of items is out of range.");
  return static_cast<T>(number);
}

ItemRow item_of(const Rows& rows, int row) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return {
      .key = rows.bytes(row, 0),
      .state = number_in<ItemState>(rows, row, 1, static_cast<std::uint64_t>(ItemState::kClosed)),
      .claim = number_in<std::uint64_t>(rows, row, 2, std::numeric_limits<std::int64_t>::max()),
      .next_child = number_in<std::uint32_t>(rows, row, 3, kMost),
      .deaths = number_in<std::uint32_t>(rows, row, 4, kMost),
      .refusals = number_in<std::uint32_t>(rows, row, 5, kMost),
      .results = rows.bytes(row, 6)};
}

std::optional<ItemRow> first_of(const Rows& rows) {
  if (rows.size() == 0) return std::nullopt;
  return item_of(rows, 0);
}

Value state_of(const ItemRow& item) { return static_cast<std::int64_t>(item.state); }
Value number(std::uint64_t n) { return static_cast<std::int64_t>(n); }

}  // namespace

std::optional<std::string> PostgresTransaction::run() {
  const Rows rows = connection_.run("SELECT state FROM mazur.run WHERE id = $1", {run_});
  if (rows.size() == 0) throw LedgerError("the run has been removed from the ledger.");
  if (rows.is_null(0, 0)) return std::nullopt;
  return rows.bytes(0, 0);
}

void PostgresTransaction::set_run(const std::string& bytes) {
  connection_.run("UPDATE mazur.run SET state = $2 WHERE id = $1", {run_, Value::bytes(bytes)});
}

std::optional<ItemRow> PostgresTransaction::first_open() {
  const Rows rows = connection_.run("SELECT " COLUMNS
                                    ", piece FROM mazur.item WHERE run = $1 AND state = 0 "
                                    "ORDER BY run, key LIMIT 1 FOR UPDATE SKIP LOCKED",
                                    {run_});
  auto item = first_of(rows);
  if (item) item->piece = rows.bytes(0, 7);
  return item;
}

std::optional<ItemRow> PostgresTransaction::claimed(std::uint64_t claim) {
  return first_of(connection_.run("SELECT " COLUMNS
                                  " FROM mazur.item WHERE run = $1 AND state = 1 AND claim = $2 "
                                  "FOR UPDATE",
                                  {run_, number(claim)}));
}

// First which one it is, locked or not; then that one, if nobody has it. Nothing can come between it
// and this key meanwhile: there are new items only behind one that is not closed.
std::optional<ItemRow> PostgresTransaction::neighbour(const char* sql, const std::string& key) {
  const Rows next = connection_.run(sql, {run_, Value::bytes(key)});
  if (next.size() == 0 || next.number(0, 1) != static_cast<std::int64_t>(ItemState::kClosed))
    return std::nullopt;
  return first_of(connection_.run("SELECT " COLUMNS
                                  " FROM mazur.item WHERE run = $1 AND key = $2 AND state = 2 "
                                  "FOR UPDATE SKIP LOCKED",
                                  {run_, Value::bytes(next.bytes(0, 0))}));
}

std::optional<ItemRow> PostgresTransaction::closed_before(const std::string& key) {
  return neighbour(
      "SELECT key, state FROM mazur.item WHERE run = $1 AND key < $2 ORDER BY run DESC, key DESC "
      "LIMIT 1",
      key);
}

std::optional<ItemRow> PostgresTransaction::closed_after(const std::string& key) {
  return neighbour(
      "SELECT key, state FROM mazur.item WHERE run = $1 AND key > $2 ORDER BY run, key LIMIT 1",
      key);
}

void PostgresTransaction::visit(const std::optional<std::string>& after,
                                FunctionRef<void(const ItemRow&)> look) {
  constexpr int kAtOnce = 10'000;
  std::string last = after.value_or("");
  for (bool all = !after;; all = false) {
    const Rows rows = connection_.run(
        "SELECT " COLUMNS
        " FROM mazur.item WHERE run = $1 AND (key > $2 OR $3 = 1) "
        "AND key >= $2 ORDER BY run, key LIMIT $4",
        {run_, Value::bytes(last), std::int64_t{all ? 1 : 0}, std::int64_t{kAtOnce}});
    for (int row = 0; row < rows.size(); ++row) {
      const ItemRow item = item_of(rows, row);
      look(item);
      last = item.key;
    }
    if (rows.size() < kAtOnce) return;
  }
}

void PostgresTransaction::update(const ItemRow& item, Write write) {
  std::vector<Value> values{run_,
                            Value::bytes(item.key),
                            state_of(item),
                            number(item.claim),
                            std::int64_t{item.next_child},
                            std::int64_t{item.deaths},
                            std::int64_t{item.refusals},
                            Value::bytes(item.results)};
  if (write == Write::kWithPiece) values.push_back(Value::bytes(item.piece));
  const Rows rows =
      connection_.run(write == Write::kWithPiece
                          ? "UPDATE mazur.item SET state = $3, claim = $4, next_child = $5, "
                            "deaths = $6, refusals = $7, results = $8, piece = $9 "
                            "WHERE run = $1 AND key = $2"
                          : "UPDATE mazur.item SET state = $3, claim = $4, next_child = $5, "
                            "deaths = $6, refusals = $7, results = $8 WHERE run = $1 AND key = $2",
                      values);
  if (rows.changed() != 1)
    throw LedgerError("the ledger is damaged: an item cannot be found again.");
}

void PostgresTransaction::insert(const std::vector<ItemRow>& items) {
  constexpr std::size_t kAtOnce = 1000;  // a statement has at most 65,535 values
  for (std::size_t begin = 0; begin < items.size(); begin += kAtOnce) {
    std::string sql = "INSERT INTO mazur.item (run, " COLUMNS ", piece) VALUES ";
    std::vector<Value> values{run_};
    const auto place = [&](Value value) {
      values.push_back(std::move(value));
      sql += ", $" + std::to_string(values.size());
    };
    for (std::size_t i = begin; i < std::min(begin + kAtOnce, items.size()); ++i) {
      const ItemRow& item = items[i];
      sql += i == begin ? "($1" : ", ($1";
      place(Value::bytes(item.key));
      place(state_of(item));
      place(number(item.claim));
      place(std::int64_t{item.next_child});
      place(std::int64_t{item.deaths});
      place(std::int64_t{item.refusals});
      place(Value::bytes(item.results));
      place(Value::bytes(item.piece));
      sql += ")";
    }
    connection_.run(sql, values);
  }
}

void PostgresTransaction::erase(const std::string& key) {
  connection_.run("DELETE FROM mazur.item WHERE run = $1 AND key = $2", {run_, Value::bytes(key)});
}

void PostgresTransaction::erase_after(const std::string& key) {
  connection_.run("DELETE FROM mazur.item WHERE run = $1 AND key > $2", {run_, Value::bytes(key)});
}

void PostgresTransaction::clear() {
  connection_.run("DELETE FROM mazur.item WHERE run = $1", {run_});
  connection_.run(
      "UPDATE mazur.sums SET open = 0, claimed = 0, slices = 0, microseconds = 0, explored = 0, "
      "complete = 0, "
      "blocked = 0, assume_blocked = 0, bounded = 0, events = 0, failures = 0, depth = 0 "
      "WHERE run = $1",
      {run_});
}

// The lengths of all keys are multiples of four: with two bytes more, old and new ones differ.
void PostgresTransaction::renumber() {
  connection_.run(
      "UPDATE mazur.item i SET key = int4send((n.number - 1)::int4) || '\\x2020'::bytea, "
      "next_child = 4294967295 FROM (SELECT key, row_number() OVER (ORDER BY key) AS number "
      "FROM mazur.item WHERE run = $1) n WHERE i.run = $1 AND i.key = n.key",
      {run_});
  connection_.run("UPDATE mazur.item SET key = substring(key FROM 1 FOR 4) WHERE run = $1", {run_});
}

#undef COLUMNS

}  // namespace mazur
