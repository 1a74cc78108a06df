#include "work/postgres/postgres_store.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/random_source.h"
#include "work/postgres/connection.h"
#include "work/postgres/schema.h"
#include "work/postgres/transaction.h"

namespace mazur {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kShortestWait{20}, kLongestWait{5000};
// A transaction that others are in the way of so often has met a mistake, not others.
constexpr unsigned kMostTries = 1000;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

bool is_name(const std::string& run) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !run.empty() && run.size() <= 100 && std::ranges::all_of(run, is_plain);
}

// What a user has named: where, and which run there.
struct Place {
  std::string url, run = "default";
  explicit Place(const std::string& place) {
    const std::size_t mark = place.rfind('#');
    url = place.substr(0, mark);
    Connection::check_url(url);
    if (mark != std::string::npos) run = place.substr(mark + 1);
    if (!is_name(run))
      throw LedgerError(
          "the name of a run, behind '#', has at most 100 letters, digits, '-', '_' and '.'.");
  }
};

class PostgresStore final : public LedgerStore {
 public:
  PostgresStore(const std::string& place, Opening opening, const StoreOptions& options)
      : options_(options),
        reads_only_(opening == Opening::kLook),
        name_(Connection::readable(place.c_str())),
        place_(place),
        connection_(place_.url, name_, options_),
        random_(static_cast<std::uint64_t>(getpid()),
                static_cast<std::uint64_t>(Clock::now().time_since_epoch().count())),
        shard_(random_.below(static_cast<std::uint32_t>(kSumShards))) {
    // Who names a server that is not there should hear so at once.
    try {
      connection_.open();
      run_ = find_run(connection_, place_.run, name_, opening);
    } catch (const ConnectionLost& lost) {
      throw LedgerError("the server of the ledger '" + name_ + "' cannot be reached" +
                        (lost.why.empty() ? "." : ": " + lost.why + "."));
    } catch (const TryAgain&) {
      throw LedgerError("the server of the ledger '" + name_ + "' is too busy.");
    }
  }

  void transact(Access access, FunctionRef<void(LedgerTransaction&)> body) override;
  bool is_exclusive() const override { return false; }
  void hurry() override { hurries_ = true; }
  bool is_durable() const override { return true; }
  std::string name() const override { return name_; }
  double lease_seconds() const override { return options_.lease_seconds; }
  double pause_seconds() const override { return options_.pause_seconds; }

 private:
  void begin(Access access);
  void wait(milliseconds& pause);

  const StoreOptions options_;
  const bool reads_only_;
  const std::string name_;
  const Place place_;
  Connection connection_;
  RandomSource random_;
  const std::int64_t shard_;
  std::int64_t run_ = 0;
  bool hurries_ = false;
};

void PostgresStore::begin(Access access) {
  if (!connection_.is_open()) connection_.open();
  if (reads_only_) {
    connection_.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return;
  }
  std::string sql = "BEGIN ISOLATION LEVEL READ COMMITTED; ";
  // A claim that the server forgets when it goes down is one that nobody has.
  if (access == Access::kLazy) sql += "SET LOCAL synchronous_commit = off; ";
  sql += access == Access::kExclusive ? "SELECT pg_advisory_xact_lock("
                                      : "SELECT pg_advisory_xact_lock_shared(";
  connection_.execute(sql + std::to_string(kLockClass) + ", " + std::to_string(run_) + ")");
}

// For a random time, so that those who were in each other's way are so no more.
void PostgresStore::wait(milliseconds& pause) {
  const auto most = static_cast<std::uint32_t>(pause.count());
  const Clock::time_point begin = Clock::now();
  const milliseconds time(most / 2 + random_.below(most / 2 + 1));
  while (Clock::now() - begin < time) {
    if (options_.gives_up && options_.gives_up())
      throw LedgerError("the server of the ledger '" + name_ + "' did not come back in time.");
    const timespec moment{0, 10'000'000};
    nanosleep(&moment, nullptr);
  }
  pause = std::min(2 * pause, kLongestWait);
}

void PostgresStore::transact(Access access, FunctionRef<void(LedgerTransaction&)> body) {
  std::optional<Clock::time_point> away;
  milliseconds pause = kShortestWait;
  for (unsigned tries = 1;; ++tries) {
    try {
      begin(access);
      PostgresTransaction transaction(connection_, run_, shard_, options_.lease_seconds);
      body(transaction);
      connection_.commit();
      return;
    } catch (const TryAgain&) {
      connection_.roll_back();
      if (tries >= kMostTries || hurries_)
        throw LedgerError("the server of the ledger '" + name_ + "' is too busy.");
      milliseconds moment = kShortestWait;
      wait(moment);
    } catch (const ConnectionLost& lost) {
      connection_.close();
      if (!away) away = Clock::now();
      if (hurries_ || seconds_since(*away) > options_.patience_seconds)
        throw LedgerError("the server of the ledger '" + name_ + "' is away" +
                          (lost.why.empty() ? "." : ": " + lost.why + "."));
      wait(pause);
    } catch (...) {
      connection_.roll_back();
      throw;
    }
  }
}

}  // namespace

std::unique_ptr<LedgerStore> open_postgres_store(const std::string& place, Opening opening,
                                                 const StoreOptions& options) {
  return std::make_unique<PostgresStore>(place, opening, options);
}

}  // namespace mazur
