// How many executions known programs have under each memory model, on the model machine. The counts
// agree with store-buffer machines for tso and pso (tests/oracle/weak).
#include "litmus.h"

#include <gtest/gtest.h>

#include "enumerate.h"
#include "litmus_table.h"

namespace mazur::model {
namespace {

void expect_executions(const std::vector<litmus::Row>& rows) {
  for (const litmus::Row& row : rows)
    for (std::size_t m = 0; m < kModels.size(); ++m) {
      if (row.executions[m] == litmus::kUnknown) continue;
      const Found found = explore_litmus(threads(row.code, row.initially), kModels[m]);
      EXPECT_EQ(found.complaint, "") << row.name << ", " << name_of(kModels[m]);
      EXPECT_EQ(found.executions, row.executions[m]) << row.name << ", " << name_of(kModels[m]);
    }
}

TEST(Litmus, HasTheExecutionsOfTheModel) { expect_executions(litmus::counted()); }
TEST(Litmus, HasTheExecutionsOfTheModelIfItIsLarger) { expect_executions(litmus::larger()); }
TEST(Thorough, TheLargestLitmusTestsHaveTheExecutionsOfTheModel) {
  expect_executions(litmus::largest());
}

// The others have one location, which is the same under every model, or too many executions.
TEST(Thorough, StoreBuffersHaveAsManyExecutionsOfLargerLitmusTests) {
  for (const litmus::Row& row : litmus::larger()) {
    if (std::string_view(row.name).starts_with("cas")) continue;
    const Program program = threads(row.code, row.initially);
    for (const MemoryModel model : {MemoryModel::kTso, MemoryModel::kPso}) {
      const WeakAnswer buffers = enumerate_buffers(program, model, 4'000'000);
      const Found found = explore_litmus(program, model);
      EXPECT_TRUE(buffers.complete) << row.name;
      EXPECT_EQ(buffers.names.size(), found.executions + found.stopped) << row.name;
    }
  }
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
