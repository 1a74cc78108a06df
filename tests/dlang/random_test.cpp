// Random dlang programs: every explorer against all interleavings, by an independent notion of
// classes (tests/oracle/happens_before.h).
#include <gtest/gtest.h>

#include <set>

#include "explored.h"
#include "generate.h"

namespace mazur::dlang {
namespace {

constexpr std::uint64_t kPrograms = 1500;
constexpr std::uint64_t kMostSchedules = 5000;

Exploration with(std::string algorithm, bool sleep_sets = true,
                 PickOrder pick = PickOrder::kContinue) {
  Exploration how;
  how.algorithm = std::move(algorithm);
  how.options.sleep_sets = sleep_sets;
  how.options.pick = pick;
  how.bounds.keep_going = true;
  how.bounds.max_steps = 400;
  how.machine.max_local_statements = 1000;
  how.classes = true;
  return how;
}

std::set<std::vector<std::int64_t>> ends(const Explored& e) {
  std::set<std::vector<std::int64_t>> all;
  for (const auto& [name, end] : e.ends) all.insert(end);
  return all;
}

TEST(RandomPrograms, EveryExplorerFindsWhatAllInterleavingsShow) {
  std::uint64_t checked = 0, failing = 0, blocking = 0;
  for (std::uint64_t number = 0; checked < kPrograms && number < 4 * kPrograms; ++number) {
    const std::string text = generate(number);
    SCOPED_TRACE(text);
    const Program program = parse(text);
    Exploration all = with("naive");
    all.bounds.max_executions = kMostSchedules;
    const Explored naive = explored(program, all);
    if (naive.outcome.tally.total() >= kMostSchedules || naive.outcome.tally.bounded > 0) continue;
    ++checked;
    ASSERT_NE(naive.outcome.verdict, Verdict::kUnsupported) << naive.outcome.reason;
    ASSERT_FALSE(naive.inconsistent);
    if (!naive.failures.empty())
      ++(naive.failures[0].kind == FailureKind::kDeadlock ? blocking : failing);
    const auto pick = static_cast<PickOrder>(number % 4);
    for (const Exploration& how :
         {with("optimal", true, pick), with("source", true, pick), with("dpor", true, pick),
          with("dpor", false, pick), with("lazy", true, pick), with("quasi", true, pick)}) {
      const Explored found = explored(program, how);
      SCOPED_TRACE(how.algorithm);
      ASSERT_EQ(found.outcome.verdict, naive.outcome.verdict) << found.outcome.reason;
      ASSERT_EQ(found.classes.size(), naive.classes.size());
      for (const auto& [name, times] : naive.classes) ASSERT_TRUE(found.classes.contains(name));
      ASSERT_EQ(ends(found), ends(naive));
      if (how.algorithm == "source" || how.algorithm == "dpor") continue;
      ASSERT_EQ(found.outcome.tally.blocked, 0u);
      ASSERT_EQ(found.executions(), naive.classes.size());
    }
    Exploration storing = with("lazy", true, pick);
    storing.options.stored_states = true;
    const Explored stored = explored(program, storing);
    ASSERT_EQ(stored.outcome.verdict, naive.outcome.verdict) << stored.outcome.reason;
    ASSERT_EQ(ends(stored), ends(naive));
  }
  // The generator makes programs of all kinds, and most are small enough.
  EXPECT_GE(checked, kPrograms);
  EXPECT_GT(failing, kPrograms / 20);
  EXPECT_GT(blocking, kPrograms / 200);
}

}  // namespace
}  // namespace mazur::dlang
