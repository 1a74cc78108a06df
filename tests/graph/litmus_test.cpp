// How many executions known programs have under each memory model, on the model machine. The counts
// agree with store-buffer machines for tso and pso (tests/oracle/weak).
#include "litmus.h"

#include <gtest/gtest.h>

#include "litmus_table.h"

namespace mazur::model {
namespace {

TEST(Litmus, HasTheExecutionsOfTheModel) {
  for (const litmus::Row& row : litmus::counted())
    for (std::size_t m = 0; m < kModels.size(); ++m) {
      const Found found = explore_litmus(threads(row.code), kModels[m]);
      EXPECT_EQ(found.complaint, "") << row.name << ", " << name_of(kModels[m]);
      EXPECT_EQ(found.executions, row.executions[m]) << row.name << ", " << name_of(kModels[m]);
    }
}

bool ends_so(const State& s, const litmus::Shape& shape) {
  const auto is = [](std::int32_t value, int wanted) { return wanted < 0 || value == wanted; };
  for (ThreadId t = 0; t < shape.registers.size(); ++t)
    if (!is(s.thread(t).registers[0], shape.registers[t].first) ||
        !is(s.thread(t).registers[1], shape.registers[t].second))
      return false;
  for (unsigned x = 0; x < shape.variables.size(); ++x)
    if (!is(s.variable(x), shape.variables[x])) return false;
  return true;
}

TEST(Shapes, HaveTheOutcomesThatTheModelAllows) {
  for (const litmus::Shape& shape : litmus::shapes())
    for (std::size_t way = 0; way < litmus::kWays.size(); ++way) {
      const Program program = threads(litmus::in_the_way(shape, way));
      for (std::size_t m = 0; m < kModels.size(); ++m) {
        const Found found =
            explore_litmus(program, kModels[m], [&](const State& s) { return ends_so(s, shape); });
        const int expected = shape.expected[way][m];
        const std::string what = std::string(shape.name) + ", " + litmus::kWays[way] + ", " +
                                 std::string(name_of(kModels[m]));
        EXPECT_EQ(found.complaint, "") << what;
        EXPECT_EQ(found.executions, static_cast<std::uint64_t>(std::abs(expected))) << what;
        EXPECT_EQ(found.outcome, expected > 0) << what;
      }
    }
}

}  // namespace
}  // namespace mazur::model
