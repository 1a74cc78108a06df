// A ledger on a server that goes down, is cut off, or is not what one hopes for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <thread>

#include "executions.h"
#include "postgres_server.h"
#include "stores.h"
#include "work/postgres/connection.h"

namespace mazur::test {
namespace {

class PostgresTest : public OnStore {
 protected:
  static PostgresServer& server() { return PostgresServer::shared(); }
  static std::string refusal(const std::string& place, Opening opening = Opening::kCreate) {
    try {
      Ledger ledger(open_store(place, opening), RunFacts{});
    } catch (const LedgerError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos) << error.what();
      return error.what();
    }
    return "";
  }
  static void expect(const std::string& why, const std::string& part) {
    EXPECT_NE(why.find(part), std::string::npos) << "'" << why << "' has no '" << part << "'";
  }

  // Several work, and meanwhile something happens, again and again.
  void disturb(unsigned times, const std::function<void()>& disturbance) {
    const Executions program{.size = 3000, .seed = 8, .keep_going = true};
    const auto ledger = begin(true, false);
    std::atomic<bool> over{false};
    // Nobody gets far while something happens: there has to be something to do all the time.
    constexpr std::uint64_t kBetween = 15, kMeanwhile = 15;
    std::atomic<std::uint64_t> slices{0}, most{kBetween + kMeanwhile};
    // All have come before something happens: who finds no server does not begin.
    std::vector<decltype(join())> ledgers;
    for (unsigned i = 0; i < 3; ++i) ledgers.push_back(join());
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < 3; ++i)
      workers.emplace_back([&, i] {
        const auto& mine = ledgers[i];
        RandomSource random(i, 5);
        while (!mine->is_over()) {
          while (slices >= most) usleep(200);
          const auto claim = mine->claim();
          if (!claim) continue;
          Slice slice = program.explore(claim->offer.piece, random);
          mine->finish(*claim, slice.end, slice.errors);
          ++slices;
        }
        over = true;
      });
    unsigned disturbed = 0;
    while (disturbed < times && !over) {
      const std::uint64_t next = slices + kBetween;
      most = next + kMeanwhile;
      while (slices < next && !over) usleep(500);
      if (over) break;
      disturbance();
      ++disturbed;
    }
    most = std::numeric_limits<std::uint64_t>::max();
    // What was claimed by an attempt that nobody knows to have been committed.
    while (!over) {
      usleep(100'000);
      try {
        server().execute("UPDATE mazur.worker SET until = '-infinity'");
      } catch (const std::exception&) {
      }
    }
    workers.clear();
    EXPECT_EQ(disturbed, times);
    EXPECT_EQ(found_in(ledger->result()), program.all());
  }
};

TEST_P(PostgresTest, AServerThatIsKilledAndComesBack) {
  disturb(4, [] {
    server().kill();
    server().start();
  });
}

TEST_P(PostgresTest, ConnectionsThatAreCut) {
  disturb(20, [] { server().cut_connections(); });
}

TEST_P(PostgresTest, WhatIsNotThereIsSaidInASentence) {
  const std::string nowhere = "postgresql://mazur@/postgres?host=/nonexistent";
  expect(refusal(nowhere), "cannot be reached");
  expect(refusal("postgresql://mazur@/absent" + server().url().substr(server().url().find('?'))),
         "database \"absent\" does not exist");
  expect(refusal(server().url() + "#absent", Opening::kJoin), "there is no");
  expect(refusal(server().url() + "#absent", Opening::kLook), "there is no");
  expect(refusal(server().url() + "#../x"), "the name of a run");
  expect(refusal("postgresql://user:secret@host/db"), "PGPASSWORD");
  expect(refusal("postgresql://host/db?password=secret"), "PGPASSWORD");
  expect(refusal("postgresql://user:secret@host:port:/db?x=secret"), "makes no sense");
  setenv("PGPASSWORD", "secret", 1);
  expect(refusal(nowhere), "cannot be reached");
  unsetenv("PGPASSWORD");
}

TEST_P(PostgresTest, AServerThatGoesAwayForGood) {
  begin(false, false);
  std::atomic<bool> enough{false};
  StoreOptions options{.gives_up = [&] { return enough.load(); }};
  Ledger ledger(open_store(place(), Opening::kJoin, options));
  const auto first = ledger.claim();
  ASSERT_TRUE(first);
  server().kill();
  enough = true;
  EXPECT_THROW(ledger.claim(), LedgerError);
  server().start();
  enough = false;
  // The server may have forgotten the claim: then the piece is open again, and this is too late.
  const auto again = ledger.claim();
  SliceEnd end;
  end.verdict = Verdict::kVerified;
  end.tally.complete = 3;
  ledger.finish(*first, end, {});
  if (again) ledger.finish(*again, end, {});
  EXPECT_TRUE(ledger.is_over());
  EXPECT_EQ(ledger.result().tally.complete, 3u);
}

TEST_P(PostgresTest, OtherVersionsAndRights) {
  const auto ledger = begin(false, false);
  server().execute("CREATE ROLE guest LOGIN");
  server().execute("REVOKE CREATE ON DATABASE postgres FROM PUBLIC");
  const std::string guest = server().url("guest") + "#guests";
  expect(refusal(guest), "no rights");
  server().execute("GRANT USAGE ON SCHEMA mazur TO guest");
  server().execute("GRANT SELECT ON ALL TABLES IN SCHEMA mazur TO guest");
  expect(refusal(guest), "no rights");
  // Who may only read can look.
  const std::string run = place().substr(place().find('#'));
  Ledger look(open_store(server().url("guest") + run, Opening::kLook));
  EXPECT_EQ(look.overview().totals.open, 1u);
  server().execute("UPDATE mazur.format SET version = 3");
  expect(refusal(place()), "another version");
  server().execute("UPDATE mazur.format SET version = 2");
  EXPECT_TRUE(ledger->claim());
  server().execute("DROP OWNED BY guest");
  server().execute("DROP ROLE guest");

  server().execute("ALTER SCHEMA mazur RENAME TO elsewhere");
  expect(refusal(place(), Opening::kJoin), "there is no ledger");
  server().execute("CREATE SCHEMA mazur CREATE TABLE something (x int)");
  expect(refusal(place()), "is not Mazur's");
  server().execute("DROP SCHEMA mazur CASCADE");
  server().execute("ALTER SCHEMA elsewhere RENAME TO mazur");
  EXPECT_EQ(ledger->overview().totals.claimed, 1u);
}

// A ledger on a server that says something else than a ledger would.
TEST_P(PostgresTest, AnswersWithoutSense) {
  const auto ledger = begin(false, false);
  for (const char* change : {"UPDATE mazur.item SET state = 0, next_child = -1",
                             "UPDATE mazur.item SET next_child = 0, "
                             "deaths = 5000000000",
                             "UPDATE mazur.item SET deaths = 0, piece = 'short'",
                             "UPDATE mazur.run SET state = 'nonsense'"}) {
    server().execute(change);
    EXPECT_THROW(ledger->claim(), LedgerError) << change;
  }
  server().execute("ALTER TABLE mazur.item ALTER deaths TYPE text");
  begin(false, false);
  EXPECT_THROW(join()->claim(), LedgerError);
  server().execute("ALTER TABLE mazur.item ALTER deaths TYPE bigint USING 0");
}

// Runs in one database know nothing of each other.
TEST_P(PostgresTest, RunsBesideEachOther) {
  const auto one = begin(false, false), other = begin(false, false);
  const auto claim = one->claim();
  ASSERT_TRUE(claim);
  EXPECT_TRUE(other->claim());
  SliceEnd end;
  end.verdict = Verdict::kVerified;
  end.tally.complete = 3;
  one->finish(*claim, end, {});
  EXPECT_TRUE(one->is_over());
  EXPECT_FALSE(other->is_over());
  EXPECT_EQ(other->overview().totals.tally.complete, 0u);
}

INSTANTIATE_TEST_SUITE_P(Stores, PostgresTest, testing::Values(Kind::kPostgres), test_name);

}  // namespace
}  // namespace mazur::test
