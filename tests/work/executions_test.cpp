// Random workers that split, die, lose their leases, come too late and know better: on every store
// the result is that of one explorer.
#include "executions.h"

#include <gtest/gtest.h>

#include "stores.h"

namespace mazur::test {
namespace {

class ExecutionsTest : public OnStore {};

// A worker with what it has claimed.
struct Hand {
  std::unique_ptr<Ledger> ledger;
  std::vector<Claim> claims;
};

Claim take(std::vector<Claim>& claims, RandomSource& random) {
  const std::size_t which = random.below(static_cast<std::uint32_t>(claims.size()));
  const Claim claim = claims[which];
  claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(which));
  return claim;
}

TEST_P(ExecutionsTest, WhateverWorkersDoTheResultIsThatOfOne) {
  std::uint64_t late = 0, stolen = 0, begun_again = 0;
  for (std::uint64_t seed = 0; seed < rounds(600); ++seed) {
    RandomSource random(seed, 3);
    const Executions program{.size = random.below(GetParam() == Kind::kPostgres ? 100u : 400u),
                             .seed = seed,
                             .keep_going = random.below(2) == 0,
                             .one_fails_of = 10 + random.below(400)};
    // The first one holds what it has; the others lose it as soon as somebody else claims something.
    std::vector<Hand> hands(1);
    hands[0].ledger = begin(program.keep_going, false);
    if (is_durable())
      for (int i = 0; i < 2; ++i) hands.push_back({join(0), {}});
    std::vector<Claim> old;  // finished or given back
    bool may_begin_again = random.below(4) == 0;
    while (!hands[0].ledger->is_over()) {
      Hand& hand = hands[random.below(static_cast<std::uint32_t>(hands.size()))];
      if (hand.claims.size() < 4 && (hand.claims.empty() || random.below(2) == 0)) {
        if (hand.ledger->totals().open == 0 && hand.ledger->totals().claimed > 0 &&
            !hand.claims.empty())
          continue;
        if (auto claim = hand.ledger->claim()) hand.claims.push_back(*std::move(claim));
        continue;
      }
      if (hand.claims.empty()) continue;
      const Claim claim = take(hand.claims, random);
      const std::uint32_t what = random.below(20);
      if (what == 0) {
        hand.ledger->release(claim, Ledger::Why::kDied);
      } else if (what == 1) {
        hand.ledger->release(claim, Ledger::Why::kStopped);
      } else if (what == 2 && !old.empty()) {
        // Too late: it has been finished before, perhaps by somebody else.
        const Claim before = old[random.below(static_cast<std::uint32_t>(old.size()))];
        Executions::Slice slice = program.explore(before.offer.piece, random);
        hand.ledger->finish(before, slice.end, slice.errors);
        hand.claims.push_back(claim);
        ++late;
        continue;
      } else if (what == 3 && may_begin_again) {
        SliceEnd end;
        end.outdated = true;
        hand.ledger->finish(claim, end, {});
        may_begin_again = false;
        ++begun_again;
      } else {
        Executions::Slice slice = program.explore(claim.offer.piece, random);
        if (is_durable() && !hand.ledger->overview().over) stolen += &hand != &hands[0] ? 1 : 0;
        hand.ledger->finish(claim, slice.end, slice.errors);
      }
      old.push_back(claim);
    }
    const Ledger::Result result = hands[0].ledger->result();
    EXPECT_EQ(Executions::of(result), program.all()) << "seed " << seed;
    EXPECT_EQ(result.verdict, program.all().first.empty() ? Verdict::kVerified : Verdict::kBug);
    // Whoever comes later is told the same.
    if (is_durable()) {
      EXPECT_EQ(Executions::of(join()->result()), program.all()) << seed;
    }
  }
  EXPECT_GT(late, 0u);
  EXPECT_EQ(stolen > 0, is_durable());
  EXPECT_GT(begun_again, 0u);
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
