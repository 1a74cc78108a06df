// Whatever random workers do, on every store the result is that of one explorer.
#include "executions.h"

#include <gtest/gtest.h>

#include "random_workers.h"

namespace mazur::test {
namespace {

class ExecutionsTest : public RandomWorkers {};

TEST_P(ExecutionsTest, WhateverWorkersDoTheResultIsThatOfOne) {
  Incidents incidents;
  for (std::uint64_t seed = 0; seed < rounds(600); ++seed) {
    RandomSource random(seed, 3);
    const Executions program{.size = random.below(GetParam() == Kind::kPostgres ? 100u : 400u),
                             .seed = seed,
                             .keep_going = random.below(2) == 0,
                             .one_fails_of = 10 + random.below(400)};
    const auto ledger = explore(program, random, incidents);
    const Ledger::Result result = ledger->result();
    EXPECT_EQ(found_in(result), program.all()) << "seed " << seed;
    EXPECT_EQ(result.verdict, program.all().first.empty() ? Verdict::kVerified : Verdict::kBug);
    // Whoever comes later is told the same.
    if (is_durable()) {
      EXPECT_EQ(found_in(join()->result()), program.all()) << seed;
    }
  }
  EXPECT_GT(incidents.late, 0u);
  EXPECT_EQ(incidents.others > 0, is_durable());
  EXPECT_GT(incidents.begun_again, 0u);
}

// Each piece is split off the last one: keys grow until all are numbered anew.
TEST_P(ExecutionsTest, PiecesOfPiecesOfPieces) {
  const auto ledger = begin(false, false);
  std::vector<Claim> waiting;
  std::uint64_t finished = 0;
  Claim claim = *ledger->claim();
  for (int depth = 0; depth < 150; ++depth) {
    SliceEnd end;
    end.paused = true;
    end.verdict = Verdict::kIncomplete;
    end.tally.complete = 1;
    end.pieces = {"shallow " + std::to_string(depth), "deep"};
    ledger->finish(claim, end, {});
    waiting.push_back(*ledger->claim());
    EXPECT_EQ(waiting.back().offer.piece, end.pieces[0]);
    claim = *ledger->claim();
    EXPECT_EQ(claim.offer.piece, "deep");
    ++finished;
  }
  // The deepest one fails, so it is the last one in the order.
  SliceEnd bug;
  bug.verdict = Verdict::kBug;
  bug.tally.complete = 1;
  FoundError error{.place = 7};
  error.record.execution = 1;
  ledger->finish(claim, bug, {error});
  SliceEnd end;
  end.verdict = Verdict::kVerified;
  end.tally.complete = 1;
  for (const Claim& one : waiting) {
    EXPECT_FALSE(ledger->is_over());
    ledger->finish(one, end, {});
    ++finished;
  }
  const Ledger::Result result = ledger->result();
  EXPECT_EQ(result.tally.complete, finished + 1);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].record.execution, finished + 1);
}

INSTANTIATE_TEST_SUITE_P(Stores, ExecutionsTest, kAllStores, test_name);

}  // namespace
}  // namespace mazur::test
