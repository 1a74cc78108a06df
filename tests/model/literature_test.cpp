// The papers' programs have the number of traces that the papers and other tools say, and the
// explorers find them.
#include <gtest/gtest.h>

#include "literature_programs.h"
#include "verify.h"

namespace mazur::model {
namespace {

using namespace literature;  // NOLINT: the programs, by name

struct Case {
  const char* name;
  Program program;
  std::uint64_t traces;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
  return {
      {"readers_2", readers(2), 4},
      {"readers_5", readers(5), 32},
      {"readers_8", readers(8), 256},
      {"lastzero_2", lastzero(2), 5},
      {"lastzero_5", lastzero(5), 64},
      {"lastzero_7", lastzero(7), 320},
      {"lastzero_10", lastzero(10), 3328},
      {"indexer_11", indexer(11), 1},
      {"indexer_12", indexer(12), 8},
      {"indexer_13", indexer(13), 64},
      {"indexer_14", indexer(14), 512},
      {"indexer_small_2", indexer_small(2), 1},
      {"indexer_small_5", indexer_small(5), 8},
      {"indexer_small_8", indexer_small(8), 64},
      {"filesystem_13", filesystem(13), 1},
      {"filesystem_14", filesystem(14), 2},
      {"filesystem_16", filesystem(16), 8},
      {"filesystem_19", filesystem(19), 64},
      {"wakeup_stress_2", wakeup_stress(2), 4},
      {"wakeup_stress_4", wakeup_stress(4), 48},
      {"wakeup_stress_5", wakeup_stress(5), 240},
      {"groups_1", groups(1), 5},
      {"groups_2", groups(2), 9},
      {"groups_5", groups(5), 21},
      {"entangled_2", entangled(2), 4},
      {"entangled_5", entangled(5), 10},
      {"entangled_8", entangled(8), 16},
      {"ring_2", ring(2), 3},
      {"ring_5", ring(5), 31},
      {"ring_8", ring(8), 255},
      {"inc_3_2", inc(3, 2), 7134},
      {"inc_2_5", inc(2, 5), 34904},
      {"inc_5_1", inc(5, 1), 14400},
      {"readers_writers_1", readers_writers(1), 2},
      {"readers_writers_5", readers_writers(5), 32},
      {"readers_writers_10", readers_writers(10), 1024},
      {"branching_2", branching(2), 11},
      {"branching_3", branching(3), 28},
      {"branching_4", branching(4), 103},
      {"disp_2_2", disp(2, 2), 32},  // this size by brute force, like mpc_2_2 and poke_3_2
      {"disp_5_2", disp(5, 2), 137},
      {"disp_5_3", disp(5, 3), 1482},
      {"mpat_3", mpat(3), 48},
      {"mpat_4", mpat(4), 384},
      {"mpat_5", mpat(5), 3840},
      {"mpc_2_2", mpc(2, 2), 54},
      {"mpc_2_5", mpc(2, 5), 60},
      {"mpc_3_5", mpc(3, 5), 2958},
      {"pi_3", pi(3), 6},
      {"pi_5", pi(5), 120},
      {"pi_6", pi(6), 720},
      {"poke_3_2", poke(3, 2), 33},
      {"poke_7_3", poke(7, 3), 2440},
      {"poke_8_3", poke(8, 3), 3700},
  };
}

class Literature : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Programs, Literature, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

constexpr std::uint64_t kMost = 1'000'000;

TEST_P(Literature, OptimalRunsEveryTraceExactlyOnce) {
  const Case& c = GetParam();
  const Explored optimal = explore_all(c.program, {.name = "optimal"}, kMost);
  EXPECT_EQ(optimal.complaint, "");
  EXPECT_EQ(optimal.complete, c.traces);
  EXPECT_EQ(optimal.classes.size(), c.traces);
  EXPECT_EQ(optimal.blocked, 0u);
}

std::set<ClassName> names(const Explored& explored) {
  std::set<ClassName> set;
  for (const auto& [name, count] : explored.classes) set.insert(name);
  return set;
}

// Source-DPOR may start redundant executions, but never finishes two of one trace.
TEST_P(Literature, SourceFinishesEveryTraceExactlyOnce) {
  const Case& c = GetParam();
  const Explored source = explore_all(c.program, {.name = "source"}, kMost);
  EXPECT_EQ(source.complaint, "");
  EXPECT_EQ(source.complete, c.traces);
  EXPECT_EQ(source.classes.size(), c.traces);
}

TEST_P(Literature, DporFindsTheSameTraces) {
  const Case& c = GetParam();
  const Explored optimal = explore_all(c.program, {.name = "optimal"}, kMost);
  const Explored dpor = explore_all(c.program, {.name = "dpor"}, kMost);
  EXPECT_EQ(dpor.complaint, "");
  EXPECT_EQ(names(dpor), names(optimal));
}

TEST_P(Literature, LazyRunsTheSameTracesExactlyOnce) {
  const Case& c = GetParam();
  const Explored optimal = explore_all(c.program, {.name = "optimal"}, kMost);
  const Explored lazy = explore_all(c.program, {.name = "lazy"}, kMost);
  EXPECT_EQ(lazy.complaint, "");
  EXPECT_EQ(lazy.complete, c.traces);
  EXPECT_EQ(lazy.blocked, 0u);
  EXPECT_EQ(names(lazy), names(optimal));
}

// Brute force agrees where it can: a program too large for it shows nothing, so they are counted.
TEST(LiteratureOracle, BruteForceCountsTheSame) {
  int compared = 0;
  for (const Case& c : cases()) {
    const Answer answer = brute_force(c.program, 50'000);
    if (!answer.complete) continue;
    ++compared;
    EXPECT_EQ(answer.inconsistent, "") << c.name;
    EXPECT_EQ(answer.classes.size(), c.traces) << c.name;
  }
  RecordProperty("compared", compared);
  EXPECT_GE(compared, 30);
}

TEST(LiteratureDpor, RunsMoreReadersExecutionsThanThereAreTraces) {
  // (3^N + 1) / 2, blocked ones included.
  for (const auto& [n, runs] : {std::pair(2, 5), {3, 14}, {5, 122}}) {
    const Explored dpor = explore_all(readers(n), {.name = "dpor"}, kMost);
    EXPECT_EQ(dpor.complete + dpor.blocked, static_cast<std::uint64_t>(runs)) << n;
  }
}

// What wakeup trees are for (JACM section 9): without them, redundant executions take over. How
// many there are depends on which thread is picked first; these programs are written for the order
// of ids.
std::uint64_t blocked_in_source(const Program& program) {
  const Subject source{.name = "source", .options = {.pick = PickOrder::kLowest}};
  return explore_all(program, source, kMost).blocked;
}

TEST(LiteratureSource, BlocksMoreAndMoreInGroups) {
  for (int n = 1; n < 6; ++n) {
    const std::uint64_t blocked = blocked_in_source(groups(n));
    EXPECT_GT(blocked, 0u);
    EXPECT_GT(blocked_in_source(groups(n + 1)), blocked);
  }
}

// JACM Tables 1 and 4, all that were started. The order of trying is the one that they must have
// been measured with: the thread that ran last, then the first by name.
void expect_started(const Program& program, std::uint64_t traces, std::uint64_t started) {
  const Explored all = explore_all(program, Subject{.name = "source"}, kMost);
  EXPECT_EQ(all.complete, traces);
  EXPECT_EQ(all.complete + all.blocked, started);
}

TEST(LiteratureSource, StartsWhatTheTablesSay) {
  const std::uint64_t groups[] = {8, 20, 41, 78, 145, 268, 373, 674, 1222};
  int n = 0;
  for (std::uint64_t started : groups) {
    ++n;
    expect_started(groups_by_name(n), static_cast<std::uint64_t>(4 * n + 1), started);
  }
  expect_started(lastzero_by_name(5), 64, 79);
  expect_started(lastzero_by_name(10), 3328, 7204);
}

TEST(Thorough, SourceStartsWhatTheTableSaysOfTheLargestLastzero) {
  expect_started(lastzero_by_name(15), 147456, 302587);
}

TEST(LiteratureSource, BlocksExponentiallyOftenInEntangled) {
  for (int n = 2; n < 8; ++n)
    EXPECT_GT(blocked_in_source(entangled(n + 1)), 2 * blocked_in_source(entangled(n)));
}

TEST(LiteratureSource, BlocksInLastzero) {
  EXPECT_GT(blocked_in_source(lastzero(5)), 0u);
  EXPECT_GT(blocked_in_source(lastzero(10)), 3328u);
}

}  // namespace
}  // namespace mazur::model
