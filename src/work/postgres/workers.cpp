// Sums, small things, and workers with their leases.
#include "work/postgres/transaction.h"

namespace mazur {
namespace {

Value number(std::uint64_t n) { return static_cast<std::int64_t>(n); }

// As a text of the server may be.
std::string printable(const std::string& name) {
  std::string text;
  for (const char c : name) text.push_back(c >= 0x20 && c < 0x7f ? c : '?');
  return text;
}

// When a lease ends that begins now.
#define LEASE(n) "clock_timestamp() + " n " * interval '1 microsecond'"

}  // namespace

void PostgresTransaction::add(const Sums& more) {
  const Tally& tally = more.tally;
  connection_.run(
      "UPDATE mazur.sums SET open = open + $3, claimed = claimed + $4, slices = slices + $5, "
      "microseconds = microseconds + $6, complete = complete + $7, blocked = blocked + $8, "
      "assume_blocked = assume_blocked + $9, bounded = bounded + $10, events = events + $11, "
      "failures = failures + $12, depth = CASE WHEN $13 = 0 THEN depth ELSE $13 END, "
      "explored = explored + $14 "
      "WHERE run = $1 AND shard = $2",
      {run_, shard_, more.open, more.claimed, more.slices, more.microseconds,
       number(tally.complete), number(tally.blocked), number(tally.assume_blocked),
       number(tally.bounded), number(tally.events), number(tally.failures), number(tally.depth),
       more.explored});
}

Sums PostgresTransaction::sums() {
  const Rows rows = connection_.run(
      "SELECT sum(open)::bigint, sum(claimed)::bigint, sum(slices)::bigint, "
      "sum(microseconds)::bigint, sum(complete)::bigint, sum(blocked)::bigint, "
      "sum(assume_blocked)::bigint, sum(bounded)::bigint, sum(events)::bigint, "
      "sum(failures)::bigint, max(depth), sum(explored)::bigint FROM mazur.sums WHERE run = $1",
      {run_});
  const auto n = [&](int column) { return static_cast<std::uint64_t>(rows.number(0, column)); };
  return {.open = rows.number(0, 0),
          .claimed = rows.number(0, 1),
          .slices = rows.number(0, 2),
          .microseconds = rows.number(0, 3),
          .explored = rows.number(0, 11),
          .tally = {.complete = n(4),
                    .blocked = n(5),
                    .assume_blocked = n(6),
                    .bounded = n(7),
                    .events = n(8),
                    .failures = n(9),
                    .depth = n(10)}};
}

bool PostgresTransaction::put(const std::string& name, std::string_view bytes) {
  return connection_
             .run(
                 "INSERT INTO mazur.thing (run, name, bytes) VALUES ($1, $2, $3) "
                 "ON CONFLICT DO NOTHING",
                 {run_, Value::text(name), Value::bytes(bytes)})
             .changed() > 0;
}

std::optional<std::string> PostgresTransaction::get(const std::string& name) {
  const Rows rows = connection_.run("SELECT bytes FROM mazur.thing WHERE run = $1 AND name = $2",
                                    {run_, Value::text(name)});
  if (rows.size() == 0) return std::nullopt;
  return rows.bytes(0, 0);
}

void PostgresTransaction::forget(const std::string& prefix) {
  connection_.run("DELETE FROM mazur.thing WHERE run = $1 AND starts_with(name, $2)",
                  {run_, Value::text(prefix)});
}

std::uint32_t PostgresTransaction::enter(const WorkerInfo& worker) {
  const Rows rows = connection_.run(
      "INSERT INTO mazur.worker (run, name, processes, idle, executions, begun, seen, until) "
      "VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp(), " LEASE("$6") ") "
      "RETURNING number",
      {run_, Value::text(printable(worker.name)), number(worker.processes), number(worker.idle),
       number(worker.executions), lease()});
  return static_cast<std::uint32_t>(rows.number(0, 0));
}

void PostgresTransaction::stay(std::uint32_t worker) {
  connection_.run(
      "INSERT INTO mazur.worker AS w (number, run, name, processes, idle, executions, begun, "
      "seen, until) VALUES ($2, $1, '', 0, 0, 0, clock_timestamp(), clock_timestamp(), "
      LEASE("$3") ") ON CONFLICT (number) DO UPDATE SET until = excluded.until "
      "WHERE w.until < now()",
      {run_, std::int64_t{worker}, lease()});
}

void PostgresTransaction::renew(std::uint32_t worker, const WorkerInfo& info) {
  connection_.run(
      "INSERT INTO mazur.worker AS w (number, run, name, processes, idle, executions, begun, "
      "seen, until) VALUES ($2, $1, $3, $4, $5, $6, clock_timestamp(), clock_timestamp(), "
      LEASE("$7") ") ON CONFLICT (number) DO UPDATE SET name = excluded.name, "
      "processes = excluded.processes, idle = excluded.idle, executions = excluded.executions, "
      "seen = excluded.seen, until = excluded.until",
      {run_, std::int64_t{worker}, Value::text(printable(info.name)), number(info.processes),
       number(info.idle), number(info.executions), lease()});
}

void PostgresTransaction::leave(std::uint32_t worker) {
  connection_.run("UPDATE mazur.worker SET until = '-infinity' WHERE run = $1 AND number = $2",
                  {run_, std::int64_t{worker}});
}

// Mostly there are none, and then all that is claimed need not be looked at.
std::uint64_t PostgresTransaction::open_lost() {
  const Rows lost = connection_.run(
      "SELECT number FROM mazur.worker WHERE run = $1 AND until < now() LIMIT 1", {run_});
  if (lost.size() == 0) return 0;
  const Rows rows = connection_.run(
      "WITH lost AS (DELETE FROM mazur.worker WHERE run = $1 AND until < now() RETURNING number), "
      "opened AS (UPDATE mazur.item i SET state = 0, claim = 0 FROM lost "
      "WHERE i.run = $1 AND i.state = 1 AND i.claim >= lost.number << 32 "
      "AND i.claim < (lost.number + 1) << 32 RETURNING 1) SELECT count(*) FROM opened",
      {run_});
  return static_cast<std::uint64_t>(rows.number(0, 0));
}

std::vector<WorkerInfo> PostgresTransaction::workers() {
  const Rows rows = connection_.run(
      "SELECT name, processes, idle, executions, "
      "extract(epoch FROM clock_timestamp() - begun)::bigint, "
      "extract(epoch FROM clock_timestamp() - seen)::bigint, "
      "(SELECT count(*) FROM mazur.item i WHERE i.run = $1 AND i.state = 1 "
      "AND i.claim >= w.number << 32 AND i.claim < (w.number + 1) << 32) "
      "FROM mazur.worker w WHERE run = $1 AND until >= now() ORDER BY number LIMIT 10000",
      {run_});
  std::vector<WorkerInfo> workers;
  for (int row = 0; row < rows.size(); ++row)
    workers.push_back({.name = printable(rows.bytes(row, 0)),
                       .processes = static_cast<std::uint64_t>(rows.number(row, 1)),
                       .idle = static_cast<std::uint64_t>(rows.number(row, 2)),
                       .executions = static_cast<std::uint64_t>(rows.number(row, 3)),
                       .since = rows.number(row, 4),
                       .seen = rows.number(row, 5),
                       .claims = rows.number(row, 6)});
  return workers;
}

std::uint64_t PostgresTransaction::idle() {
  const Rows rows = connection_.run(
      "SELECT coalesce(sum(idle), 0)::bigint FROM mazur.worker WHERE run = $1 AND until >= now()",
      {run_});
  return static_cast<std::uint64_t>(rows.number(0, 0));
}

std::vector<std::uint64_t> PostgresTransaction::claims_of(std::uint32_t worker) {
  const std::int64_t first = std::int64_t{worker} << 32;
  const Rows rows = connection_.run(
      "SELECT claim FROM mazur.item WHERE run = $1 AND state = 1 AND claim >= $2 AND claim < $3",
      {run_, first, first + (std::int64_t{1} << 32)});
  std::vector<std::uint64_t> claims;
  for (int row = 0; row < rows.size(); ++row)
    claims.push_back(static_cast<std::uint64_t>(rows.number(row, 0)));
  return claims;
}

#undef LEASE

}  // namespace mazur
