// The ledger of several workers: whatever they do when, the result is that of one explorer.
#include "work/ledger.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random_source.h"
#include "stores.h"

namespace mazur::test {
namespace {

class LedgerTest : public OnStore {};

SliceEnd done(std::uint64_t executions, std::vector<std::string> pieces = {}) {
  SliceEnd end;
  end.verdict = pieces.empty() ? Verdict::kVerified : Verdict::kIncomplete;
  end.paused = !pieces.empty();
  end.tally.complete = executions;
  end.pieces = std::move(pieces);
  return end;
}

FoundError error(std::uint64_t place, std::uint64_t execution) {
  FoundError found{.place = place, .record = {}};
  found.record.kind = FailureKind::kAssertion;
  found.record.execution = execution;
  return found;
}

TEST_P(LedgerTest, TheWholeProgramIsTheFirstPiece) {
  const auto ledger = begin(false, false);
  const auto claim = ledger->claim();
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->offer.piece, "");
  EXPECT_FALSE(ledger->claim());
  EXPECT_FALSE(ledger->is_over());
  EXPECT_TRUE(ledger->finish(*claim, done(7), {}));
  EXPECT_TRUE(ledger->is_over());
  EXPECT_EQ(ledger->result().verdict, Verdict::kVerified);
  EXPECT_TRUE(ledger->result().finished);
  EXPECT_EQ(ledger->result().tally.complete, 7u);
}

TEST_P(LedgerTest, WhatIsLeftTakesThePlaceOfItsPiece) {
  const auto ledger = begin(false, false);
  const auto whole = ledger->claim();
  ledger->finish(*whole, done(1, {"a", "b", "c"}), {});
  const auto a = ledger->claim(), b = ledger->claim();
  EXPECT_EQ(a->offer.piece, "a");
  EXPECT_EQ(b->offer.piece, "b");
  ledger->finish(*a, done(10, {"a1", "a2"}), {});
  EXPECT_EQ(ledger->claim()->offer.piece, "a1");
  EXPECT_EQ(ledger->claim()->offer.piece, "a2");
  EXPECT_EQ(ledger->claim()->offer.piece, "c");
}

TEST_P(LedgerTest, TimeThatOneLooksAtAndAnotherLeavesOutIsNoProof) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(1, {"a", "b"}), {});
  SliceEnd looks = done(2), leaves_out = done(3);
  looks.known.time_is_seen = true;
  leaves_out.known.time_left_out = true;
  ledger->finish(*ledger->claim(), looks, {});
  EXPECT_FALSE(ledger->result().cuts.contains(Cut::kTime));
  ledger->finish(*ledger->claim(), leaves_out, {});
  EXPECT_EQ(ledger->result().verdict, Verdict::kIncomplete);
  EXPECT_TRUE(ledger->result().cuts.contains(Cut::kTime));
}

TEST_P(LedgerTest, TheErrorIsTheOneThatOneExplorerWouldHaveFoundFirst) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(1, {"a", "b", "c"}), {});
  const auto a = ledger->claim(), b = ledger->claim(), c = ledger->claim();
  SliceEnd bug = done(5);
  bug.verdict = Verdict::kBug;
  ledger->finish(*c, bug, {error(3, 5)});
  EXPECT_TRUE(ledger->is_useful(*b));
  ledger->finish(*b, bug, {error(2, 5)});
  EXPECT_FALSE(ledger->is_over());
  ledger->finish(*a, done(100), {});
  EXPECT_TRUE(ledger->is_over());
  const Ledger::Result result = ledger->result();
  EXPECT_EQ(result.verdict, Verdict::kBug);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].place, 2u);
  EXPECT_EQ(result.errors[0].record.execution, 106u);
  EXPECT_EQ(result.tally.complete, 106u);
  EXPECT_FALSE(result.finished);
}

TEST_P(LedgerTest, NobodyWantsWhatComesAfterAnError) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(1, {"a", "b"}), {});
  const auto a = ledger->claim(), b = ledger->claim();
  SliceEnd bug = done(5);
  bug.verdict = Verdict::kBug;
  ledger->finish(*a, bug, {error(3, 5)});
  EXPECT_FALSE(ledger->is_useful(*b));
  EXPECT_TRUE(ledger->is_over());
  ledger->finish(*b, done(1000), {});
  EXPECT_EQ(ledger->result().tally.complete, 6u);
}

TEST_P(LedgerTest, WithFirstAnyErrorWillDo) {
  const auto ledger = begin(false, true);
  ledger->finish(*ledger->claim(), done(1, {"a", "b"}), {});
  const auto a = ledger->claim(), b = ledger->claim();
  SliceEnd bug = done(5);
  bug.verdict = Verdict::kBug;
  ledger->finish(*b, bug, {error(3, 5)});
  EXPECT_TRUE(ledger->is_over());
  EXPECT_EQ(ledger->result().verdict, Verdict::kBug);
}

TEST_P(LedgerTest, TheSameErrorIsListedOnceAndCounted) {
  const auto ledger = begin(true, false);
  ledger->finish(*ledger->claim(), done(1, {"a", "b"}), {});
  const auto a = ledger->claim(), b = ledger->claim();
  FoundError often = error(3, 2);
  often.record.count = 4;
  ledger->finish(*b, done(5), {often});
  ledger->finish(*a, done(5), {error(3, 4)});
  const Ledger::Result result = ledger->result();
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].record.count, 5u);
  EXPECT_EQ(result.errors[0].record.execution, 5u);
  EXPECT_EQ(result.tally.complete, 11u);
  EXPECT_TRUE(result.finished);
}

TEST_P(LedgerTest, APieceWhoseWorkerDiedIsOpenAgain) {
  const auto ledger = begin(false, false);
  const auto first = ledger->claim();
  EXPECT_EQ(ledger->release(*first), 1u);
  const auto second = ledger->claim();
  ASSERT_TRUE(second);
  EXPECT_TRUE(ledger->finish(*first, done(3), {}));  // too late: it counts for nothing
  EXPECT_EQ(ledger->totals().tally.complete, 0u);
  EXPECT_EQ(ledger->release(*second), 2u);
}

TEST_P(LedgerTest, OtherNumbersOfThreadsAreOfNoUse) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(1, {"a", "b"}), {});
  const auto a = ledger->claim(), b = ledger->claim();
  SliceEnd left = done(2), right = done(2);
  left.known.parents = {0, 0, 1};
  right.known.parents = {0, 0, 2};
  EXPECT_TRUE(ledger->finish(*a, left, {}));
  EXPECT_FALSE(ledger->finish(*b, right, {}));
  const auto again = ledger->claim();
  EXPECT_EQ(again->offer.piece, "b");
  EXPECT_EQ(again->offer.known.parents, left.known.parents);
}

TEST_P(LedgerTest, WhatEverybodyRefusesIsGivenUp) {
  const auto ledger = begin(false, false);
  SliceEnd refused;
  refused.refused = true;
  unsigned times = 0;
  for (; !ledger->is_over() && times < 1000; ++times)
    EXPECT_FALSE(ledger->finish(*ledger->claim(), refused, {}));
  EXPECT_LT(times, 1000u);
  EXPECT_EQ(ledger->result().verdict, Verdict::kUnsupported);
}

TEST_P(LedgerTest, NothingCountsOfWhatIsOutdated) {
  const auto ledger = begin(true, false);
  ledger->finish(*ledger->claim(), done(1, {"a", "b"}), {error(1, 1)});
  const auto a = ledger->claim(), b = ledger->claim();
  SliceEnd outdated = done(2);
  outdated.outdated = true;
  outdated.known.looked_at = {5};
  ledger->finish(*a, outdated, {});
  EXPECT_FALSE(ledger->is_useful(*b));
  const auto whole = ledger->claim();
  EXPECT_EQ(whole->offer.piece, "");
  EXPECT_NE(whole->beginning, b->beginning);
  EXPECT_EQ(whole->offer.known.looked_at, std::vector<std::uint64_t>{5});
  ledger->finish(*b, done(50), {});
  SliceEnd all = done(9);
  all.known = whole->offer.known;
  ledger->finish(*whole, all, {});
  EXPECT_EQ(ledger->result().tally.complete, 9u);
  EXPECT_TRUE(ledger->result().errors.empty());
}

TEST(SharedKnowledge, WhatOneHasReliedOnAnotherMustNotHaveSeen) {
  SharedKnowledge known, judged, seen;
  judged.relied_on_rest = true;
  seen.looked_at = {9};
  EXPECT_EQ(merge(known, judged), Fit::kGood);
  EXPECT_EQ(merge(known, seen), Fit::kOutdated);
  EXPECT_FALSE(known.relied_on_rest);

  SharedKnowledge other_way;
  EXPECT_EQ(merge(other_way, seen), Fit::kGood);
  EXPECT_EQ(merge(other_way, judged), Fit::kOutdated);

  SharedKnowledge both;
  judged.looked_at = {9};
  EXPECT_EQ(merge(both, judged), Fit::kGood);
  EXPECT_EQ(merge(both, seen), Fit::kGood);
}

TEST(SharedKnowledge, AMutexOfStdLockMustNotBeTriedByAnother) {
  SharedKnowledge known, inside, outside;
  inside.locks = {4, 7};
  outside.tried = {7};
  EXPECT_EQ(merge(known, inside), Fit::kGood);
  EXPECT_EQ(merge(known, outside), Fit::kOutdated);
  EXPECT_TRUE(known.locks_given_up);
  EXPECT_EQ(merge(known, inside), Fit::kGood);
}

TEST_P(LedgerTest, WhatWasStoppedIsNoProof) {
  const auto ledger = begin(false, false);
  ledger->finish(*ledger->claim(), done(3, {"a"}), {});
  ledger->stop(Verdict::kIncomplete, "it was interrupted", {});
  EXPECT_TRUE(ledger->is_over());
  EXPECT_FALSE(ledger->claim());
  EXPECT_EQ(ledger->result().verdict, Verdict::kIncomplete);
  EXPECT_EQ(ledger->result().tally.complete, 3u);
}

TEST_P(LedgerTest, ACutIsNoProof) {
  const auto ledger = begin(false, false);
  SliceEnd cut = done(3);
  cut.verdict = Verdict::kIncomplete;
  Cuts cuts;
  cuts.add(Cut::kMaxSteps);
  cut.cuts = cuts.bits();
  ledger->finish(*ledger->claim(), cut, {});
  EXPECT_EQ(ledger->result().verdict, Verdict::kIncomplete);
  EXPECT_EQ(ledger->result().reason, "executions were cut by --max-steps");
}

// A tree whose leaves are executions, some of which fail. A piece is a node, by its number; the
// children of n are 3n + 1 to 3n + 3.
struct Tree {
  std::uint64_t nodes;
  std::uint64_t seed;
  bool is_leaf(std::uint64_t n) const { return 3 * n + 1 >= nodes; }
  bool fails(std::uint64_t n) const { return RandomSource(seed, n).below(9) == 0; }
};

// One explorer's way through it: executions and errors until the first, or all.
void walk(const Tree& tree, std::uint64_t n, bool keep_going, std::uint64_t& executions,
          std::map<std::uint64_t, std::uint64_t>& errors) {
  if (!keep_going && !errors.empty()) return;
  if (!tree.is_leaf(n)) {
    for (std::uint64_t c = 1; c <= 3 && 3 * n + c < tree.nodes; ++c)
      walk(tree, 3 * n + c, keep_going, executions, errors);
    return;
  }
  ++executions;
  if (tree.fails(n)) errors.emplace(n % 5, executions);
}

TEST_P(LedgerTest, RandomWorkersComeToTheSameResult) {
  for (std::uint64_t seed = 0; seed < rounds(400); ++seed) {
    RandomSource random(seed, 1);
    const Tree tree{.nodes = 1 + random.below(200), .seed = seed};
    const bool keep_going = random.below(2) == 0;
    std::uint64_t executions = 0;
    std::map<std::uint64_t, std::uint64_t> errors;
    walk(tree, 0, keep_going, executions, errors);

    const auto ledger = begin(keep_going, false);
    std::vector<Claim> claims;
    while (!ledger->is_over()) {
      const bool claimable = ledger->totals().open > 0 && claims.size() < 5;
      if (claimable && (claims.empty() || random.below(2) == 0)) {
        claims.push_back(*ledger->claim());
        continue;
      }
      ASSERT_FALSE(claims.empty());
      const std::size_t which = random.below(static_cast<unsigned>(claims.size()));
      const Claim claim = claims[which];
      claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(which));
      if (random.below(10) == 0) {
        ledger->release(claim);
        continue;
      }
      const std::uint64_t n = claim.offer.piece.empty() ? 0 : std::stoull(claim.offer.piece);
      SliceEnd end = done(tree.is_leaf(n) ? 1 : 0);
      std::vector<FoundError> found;
      if (tree.is_leaf(n) && tree.fails(n)) found.push_back(error(n % 5, 1));
      for (std::uint64_t c = 1; c <= 3 && 3 * n + c < tree.nodes; ++c)
        end.pieces.push_back(std::to_string(3 * n + c));
      end.paused = !end.pieces.empty();
      ledger->finish(claim, end, found);
    }
    const Ledger::Result result = ledger->result();
    EXPECT_EQ(result.tally.complete, executions) << seed;
    std::map<std::uint64_t, std::uint64_t> reported;
    for (const FoundError& e : result.errors) reported.emplace(e.place, e.record.execution);
    EXPECT_EQ(reported, errors) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, LedgerTest, kAllStores, test_name);

}  // namespace
}  // namespace mazur::test
