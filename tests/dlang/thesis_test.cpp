// The programs of the LazyPOR thesis: traces, and the executions of its comparison column.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "explored.h"
#include "thesis_programs.h"

namespace mazur::dlang {
namespace {

// By both explorers that run every trace exactly once.
std::uint64_t traces(const std::string& text) {
  Exploration how;
  std::uint64_t executions = 0;
  for (const char* algorithm : {"lazy", "optimal"}) {
    how.algorithm = algorithm;
    const Explored e = explored(text, how);
    EXPECT_EQ(e.outcome.verdict, Verdict::kVerified) << e.outcome.reason;
    EXPECT_EQ(e.outcome.tally.blocked, 0u);
    EXPECT_TRUE(executions == 0 || executions == e.executions()) << algorithm;
    executions = e.executions();
  }
  return executions;
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
  for (int threads : {1, 5, 11}) EXPECT_EQ(traces(indexer(threads)), 1u) << threads;
  EXPECT_EQ(traces(indexer(12)), 8u);
  EXPECT_EQ(traces(indexer(13)), 64u);
  EXPECT_EQ(traces(indexer(14)), 512u);
  EXPECT_EQ(classic(indexer(11)), 1u);
  EXPECT_EQ(classic(indexer(12)), 23u);
  EXPECT_EQ(classic(indexer(13)), 529u);
  EXPECT_EQ(classic(indexer(14)), 12167u);
}

TEST(Thesis, SmallIndexer) {
  EXPECT_EQ(traces(indexer_small(1)), 1u);
  for (int threads = 2; threads <= 12; ++threads) {
    EXPECT_EQ(traces(indexer_small(threads)), 1u << (threads - 2)) << threads;
    EXPECT_EQ(classic(indexer_small(threads)), 1u << (threads - 2)) << threads;
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
  for (const char* algorithm : {"optimal", "source", "dpor", "lazy", "quasi"}) {
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
                                         Example{"program-order", 4}, Example{"dynamic", 3},
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
