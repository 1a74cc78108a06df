// What a durable ledger is for: a run goes on where it was, whoever joins it, and says the same when
// it is over.
#include <gtest/gtest.h>

#include <limits>

#include "executions.h"
#include "stores.h"
#include "work/run_state.h"

namespace mazur::test {
namespace {

class RunsTest : public OnStore {};
class AnyRunTest : public OnStore {};

SliceEnd done(std::uint64_t executions, std::vector<std::string> pieces = {}) {
  SliceEnd end;
  end.verdict = pieces.empty() ? Verdict::kVerified : Verdict::kIncomplete;
  end.paused = !pieces.empty();
  end.tally.complete = executions;
  end.pieces = std::move(pieces);
  return end;
}

std::uint64_t closed_items(LedgerStore& store) {
  std::uint64_t closed = 0;
  store.transact(LedgerStore::Access::kExclusive, [&](LedgerTransaction& t) {
    t.visit(std::nullopt,
            [&](const ItemRow& item) { closed += item.state == ItemState::kClosed ? 1 : 0; });
  });
  return closed;
}

TEST_P(RunsTest, AnInterruptedRunGoesOnWhereItWas) {
  {
    const auto ledger = begin(true, false);
    ledger->finish(*ledger->claim(), done(5, {"a", "b"}), {});
    const auto a = ledger->claim();
    ledger->interrupt(Verdict::kIncomplete, "it was interrupted", {});
    EXPECT_TRUE(ledger->is_over());
    EXPECT_FALSE(ledger->is_useful(*a));
    EXPECT_FALSE(ledger->claim());
    EXPECT_EQ(ledger->result().verdict, Verdict::kIncomplete);
    EXPECT_EQ(ledger->result().reason, "it was interrupted");
    EXPECT_EQ(ledger->result().tally.complete, 5u);
    EXPECT_FALSE(ledger->result().finished);
  }
  const auto ledger = join();
  EXPECT_EQ(ledger->facts().terms, "terms");
  EXPECT_TRUE(ledger->facts().keep_going);
  EXPECT_FALSE(ledger->is_over());
  EXPECT_EQ(ledger->totals().open, 2u);  // who leaves gives back what it has
  ledger->finish(*ledger->claim(), done(1), {});
  ledger->finish(*ledger->claim(), done(1), {});
  EXPECT_TRUE(ledger->is_over());
  EXPECT_EQ(ledger->result().verdict, Verdict::kVerified);
  EXPECT_EQ(join()->result().tally.complete, 7u);
  EXPECT_TRUE(join()->result().finished);
}

TEST_P(RunsTest, WhatWasToldToStopIsNotDone) {
  const auto ledger = begin(true, false);
  SliceEnd end = done(3);
  end.stopped = true;
  end.cuts = 1u << static_cast<unsigned>(Cut::kTimeLimit);
  ledger->finish(*ledger->claim(), end, {});
  EXPECT_EQ(ledger->totals().tally.complete, 0u);
  EXPECT_EQ(ledger->totals().open, 1u);
  ledger->finish(*ledger->claim(), done(4), {});
  EXPECT_EQ(ledger->result().verdict, Verdict::kVerified);
  EXPECT_EQ(ledger->result().tally.complete, 4u);
}

TEST_P(RunsTest, WhatIsNotOverIsNoProof) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(5, {"a"}), {});
  EXPECT_EQ(ledger->result().verdict, Verdict::kIncomplete);
  EXPECT_FALSE(ledger->result().finished);
}

TEST_P(RunsTest, AStopIsForEverybody) {
  const auto one = begin(false, false), other = join();
  Record record;
  record.kind = FailureKind::kUnsupported;
  record.message = "it crashed";
  one->stop(Verdict::kUnsupported, "the program crashed", {}, {record});
  EXPECT_FALSE(other->claim());
  EXPECT_TRUE(other->is_over());
  const Ledger::Result result = join()->result();
  EXPECT_EQ(result.verdict, Verdict::kUnsupported);
  EXPECT_EQ(result.reason, "the program crashed");
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.records[0].message.text, "it crashed");
}

TEST_P(RunsTest, TwoWhoFinishTheSamePieceCountOnce) {
  const auto one = begin(false, false), other = join();
  const auto claim = one->claim();
  EXPECT_TRUE(other->finish(*claim, done(5, {"a", "b"}), {}));
  EXPECT_TRUE(one->finish(*claim, done(5, {"a", "b"}), {}));
  EXPECT_EQ(one->overview().totals.tally.complete, 5u);
  EXPECT_EQ(one->overview().totals.open, 2u);
}

TEST_P(RunsTest, WhoLosesItsLeaseComesTooLate) {
  const auto holder = begin(false, false), sleeper = join(0);
  const auto mine = sleeper->claim();
  ASSERT_TRUE(mine);
  const auto taken = holder->claim();
  ASSERT_TRUE(taken);
  EXPECT_NE(taken->number, mine->number);
  EXPECT_TRUE(sleeper->finish(*mine, done(9, {"x"}), {}));
  EXPECT_FALSE(sleeper->is_useful(*mine));
  EXPECT_EQ(sleeper->release(*mine), 0u);
  EXPECT_TRUE(holder->is_useful(*taken));
  holder->finish(*taken, done(4, {"y"}), {});
  // It goes on all the same, with something else.
  const auto next = sleeper->claim();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->offer.piece, "y");
  sleeper->finish(*next, done(1), {});
  EXPECT_EQ(holder->result().tally.complete, 5u);
}

TEST_P(RunsTest, ARenewedLeaseHolds) {
  const auto ledger = begin(false, false), worker = join(1000);
  const auto claim = worker->claim();
  worker->renew({.name = "here\x1b[2J", .processes = 3, .idle = 2, .executions = 17});
  EXPECT_EQ(ledger->claim(), std::nullopt);
  EXPECT_TRUE(worker->is_useful(*claim));
  const Ledger::Overview overview = ledger->overview();
  EXPECT_EQ(overview.totals.claimed, 1u);
  bool seen = false;
  for (const WorkerInfo& info : overview.workers) {
    if (info.processes != 3) continue;
    seen = true;
    EXPECT_EQ(info.idle, 2u);
    EXPECT_EQ(info.executions, 17u);
    EXPECT_EQ(info.claims, 1);
  }
  EXPECT_TRUE(seen);
  ledger->renew({.name = "there", .processes = 1, .idle = 1});
  EXPECT_EQ(ledger->wanted(), 3u);  // nothing is open, and three wait
}

TEST_P(RunsTest, WhatLooksChangesNothing) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(5, {"a", "b"}), {});
  Ledger look(open_store(place(), Opening::kLook));
  EXPECT_EQ(look.overview().totals.tally.complete, 5u);
  EXPECT_EQ(look.overview().totals.open, 2u);
  EXPECT_THROW(look.claim(), LedgerError);
  EXPECT_EQ(ledger->overview().totals.open, 2u);
}

TEST_P(RunsTest, OtherFactsDoNotChangeARun) {
  begin(false, false);
  Ledger again(open_store(place(), Opening::kCreate),
               {.terms = "others", .keep_going = true, .first = true});
  EXPECT_EQ(again.facts().terms, "terms");
  EXPECT_FALSE(again.facts().keep_going);
}

TEST_P(AnyRunTest, WhatProcessesHaveNoticedStays) {
  const auto ledger = begin(false, false);
  SliceEnd end = done(1, {"a", "b"});
  end.remarks.has_sequential_objects = true;
  end.remarks.called.push_back({.module = {1, 2, 3, "/lib/a.so"}, .callers = {4, 5}});
  Record note;
  note.message = "weak-operations";
  note.events.resize(1);
  note.event_stacks = {{10}};
  end.remarks.notes.push_back(note);
  ledger->finish(*ledger->claim(), end, {});
  end.pieces.clear();
  end.paused = false;
  end.verdict = Verdict::kVerified;
  end.remarks = {.has_unexplored_wakeups = true};
  end.remarks.called.push_back({.module = {7, 8, 9, ""}, .callers = {}});
  note.event_stacks = {{11}};
  end.remarks.notes.push_back(note);
  ledger->finish(*ledger->claim(), end, {});
  // What does not count has been seen all the same.
  end.outdated = true;
  end.remarks = {};
  end.remarks.called.push_back({.module = {1, 2, 3, "/lib/b.so"}, .callers = {}});
  ledger->finish(*ledger->claim(), end, {});
  ledger->finish(*ledger->claim(), done(2), {});
  const Remarks remarks = ledger->result().remarks;
  EXPECT_TRUE(remarks.has_sequential_objects);
  EXPECT_TRUE(remarks.has_unexplored_wakeups);
  ASSERT_EQ(remarks.called.size(), 3u);
  EXPECT_EQ(remarks.called[0].module.path, "/lib/a.so");
  EXPECT_EQ(remarks.called[0].callers, (std::vector<std::uint64_t>{4, 5}));
  EXPECT_EQ(remarks.called[2].module.path, "/lib/b.so");
  ASSERT_EQ(remarks.notes.size(), 1u);
  EXPECT_EQ(remarks.notes[0].event_stacks.size(), 2u);
}

TEST_P(AnyRunTest, SmallThings) {
  const auto ledger = begin(false, false);
  const std::string bytes("\0\1\xff", 3), large(3'000'000, 'x');
  EXPECT_TRUE(ledger->put("file/1", bytes));
  EXPECT_FALSE(ledger->put("file/1", "other"));
  EXPECT_EQ(ledger->get("file/1"), bytes);
  EXPECT_TRUE(ledger->put("file/2", large));
  EXPECT_EQ(ledger->get("file/2"), large);
  ledger->replace("replaced", bytes);
  ledger->replace("replaced", "other");
  EXPECT_EQ(ledger->get("replaced"), "other");
  EXPECT_TRUE(ledger->put("report/1", ""));
  EXPECT_EQ(ledger->get("report/1"), "");
  EXPECT_EQ(ledger->get("report/2"), std::nullopt);
  SliceEnd outdated;
  outdated.outdated = true;
  ledger->finish(*ledger->claim(), outdated, {});
  EXPECT_EQ(ledger->get("report/1"), std::nullopt);
  EXPECT_EQ(ledger->get("file/1"), bytes);
}

TEST_P(AnyRunTest, WhatIsExploredIsAddedUp) {
  const auto ledger = begin(true, false);
  SliceEnd end = done(5, {"a", "b"});
  end.explored = 0.25;
  ledger->finish(*ledger->claim(), end, {});
  EXPECT_EQ(ledger->overview().totals.explored, 0.25);
  end = done(5);
  end.explored = 0.5;
  ledger->finish(*ledger->claim(), end, {});
  EXPECT_EQ(ledger->overview().totals.explored, 0.75);
  // No part of anything, if a program has written into the memory that it shares with Mazur.
  end = done(5, {"c"});
  for (const double nonsense : {-1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    end.explored = nonsense;
    ledger->finish(*ledger->claim(), end, {});
  }
  EXPECT_EQ(ledger->overview().totals.explored, 0.75);
  SliceEnd outdated;
  outdated.outdated = true;
  ledger->finish(*ledger->claim(), outdated, {});
  EXPECT_EQ(ledger->overview().totals.explored, 0);
}

// As many closed items as there were pieces would be a burden.
TEST_P(RunsTest, ClosedNeighboursBecomeOne) {
  const auto ledger = begin(false, false);
  std::vector<std::string> pieces(40, "x");
  ledger->finish(*ledger->claim(), done(1, pieces), {});
  std::vector<Claim> claims;
  for (int i = 0; i < 40; ++i) claims.push_back(*ledger->claim());
  const auto store = open();
  for (int i = 0; i < 40; i += 2) ledger->finish(claims[i], done(1), {});
  EXPECT_EQ(closed_items(*store), 20u);
  for (int i = 1; i < 39; i += 2) ledger->finish(claims[i], done(1), {});
  EXPECT_EQ(closed_items(*store), 1u);
  ledger->finish(claims[39], done(1), {});
  EXPECT_EQ(ledger->result().tally.complete, 41u);
}

// Somebody has taken an item away, or a tally.
TEST_P(RunsTest, WhatDoesNotAddUpIsNoResult) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(5, {"a", "b"}), {});
  open()->transact(LedgerStore::Access::kExclusive, [](LedgerTransaction& t) {
    const auto item = t.first_open();
    t.erase(item->key);
  });
  ledger->finish(*ledger->claim(), done(5), {});
  EXPECT_THROW(ledger->result(), LedgerError);
}

TEST_P(RunsTest, DamagedBytesAreRefused) {
  const auto ledger = begin(false, false);
  const auto damage = [&](auto change) {
    open()->transact(LedgerStore::Access::kExclusive, [&](LedgerTransaction& t) {
      auto item = t.first_open();
      change(*item);
      t.update(*item, LedgerTransaction::Write::kWithPiece);
    });
  };
  ledger->finish(*ledger->claim(), done(5, {"a piece", "b"}), {});
  damage([](ItemRow& item) { item.piece[2] ^= 1; });
  EXPECT_THROW(ledger->claim(), LedgerError);
  EXPECT_EQ(ledger->overview().totals.open, 2u);
  damage([](ItemRow& item) { item.piece[2] ^= 1; });
  const auto claim = ledger->claim();
  ASSERT_TRUE(claim);
  ledger->release(*claim);
  damage([](ItemRow& item) { item.results[0] ^= 1; });
  EXPECT_THROW(ledger->result(), LedgerError);
  open()->transact(LedgerStore::Access::kExclusive, [](LedgerTransaction& t) {
    std::string run = *t.run();
    run[run.size() / 2] ^= 4;
    t.set_run(run);
  });
  EXPECT_THROW(join(), LedgerError);
}

// With a good checksum, by mistake or on purpose.
TEST(RunState, BytesThatMakeNoSense) {
  RunState run{.facts = {.terms = "terms"}, .reason = "why"};
  run.known.parents = {0, 0, 1};
  run.remarks.called.push_back({.module = {1, 2, 3, "/lib/a.so"}, .callers = {4, 5}});
  run.records.resize(1);
  ItemResults results{.tally = {.complete = 3}, .errors = {{.place = 9}}, .reason = "why"};
  RandomSource random(1, 1);
  unsigned refused = 0;
  constexpr unsigned kRounds = 4000;
  for (unsigned i = 0; i < kRounds; ++i) {
    const bool of_run = random.below(2) == 0;
    std::string bytes = unseal(of_run ? encode(run) : encode(results), "x");
    for (unsigned n = random.below(3) + 1; n > 0; --n)
      bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] =
          static_cast<char>(random.next());
    if (random.below(4) == 0) bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
    try {
      if (of_run)
        decode_run(seal(bytes), "x");
      else
        decode_results(seal(bytes), "x");
    } catch (const LedgerError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, kRounds / 4);
  EXPECT_EQ(decode_run(encode(run), "x").facts.terms, "terms");
  EXPECT_EQ(decode_results(encode(results), "x").errors[0].place, 9u);
  EXPECT_THROW(decode_run("short", "x"), LedgerError);
}

TEST_P(RunsTest, WhatFailsHasNotHappened) {
  const auto ledger = begin(false, false);
  const auto store = open();
  EXPECT_THROW(store->transact(LedgerStore::Access::kExclusive,
                               [](LedgerTransaction& t) {
                                 t.clear();
                                 t.set_run("nothing");
                                 throw LedgerError("no");
                               }),
               LedgerError);
  EXPECT_TRUE(ledger->claim());
}

INSTANTIATE_TEST_SUITE_P(Stores, RunsTest, kDurableStores, test_name);
INSTANTIATE_TEST_SUITE_P(Stores, AnyRunTest, kAllStores, test_name);

}  // namespace
}  // namespace mazur::test
