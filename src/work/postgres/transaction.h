// The statements of a transaction on a ledger in PostgreSQL.
//
// A shared transaction has an advisory lock that an exclusive one waits for: so the run's row, which
// only exclusive ones change, is what it was at the beginning. Items are locked by rows. A
// transaction waits for nobody's item (SKIP LOCKED), but for that with its own claim.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "work/postgres/connection.h"
#include "work/store.h"

namespace mazur {

class PostgresTransaction final : public LedgerTransaction {
 public:
  // `run`: its number. `shard`: which of the sums is ours.
  PostgresTransaction(Connection& connection, std::int64_t run, std::int64_t shard, double lease)
      : connection_(connection), run_(run), shard_(shard), lease_(lease) {}

  std::optional<std::string> run() override;
  void set_run(const std::string& bytes) override;

  std::optional<ItemRow> first_open() override;
  std::optional<ItemRow> claimed(std::uint64_t claim) override;
  std::optional<ItemRow> closed_before(const std::string& key) override;
  std::optional<ItemRow> closed_after(const std::string& key) override;
  void visit(const std::optional<std::string>& after,
             FunctionRef<void(const ItemRow&)> look) override;

  void update(const ItemRow& item, Write write) override;
  void insert(const std::vector<ItemRow>& items) override;
  void erase(const std::string& key) override;
  void erase_after(const std::string& key) override;
  void clear() override;
  void renumber() override;

  void add(const Sums& more) override;
  Sums sums() override;

  bool put(const std::string& name, std::string_view bytes) override;
  std::optional<std::string> get(const std::string& name) override;
  void forget(const std::string& prefix) override;

  std::uint32_t enter(const WorkerInfo& worker) override;
  void stay(std::uint32_t worker) override;
  void renew(std::uint32_t worker, const WorkerInfo& info) override;
  void leave(std::uint32_t worker) override;
  std::uint64_t open_lost() override;
  std::vector<WorkerInfo> workers() override;
  std::uint64_t idle() override;
  std::vector<std::uint64_t> claims_of(std::uint32_t worker) override;

 private:
  Value lease() const { return static_cast<std::int64_t>(lease_ * 1e6); }
  std::optional<ItemRow> neighbour(const char* sql, const std::string& key);

  Connection& connection_;
  const std::int64_t run_, shard_;
  const double lease_;
};

}  // namespace mazur
