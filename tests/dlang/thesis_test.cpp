// The programs of the LazyPOR thesis: traces, and the executions of its comparison column.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "explored.h"

namespace mazur::dlang {
namespace {

std::string readers_writers(int threads) {
  return fmt::format("<{0}, x 1, l {1}> [x := 42] <{{{1} [ if l[$] == 0 if x == 0 ] }}>", threads,
                     threads - 1);
}

std::string indexer(int threads, int max, int factor) {
  return fmt::format(
      "<{0}, const max 1 {1}, const size 1 128, local m 1, local w 1, local h 1, table 128>"
      "<{{{0} [ indexer(max=max, size=size, m=m, w=w, h=h, target=table[h], nprocs={2}) ] }}>",
      threads, max, factor);
}

std::string branching(int threads) {
  return fmt::format(
      "<{0}, x {0}> <{{{0} [ if x[$] == 0 then {{ x[$ + 1 % {0}] := 1 }}"
      " if x[$] == 0 then {{ x[$ + 1 % {0}] := 1 }} ] }}>",
      threads);
}

std::uint64_t traces(const std::string& text) {
  const Explored e = explored(text);
  EXPECT_EQ(e.outcome.verdict, Verdict::kVerified) << e.outcome.reason;
  EXPECT_EQ(e.outcome.tally.blocked, 0u);
  return e.executions();
}

// The thesis' DPOR: without sleep sets, the lowest process first, and any two accesses to a
// location depend, as in Figure 5 of Flanagan and Godefroid's paper.
std::uint64_t classic(const std::string& text) {
  Exploration how;
  how.algorithm = "dpor";
  how.options.sleep_sets = false;
  how.options.pick = PickOrder::kLowest;
  how.machine.reads_conflict = true;
  return explored(text, how).executions();
}

TEST(Thesis, ReadersWriters) {
  for (int threads = 2; threads <= 14; ++threads)
    EXPECT_EQ(traces(readers_writers(threads)), 1u << (threads - 1)) << threads;
  EXPECT_EQ(classic(readers_writers(2)), 3u);
  EXPECT_EQ(classic(readers_writers(3)), 26u);
  EXPECT_EQ(classic(readers_writers(4)), 493u);
  EXPECT_EQ(classic(readers_writers(5)), 16559u);
}

TEST(Thesis, Indexer) {
  for (int threads : {1, 5, 11}) EXPECT_EQ(traces(indexer(threads, 4, 11)), 1u) << threads;
  EXPECT_EQ(traces(indexer(12, 4, 11)), 8u);
  EXPECT_EQ(traces(indexer(13, 4, 11)), 64u);
  EXPECT_EQ(traces(indexer(14, 4, 11)), 512u);
  EXPECT_EQ(classic(indexer(11, 4, 11)), 1u);
  EXPECT_EQ(classic(indexer(12, 4, 11)), 23u);
  EXPECT_EQ(classic(indexer(13, 4, 11)), 529u);
  EXPECT_EQ(classic(indexer(14, 4, 11)), 12167u);
}

TEST(Thesis, SmallIndexer) {
  EXPECT_EQ(traces(indexer(1, 2, 2)), 1u);
  for (int threads = 2; threads <= 12; ++threads) {
    EXPECT_EQ(traces(indexer(threads, 2, 2)), 1u << (threads - 2)) << threads;
    EXPECT_EQ(classic(indexer(threads, 2, 2)), 1u << (threads - 2)) << threads;
  }
}

TEST(Thesis, Branching) {
  EXPECT_EQ(traces(branching(1)), 1u);
  EXPECT_EQ(traces(branching(2)), 11u);
  EXPECT_EQ(traces(branching(3)), 28u);
  EXPECT_EQ(traces(branching(4)), 103u);
  EXPECT_EQ(classic(branching(1)), 1u);
  EXPECT_EQ(classic(branching(2)), 23u);
  EXPECT_EQ(classic(branching(3)), 299u);
  EXPECT_EQ(classic(branching(4)), 5731u);
  EXPECT_EQ(classic(branching(5)), 112168u);
}

// What the examples are said to show.
struct Example {
  const char* name;
  std::uint64_t traces;  // 0: there is an error, or ask all interleavings
  FailureKind error = FailureKind::kNone;
};

class Examples : public testing::TestWithParam<Example> {};

TEST_P(Examples, AreWhatTheySay) {
  const std::string text = contents_of(std::string(EXAMPLES "/") + GetParam().name + ".dlang");
  std::uint64_t expected = GetParam().traces;
  if (expected == 0 && GetParam().error == FailureKind::kNone) {
    Exploration all;
    all.algorithm = "naive";
    all.classes = true;
    expected = explored(text, all).classes.size();
    EXPECT_GT(expected, 1u);
  }
  for (const char* algorithm : {"optimal", "source", "dpor"}) {
    Exploration how;
    how.algorithm = algorithm;
    const Explored e = explored(text, how);
    if (expected == 0) {
      ASSERT_EQ(e.failures.size(), 1u);
      EXPECT_EQ(e.failures[0].kind, GetParam().error);
    } else {
      EXPECT_EQ(e.outcome.verdict, Verdict::kVerified);
      EXPECT_EQ(e.executions(), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Examples,
                         testing::Values(Example{"readers-writers", 32}, Example{"indexer", 64},
                                         Example{"indexer-small", 64}, Example{"branching", 103},
                                         Example{"program-order", 4},
                                         Example{"global-branchings", 3},
                                         Example{"unsatisfiable", 3},
                                         Example{"lost-update-fixed", 4}, Example{"peterson", 0},
                                         Example{"treiber", 0},
                                         Example{"lost-update", 0, FailureKind::kAssertion},
                                         Example{"philosophers", 0, FailureKind::kDeadlock}),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace mazur::dlang
