// Minimised schedules of model programs against the shortest ones by brute force.
#include "check/minimise/minimise.h"

#include <gtest/gtest.h>

#include <map>

#include "check/failure_place.h"
#include "check/loop.h"
#include "explore/explorer.h"
#include "first_failure.h"
#include "generate/generate.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

// The cost of the shortest schedule to each failure, by running all schedules on copies of the
// machine.
class AllSchedules {
 public:
  // False: there are too many.
  bool run(const Program& program) {
    ModelMachine machine(program);
    machine.restart();
    return machine.failure() != nullptr || extend(machine, kNoThread, {});
  }
  const std::map<std::uint64_t, ScheduleCost>& shortest() const { return shortest_; }

 private:
  static constexpr std::uint64_t kMost = 100'000;

  void note(const Failure& failure, ModelMachine& machine, ScheduleCost cost) {
    const auto [at, fresh] = shortest_.emplace(failure_place(failure, machine.frontier()), cost);
    if (!fresh) at->second = std::min(at->second, cost);
  }

  bool extend(ModelMachine& machine, ThreadId current, ScheduleCost cost) {
    if (++nodes_ > kMost) return false;
    const auto failure = failure_at_end(machine);
    if (failure && !machine.frontier().any_enabled()) note(*failure, machine, cost);
    const Pending* running = machine.frontier().find(current);
    const bool continues = running != nullptr && running->enabled;
    const std::vector<Pending> threads(machine.frontier().threads().begin(),
                                       machine.frontier().threads().end());
    for (const Pending& p : threads) {
      for (std::uint16_t c = 0; p.enabled && c < p.ways; ++c) {
        ModelMachine copy = machine;
        copy.run({p.thread, c});
        ScheduleCost next = cost;
        ++next.steps;
        if (continues && p.thread != current) ++next.preemptions;
        if (copy.failure() != nullptr)
          note(*copy.failure(), copy, next);
        else if (!extend(copy, p.thread, next))
          return false;
      }
    }
    return true;
  }

  std::uint64_t nodes_ = 0;
  std::map<std::uint64_t, ScheduleCost> shortest_;
};

FirstFailure first_failure(Machine& machine, const char* algorithm, std::uint64_t seed) {
  ExplorerOptions options;
  options.seed = seed;
  const auto explorer = make_explorer(algorithm, options);
  FirstFailure first;
  explore(machine, *explorer, {.max_executions = 300}, first);
  return first;
}

ScheduleCost cost_of(Machine& machine, std::span<const Event> events) {
  ScheduleCost cost;
  ThreadId current = kNoThread;
  machine.restart();
  for (const Event& event : events) {
    const Pending* running = machine.frontier().find(current);
    if (event.thread != current && running != nullptr && running->enabled) ++cost.preemptions;
    ++cost.steps;
    current = event.thread;
    EXPECT_TRUE(same_event(machine.run(event.step()), event));
  }
  return cost;
}

TEST(Minimise, FindsTheShortestScheduleOfRandomPrograms) {
  int compared = 0, improved = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    const Program program = generate(71, number, {.max_threads = 3, .max_operations = 8});
    AllSchedules all;
    if (!all.run(program) || all.shortest().empty()) continue;
    for (const char* algorithm : {"optimal", "naive", "random"}) {
      ModelMachine machine(program);
      const FirstFailure first = first_failure(machine, algorithm, number);
      if (first.events.empty() || !all.shortest().contains(first.place)) continue;
      const Minimised result =
          minimise(machine, first.events, first.failure, first.place, {.seconds = 3600});
      ASSERT_TRUE(result.minimal) << number;
      ASSERT_EQ(result.after, all.shortest().at(first.place))
          << number << " " << algorithm << ": " << result.after.preemptions << ", "
          << result.after.steps << "\n"
          << print(program);
      ASSERT_EQ(cost_of(machine, result.events), result.after);
      ASSERT_EQ(cost_of(machine, first.events), result.before);
      ++compared;
      if (result.after < result.before) ++improved;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_GT(improved, 300);
}

TEST(Minimise, ASmallBudgetStillImprovesAndNeverClaimsTheMinimum) {
  std::uint64_t before = 0, after = 0;
  int shortest = 0, compared = 0;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    const Program program = generate(72, number, {.max_threads = 3, .max_operations = 8});
    AllSchedules all;
    if (!all.run(program) || all.shortest().empty()) continue;
    ModelMachine machine(program);
    const FirstFailure first = first_failure(machine, "random", number);
    if (first.events.empty() || !all.shortest().contains(first.place)) continue;
    for (const std::uint64_t executions : {1, 3, 10, 30}) {
      const Minimised result = minimise(machine, first.events, first.failure, first.place,
                                        {.executions = executions, .seconds = 3600});
      ASSERT_LE(result.executions, executions);
      ASSERT_LE(result.after, result.before);
      ASSERT_GE(result.after, all.shortest().at(first.place));
      ASSERT_EQ(cost_of(machine, result.events), result.after);
      if (result.minimal) {
        ASSERT_EQ(result.after, all.shortest().at(first.place));
      }
      if (executions != 30) continue;
      ++compared;
      before += result.before.preemptions;
      after += result.after.preemptions;
      if (result.after == all.shortest().at(first.place)) ++shortest;
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_LT(after * 2, before);
  EXPECT_GT(shortest * 2, compared);
}

}  // namespace
}  // namespace mazur::model
