// The ledger of a run as a file, for the processes of one machine.
//
// A transaction locks the file for writing when it begins: all are exclusive, and none has to be
// undone because of another one.
#include "work/sqlite/sqlite_store.h"

#include <time.h>

#include <utility>

#include "work/keys.h"
#include "work/open_store.h"
#include "work/sqlite/process_name.h"
#include "work/sqlite/schema.h"

namespace mazur {
namespace {

std::int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_REALTIME, &t);
  return std::int64_t{t.tv_sec} * 1'000'000 + t.tv_nsec / 1000;
}

std::int64_t signed_of(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t unsigned_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }

class SqliteStore final : public LedgerStore, private LedgerTransaction {
 public:
  SqliteStore(const std::string& path, Opening opening, const StoreOptions& options)
      : database_(open_ledger_file(path, opening, options)),
        reads_only_(opening == Opening::kLook),
        lease_(options.lease_seconds),
        pause_(options.pause_seconds),
        process_(name_of_this_process()) {}

  void transact(Access, FunctionRef<void(LedgerTransaction&)> body) override {
    database_->execute(reads_only_ ? "BEGIN" : "BEGIN IMMEDIATE");
    now_ = now();
    try {
      body(*this);
      database_->execute("COMMIT");
    } catch (...) {
      undo();
      throw;
    }
  }
  bool is_exclusive() const override { return true; }
  bool is_durable() const override { return true; }
  std::string name() const override { return database_->path(); }
  double lease_seconds() const override { return lease_; }
  double pause_seconds() const override { return pause_; }

 private:
  // Without a word: there is an error already that says more.
  void undo() {
    try {
      if (database_->is_in_transaction()) database_->execute("ROLLBACK");
    } catch (const LedgerError&) {
    }
  }

  std::optional<std::string> run() override {
    auto rows = database_->query("SELECT state FROM run");
    if (!rows.next()) return std::nullopt;
    return rows.bytes(0);
  }
  void set_run(const std::string& bytes) override {
    database_->run(
        "INSERT INTO run (id, state) VALUES (1, ?1) "
        "ON CONFLICT (id) DO UPDATE SET state = ?1",
        Blob{bytes});
  }

  ItemRow item_of(const Database::Rows& rows) const {
    const std::int64_t state = rows.number(1);
    const bool is_good = state >= 0 && state <= static_cast<int>(ItemState::kClosed);
    if (!is_good) throw LedgerError("the ledger '" + name() + "' is damaged.");
    return {.key = rows.bytes(0),
            .state = static_cast<ItemState>(state),
            .claim = unsigned_of(rows.number(2)),
            .next_child = static_cast<std::uint32_t>(rows.number(3)),
            .deaths = static_cast<std::uint32_t>(rows.number(4)),
            .refusals = static_cast<std::uint32_t>(rows.number(5)),
            .results = rows.bytes(6)};
  }
  std::optional<ItemRow> if_closed(Database::Rows rows) const {
    if (!rows.next() || rows.number(1) != static_cast<int>(ItemState::kClosed)) return std::nullopt;
    return item_of(rows);
  }

  std::optional<ItemRow> first_open() override {
    auto rows = database_->query(
        "SELECT key, state, claim, next_child, deaths, refusals, results, piece FROM item "
        "WHERE state = 0 ORDER BY key LIMIT 1");
    if (!rows.next()) return std::nullopt;
    ItemRow item = item_of(rows);
    item.piece = rows.bytes(7);
    return item;
  }
  std::optional<ItemRow> claimed(std::uint64_t claim) override {
    auto rows = database_->query(
        "SELECT key, state, claim, next_child, deaths, refusals, results FROM item "
        "WHERE state = 1 AND claim = ?1",
        signed_of(claim));
    if (!rows.next()) return std::nullopt;
    return item_of(rows);
  }
  std::optional<ItemRow> closed_before(const std::string& key) override {
    return if_closed(database_->query(
        "SELECT key, state, claim, next_child, deaths, refusals, results FROM item "
        "WHERE key < ?1 ORDER BY key DESC LIMIT 1",
        Blob{key}));
  }
  std::optional<ItemRow> closed_after(const std::string& key) override {
    return if_closed(database_->query(
        "SELECT key, state, claim, next_child, deaths, refusals, results FROM item "
        "WHERE key > ?1 ORDER BY key LIMIT 1",
        Blob{key}));
  }
  void visit(const std::optional<std::string>& after,
             FunctionRef<void(const ItemRow&)> look) override {
    auto rows =
        after ? database_->query(
                    "SELECT key, state, claim, next_child, deaths, refusals, results FROM item "
                    "WHERE key > ?1 ORDER BY key",
                    Blob{*after})
              : database_->query(
                    "SELECT key, state, claim, next_child, deaths, refusals, results FROM item "
                    "ORDER BY key");
    while (rows.next()) look(item_of(rows));
  }

  // A row that was found and cannot be found again: an index is wrong.
  void changes_one(std::uint64_t rows) const {
    if (rows != 1) throw LedgerError("the ledger '" + name() + "' is damaged.");
  }
  void update(const ItemRow& item, Write write) override {
    const auto state = static_cast<std::int64_t>(item.state);
    if (write == Write::kWithPiece)
      changes_one(database_->run(
          "UPDATE item SET state = ?2, claim = ?3, next_child = ?4, deaths = ?5, refusals = ?6, "
          "results = ?7, piece = ?8 WHERE key = ?1",
          Blob{item.key}, state, signed_of(item.claim), std::int64_t{item.next_child},
          std::int64_t{item.deaths}, std::int64_t{item.refusals}, Blob{item.results},
          Blob{item.piece}));
    else
      changes_one(database_->run(
          "UPDATE item SET state = ?2, claim = ?3, next_child = ?4, deaths = ?5, refusals = ?6, "
          "results = ?7 WHERE key = ?1",
          Blob{item.key}, state, signed_of(item.claim), std::int64_t{item.next_child},
          std::int64_t{item.deaths}, std::int64_t{item.refusals}, Blob{item.results}));
  }
  void insert(const std::vector<ItemRow>& items) override {
    for (const ItemRow& item : items)
      database_->run(
          "INSERT INTO item (key, state, claim, next_child, deaths, refusals, results, piece) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
          Blob{item.key}, static_cast<std::int64_t>(item.state), signed_of(item.claim),
          std::int64_t{item.next_child}, std::int64_t{item.deaths}, std::int64_t{item.refusals},
          Blob{item.results}, Blob{item.piece});
  }
  void erase(const std::string& key) override {
    changes_one(database_->run("DELETE FROM item WHERE key = ?1", Blob{key}));
  }
  void erase_after(const std::string& key) override {
    database_->run("DELETE FROM item WHERE key > ?1", Blob{key});
  }
  void clear() override {
    database_->run("DELETE FROM item");
    database_->run("DELETE FROM sums");
    database_->run("INSERT INTO sums (id) VALUES (1)");
  }
  // Other keys have whole numbers: with half of one more, old and new ones are never the same.
  void renumber() override {
    std::vector<std::int64_t> order;
    {
      auto rows = database_->query("SELECT id FROM item ORDER BY key");
      while (rows.next()) order.push_back(rows.number(0));
    }
    for (std::size_t i = 0; i < order.size(); ++i)
      database_->run("UPDATE item SET key = ?2, next_child = 4294967295 WHERE id = ?1", order[i],
                     Blob{key_of_number(static_cast<std::uint32_t>(i)) + "  "});
    database_->run("UPDATE item SET key = substr(key, 1, 4)");
  }

  void add(const Sums& more) override {
    const Tally& tally = more.tally;
    database_->run(
        "UPDATE sums SET open = open + ?1, claimed = claimed + ?2, slices = slices + ?3, "
        "microseconds = microseconds + ?4, complete = complete + ?5, blocked = blocked + ?6, "
        "assume_blocked = assume_blocked + ?7, bounded = bounded + ?8, events = events + ?9, "
        "failures = failures + ?10, depth = iif(?11 = 0, depth, ?11), "
        "explored = explored + ?12",
        more.open, more.claimed, more.slices, more.microseconds, signed_of(tally.complete),
        signed_of(tally.blocked), signed_of(tally.assume_blocked), signed_of(tally.bounded),
        signed_of(tally.events), signed_of(tally.failures), signed_of(tally.depth), more.explored);
  }
  Sums sums() override {
    auto rows = database_->query(
        "SELECT open, claimed, slices, microseconds, complete, blocked, assume_blocked, bounded, "
        "events, failures, depth, explored FROM sums");
    if (!rows.next()) return {};
    return {.open = rows.number(0),
            .claimed = rows.number(1),
            .slices = rows.number(2),
            .microseconds = rows.number(3),
            .explored = rows.number(11),
            .tally = {.complete = unsigned_of(rows.number(4)),
                      .blocked = unsigned_of(rows.number(5)),
                      .assume_blocked = unsigned_of(rows.number(6)),
                      .bounded = unsigned_of(rows.number(7)),
                      .events = unsigned_of(rows.number(8)),
                      .failures = unsigned_of(rows.number(9)),
                      .depth = unsigned_of(rows.number(10))}};
  }

  bool put(const std::string& name, std::string_view bytes) override {
    return database_->run("INSERT INTO thing (name, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                          name, Blob{bytes}) > 0;
  }
  std::optional<std::string> get(const std::string& name) override {
    auto rows = database_->query("SELECT bytes FROM thing WHERE name = ?1", name);
    if (!rows.next()) return std::nullopt;
    return rows.bytes(0);
  }
  void forget(const std::string& prefix) override {
    database_->run("DELETE FROM thing WHERE substr(name, 1, ?2) = ?1", prefix,
                   signed_of(prefix.size()));
  }

  std::int64_t lease_end() const { return now_ + static_cast<std::int64_t>(lease_ * 1e6); }

  std::uint32_t enter(const WorkerInfo& worker) override {
    database_->run(
        "INSERT INTO worker (process, name, processes, idle, executions, begun, seen, until) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)",
        process_, worker.name, signed_of(worker.processes), signed_of(worker.idle),
        signed_of(worker.executions), now_, lease_end());
    return static_cast<std::uint32_t>(database_->last_row());
  }
  void stay(std::uint32_t worker) override {
    database_->run(
        "INSERT INTO worker (number, process, name, processes, idle, executions, begun, seen, "
        "until) VALUES (?1, ?2, '', 0, 0, 0, ?3, ?3, ?4) "
        "ON CONFLICT (number) DO UPDATE SET until = ?4 WHERE until < ?3",
        std::int64_t{worker}, process_, now_, lease_end());
  }
  void renew(std::uint32_t worker, const WorkerInfo& info) override {
    stay(worker);
    database_->run(
        "UPDATE worker SET name = ?2, processes = ?3, idle = ?4, executions = ?5, seen = ?6, "
        "until = ?7 WHERE number = ?1",
        std::int64_t{worker}, info.name, signed_of(info.processes), signed_of(info.idle),
        signed_of(info.executions), now_, lease_end());
  }
  void leave(std::uint32_t worker) override {
    database_->run("UPDATE worker SET until = 0 WHERE number = ?1", std::int64_t{worker});
  }
  std::uint64_t open_lost() override {
    std::vector<std::int64_t> lost;
    {
      auto rows = database_->query("SELECT number, until, process FROM worker");
      while (rows.next())
        if (rows.number(1) < now_ || !may_live(rows.bytes(2))) lost.push_back(rows.number(0));
    }
    std::uint64_t opened = 0;
    for (const std::int64_t worker : lost) {
      opened += database_->run(
          "UPDATE item SET state = 0, claim = 0 WHERE state = 1 AND claim >= ?1 AND claim < ?2",
          worker << 32, (worker + 1) << 32);
      database_->run("DELETE FROM worker WHERE number = ?1", worker);
    }
    return opened;
  }
  std::vector<WorkerInfo> workers() override {
    std::vector<WorkerInfo> workers;
    auto rows = database_->query(
        "SELECT name, processes, idle, executions, begun, seen, "
        "(SELECT count(*) FROM item WHERE state = 1 AND claim >= number << 32 "
        "AND claim < (number + 1) << 32), process FROM worker WHERE until >= ?1 ORDER BY number",
        now_);
    while (rows.next())
      if (may_live(rows.bytes(7)))
        workers.push_back({.name = rows.bytes(0),
                           .processes = unsigned_of(rows.number(1)),
                           .idle = unsigned_of(rows.number(2)),
                           .executions = unsigned_of(rows.number(3)),
                           .since = (now_ - rows.number(4)) / 1'000'000,
                           .seen = (now_ - rows.number(5)) / 1'000'000,
                           .claims = rows.number(6)});
    return workers;
  }
  std::uint64_t idle() override {
    auto rows = database_->query("SELECT sum(idle) FROM worker WHERE until >= ?1", now_);
    return rows.next() ? unsigned_of(rows.number(0)) : 0;
  }
  std::vector<std::uint64_t> claims_of(std::uint32_t worker) override {
    std::vector<std::uint64_t> claims;
    const std::int64_t number = worker;
    auto rows =
        database_->query("SELECT claim FROM item WHERE state = 1 AND claim >= ?1 AND claim < ?2",
                         number << 32, (number + 1) << 32);
    while (rows.next()) claims.push_back(unsigned_of(rows.number(0)));
    return claims;
  }

  const std::unique_ptr<Database> database_;
  const bool reads_only_;
  const double lease_, pause_;
  const std::string process_;
  std::int64_t now_ = 0;  // when the transaction began, in microseconds
};

}  // namespace

std::unique_ptr<LedgerStore> open_sqlite_store(const std::string& path, Opening opening,
                                               const StoreOptions& options) {
  return std::make_unique<SqliteStore>(path, opening, options);
}

}  // namespace mazur
