// Where a ledger is kept. What stands there means nothing here: the rules are the ledger's
// (work/ledger.h), and they are the same for all stores.
//
// A store holds one run: a row of its own, items in the order of their keys, sums of what was done,
// small things by name, and the workers. All of it is read and changed in transactions. Either all
// of a transaction happens, or nothing, whatever ends the process or the machine.
//
// Keys are bytes and are compared as such, a beginning before what goes on: as memcmp() does.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "protocol/verdict.h"

namespace mazur {

// What is wrong with a ledger, or with the way to it: one sentence, ready to be printed. Never holds a
// password. Nothing in the ledger was changed.
class LedgerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class ItemState : std::uint8_t { kOpen, kClaimed, kClosed };

// A piece of the work, with all that was counted and found in it so far.
struct ItemRow {
  std::string key;
  ItemState state = ItemState::kOpen;
  std::uint64_t claim = 0;  // its number, if it is claimed
  // The next child's last component. It is counted down: what is split off later comes earlier.
  std::uint32_t next_child = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t deaths = 0;    // processes that died with it
  std::uint32_t refusals = 0;  // processes that could not use it
  std::string piece;           // what is left of it
  std::string results;         // what came of it
};

// Sums over all items, kept so that nobody has to look at all of them.
struct Sums {
  std::int64_t open = 0, claimed = 0;
  std::int64_t slices = 0;        // that were finished
  std::int64_t microseconds = 0;  // spent on them
  // An estimate: the part of the whole program that is explored, in parts of kWhole. 0: not known.
  std::int64_t explored = 0;
  static constexpr std::int64_t kWhole = std::int64_t{1} << 60;
  Tally tally;
};

// A worker as others see it.
struct WorkerInfo {
  std::string name;  // as people should read it: a machine and a process
  std::uint64_t processes = 0;
  std::uint64_t idle = 0;        // of them, waiting for work
  std::uint64_t executions = 0;  // since it began
  // By the store: how long ago it has begun, and was last seen, in seconds.
  std::int64_t since = 0, seen = 0;
  std::int64_t claims = 0;  // pieces that it has
};

class LedgerTransaction {
 public:
  virtual ~LedgerTransaction() = default;

  // The run's row; nothing: there is none yet. set_run() only in an exclusive transaction.
  virtual std::optional<std::string> run() = 0;
  virtual void set_run(const std::string& bytes) = 0;

  // The open item with the smallest key that nobody else is about to take.
  virtual std::optional<ItemRow> first_open() = 0;
  // The item with this claim. Without its piece, as are all that follow.
  virtual std::optional<ItemRow> claimed(std::uint64_t claim) = 0;
  // The item next to this key, if it is closed and nobody else is about to change it.
  virtual std::optional<ItemRow> closed_before(const std::string& key) = 0;
  virtual std::optional<ItemRow> closed_after(const std::string& key) = 0;
  // All items after this key (nothing: all items), in order.
  virtual void visit(const std::optional<std::string>& after,
                     FunctionRef<void(const ItemRow&)> look) = 0;

  // Writes everything but the piece, and that too with kWithPiece. The item must be one that this
  // transaction has got from first_open(), claimed(), closed_before() or closed_after().
  enum class Write : bool { kWithoutPiece, kWithPiece };
  virtual void update(const ItemRow& item, Write write) = 0;
  virtual void insert(const std::vector<ItemRow>& items) = 0;
  virtual void erase(const std::string& key) = 0;
  // All items with greater keys. Only in an exclusive transaction, as clear() and renumber().
  virtual void erase_after(const std::string& key) = 0;
  // All items and all sums.
  virtual void clear() = 0;
  // Gives all items short keys, in the same order, and all numbers of children again.
  virtual void renumber() = 0;

  virtual void add(const Sums& more) = 0;
  virtual Sums sums() = 0;

  // Small things by name. put(): false if there is one already.
  virtual bool put(const std::string& name, std::string_view bytes) = 0;
  virtual std::optional<std::string> get(const std::string& name) = 0;
  virtual void forget(const std::string& prefix) = 0;  // all whose names begin like this

  // Workers. A worker has a lease, which it renews; without one it is lost, and what it has claimed
  // is opened. Its claims are numbered from its number << 32.
  virtual std::uint32_t enter(
      const WorkerInfo& worker) = 0;  // a number that was never given before
  // To be called before a claim: the worker has a lease, whatever has become of its last one.
  virtual void stay(std::uint32_t worker) = 0;
  virtual void renew(std::uint32_t worker, const WorkerInfo& info) = 0;
  virtual void leave(std::uint32_t worker) = 0;
  // Opens what lost workers have claimed. Returns how many items that were.
  virtual std::uint64_t open_lost() = 0;
  virtual std::vector<WorkerInfo> workers() = 0;  // those that are not lost
  virtual std::uint64_t idle() = 0;               // the sum over them
  // The numbers of the claims of a worker that still stand.
  virtual std::vector<std::uint64_t> claims_of(std::uint32_t worker) = 0;
};

// Used by one thread at a time.
class LedgerStore {
 public:
  // kShared: several can go on at the same time, if they use different items. The run's row is not
  // changed meanwhile. kLazy is the same for what may be lost if the machine goes down, as long as
  // nothing later is kept.
  enum class Access { kExclusive, kShared, kLazy };

  virtual ~LedgerStore() = default;

  // Runs `body` in a transaction and commits it. If the store is away for a while, or somebody was
  // in the way, `body` runs again; that can happen even after it was committed, if nobody could be
  // told so. Throws LedgerError, and then nothing of it has happened (or all, if the store went away
  // while it was committed).
  virtual void transact(Access access, FunctionRef<void(LedgerTransaction&)> body) = 0;

  // Whether every transaction is exclusive here, whatever was asked for.
  virtual bool is_exclusive() const = 0;
  // From now on it does not wait for a store that is away.
  virtual void hurry() {}
  // Whether other processes use it, and it outlives this one.
  virtual bool is_durable() const = 0;
  // How others would call it. Without a password.
  virtual std::string name() const = 0;
  // How long a lease holds. 0: for ever.
  virtual double lease_seconds() const = 0;
  // After that, at most, whoever has found nothing open looks again.
  virtual double pause_seconds() const = 0;
};

}  // namespace mazur
