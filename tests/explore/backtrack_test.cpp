// The search that explorers with backtrack sets share.
#include "explore/dpor/backtrack.h"

#include <gtest/gtest.h>

#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "run_all.h"

namespace mazur {
namespace {

// Explores every thread from everywhere, so that sleep sets alone leave anything out. Starts over
// once, after so many executions.
class StartsOver final : public BacktrackSearch {
 public:
  explicit StartsOver(std::uint64_t after)
      : BacktrackSearch({.pick = PickOrder::kLowest}, /*sleep_sets=*/true), after_(after) {}

  bool plan(const Trace& trace, const Frontier& frontier, End end) override {
    if (++executions_ != after_) return BacktrackSearch::plan(trace, frontier, end);
    start_over();
    EXPECT_EQ(keep(), 0u);
    EXPECT_EQ(progress(), 0.0);
    return true;
  }

 private:
  void analyse(const Trace& trace, const Frontier&, std::size_t keep) override {
    for (std::size_t depth = keep; depth < trace.size(); ++depth)
      for (std::size_t i = depth; i < trace.size(); ++i)
        add_to_backtrack(depth, trace[static_cast<EventIndex>(i)].step());
  }

  std::uint64_t after_;
  std::uint64_t executions_ = 0;
};

Count run(std::uint64_t starts_over_after, double* progress = nullptr) {
  const model::Program program = model::parse(
      "variables 0 0\n"
      "thread\nstore x0 1\nstore x1 1\n"
      "thread\nstore x0 2\n"
      "thread\nload r0 x1\n");
  model::ModelMachine machine(program);
  StartsOver explorer(starts_over_after);
  const Count count = run_all(machine, explorer);
  if (progress != nullptr) *progress = explorer.progress();
  return count;
}

TEST(BacktrackSearch, StartsOverFromNothing) {
  const Count once = run(0);
  EXPECT_EQ(once.complete, 4u);
  for (std::uint64_t after = 1; after <= once.total(); ++after) {
    double progress = 0;
    EXPECT_EQ(run(after, &progress).total(), after + once.total()) << after;
    EXPECT_EQ(progress, 1.0) << after;
  }
}

}  // namespace
}  // namespace mazur
