// Trace constraint systems, and what `lazy` promises on the thesis's programs. That it visits every
// class of random programs exactly once is tested in tests/model.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "check/loop.h"
#include "explore/lazy/constraint_system.h"
#include "generate/generate.h"
#include "literature_programs.h"
#include "machine/model/text.h"
#include "trace/dependence.h"
#include "verify.h"

namespace mazur {
namespace {

using model::explore_all;
using model::Explored;
using model::Program;
using Variable = TraceConstraintSystem::Variable;
namespace literature = model::literature;

Event access(ThreadId thread, OpKind kind, ObjectId object) {
  Event e{.thread = thread, .choice = 0, .ways = 1, .label = {}};
  e.label.kind = kind;
  e.label.object = object;
  e.label.size = 1;
  return e;
}
Event write(ThreadId thread, ObjectId object) { return access(thread, OpKind::kStore, object); }
Event read(ThreadId thread, ObjectId object) { return access(thread, OpKind::kLoad, object); }

bool respects(const TraceConstraintSystem& system, std::span<const Variable> order) {
  std::vector<std::size_t> place(system.size(), system.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (const auto& c : system.constraints())
    if (place[c.after] < system.size() && place[c.before] >= place[c.after]) return false;
  for (Variable a = 0; a < system.size(); ++a)
    for (Variable b = a + 1; b < system.size(); ++b)
      if (system.label(a).thread == system.label(b).thread && place[b] < system.size() &&
          place[a] >= place[b])
        return false;
  return true;
}

// By trying all orders.
bool has_solution(const TraceConstraintSystem& system) {
  std::vector<Variable> order(system.size());
  std::iota(order.begin(), order.end(), 0);
  do
    if (respects(system, order)) return true;
  while (std::next_permutation(order.begin(), order.end()));
  return false;
}

TEST(TraceConstraintSystem, ProgramOrderExample) {
  // Thesis, listing 4.1: with the two dependences of the program as program successors, all four
  // variations of the other two have solutions, and none is in vain.
  const Event w[] = {write(0, 1), write(0, 2), write(1, 1), write(1, 2)};
  TraceConstraintSystem system = TraceConstraintSystem::of(w);
  ASSERT_EQ(system.constraints().size(), 2u);
  std::vector<Variable> solution;
  EXPECT_TRUE(system.solve(solution));
  system.reverse(1);
  EXPECT_TRUE(system.solve(solution));  // x in this order, y in the other
  system.reverse(0);
  EXPECT_TRUE(system.solve(solution));
  system.reverse(1);  // x in the other order, y in this one
  EXPECT_TRUE(system.solve(solution));
}

TEST(TraceConstraintSystem, UnsatisfiableConstraintsExample) {
  // Thesis, listing 4.3: the write between two reads, the wrong way round.
  const Event w[] = {write(0, 1), read(1, 1), read(1, 1)};
  TraceConstraintSystem system = TraceConstraintSystem::of(w);
  ASSERT_EQ(system.constraints().size(), 2u);
  system.reverse(1);  // w < r1, r2 < w: with r1 < r2 no order is left
  std::vector<Variable> solution;
  EXPECT_FALSE(system.solve(solution));
  EXPECT_TRUE(solution.empty());
  system.reverse(0);  // r1 < w, r2 < w
  EXPECT_TRUE(system.solve(solution));
  EXPECT_EQ(solution, (std::vector<Variable>{1, 2, 0}));
}

TEST(TraceConstraintSystem, TheSolutionOfAPrefixEndsAtTheContradiction) {
  const Event w[] = {write(2, 9), write(0, 1), read(1, 1), read(1, 1), write(2, 8)};
  TraceConstraintSystem system = TraceConstraintSystem::of(w);
  system.reverse(1);
  std::vector<Variable> solution;
  EXPECT_FALSE(system.solve(solution));
  EXPECT_EQ(solution, (std::vector<Variable>{0, 4}));
}

TEST(TraceConstraintSystem, CreationAndJoinAreKept) {
  Event create = access(0, OpKind::kCreate, 1);
  Event join = access(0, OpKind::kJoin, 1);
  const Event w[] = {create, write(1, 5), join};
  TraceConstraintSystem system = TraceConstraintSystem::of(w);
  std::vector<Variable> solution;
  EXPECT_TRUE(system.solve(solution));
  EXPECT_EQ(solution, (std::vector<Variable>{0, 1, 2}));
}

// Every variation of the dependences of small random sequences: satisfiable exactly if some order
// satisfies it, and the orientations with a solution are exactly those that an interleaving has.
TEST(TraceConstraintSystem, AgreesWithTryingAllOrders) {
  std::mt19937_64 random(11);
  std::vector<Variable> solution;
  int satisfiable = 0;
  int contradictory = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Event> w;
    for (int i = 0; i < 6; ++i) {
      const auto thread = static_cast<ThreadId>(random() % 3);
      w.push_back(access(thread, random() % 2 == 0 ? OpKind::kStore : OpKind::kLoad, random() % 2));
    }
    TraceConstraintSystem system = TraceConstraintSystem::of(w);
    const std::size_t d = system.constraints().size();
    if (d > 7) continue;
    for (unsigned bits = 0; bits < 1u << d; ++bits) {
      for (std::size_t i = 0; i < d; ++i)
        if ((bits >> i & 1) != 0) system.reverse(i);
      const bool solved = system.solve(solution);
      ASSERT_EQ(solved, has_solution(system));
      ASSERT_TRUE(respects(system, solution));
      ++(solved ? satisfiable : contradictory);
      for (std::size_t i = 0; i < d; ++i)
        if ((bits >> i & 1) != 0) system.reverse(i);
    }
  }
  EXPECT_GT(satisfiable, 500);
  EXPECT_GT(contradictory, 500);
}

constexpr PickOrder kOrders[] = {PickOrder::kContinue, PickOrder::kLowest, PickOrder::kHighest,
                                 PickOrder::kRoundRobin, PickOrder::kRandom};

// Complete executions, which are all of different classes.
std::uint64_t count(const Program& program, PickOrder pick = PickOrder::kContinue) {
  const Explored explored =
      explore_all(program, {.name = "lazy", .options = {.pick = pick, .seed = 3}}, 1'000'000);
  EXPECT_EQ(explored.complaint, "");
  EXPECT_EQ(explored.blocked, 0u);
  EXPECT_EQ(explored.classes.size(), explored.complete);
  return explored.complete;
}

TEST(Lazy, ReadersWriters) {
  for (int n = 1; n <= 12; ++n)
    EXPECT_EQ(count(literature::readers_writers(n)), std::uint64_t{1} << n) << n;
}

// Thesis, Appendix B: ZPOR_exec. Where it ran some traces twice, we do not.
TEST(Lazy, Indexer) {
  for (int n = 1; n <= 11; ++n) EXPECT_EQ(count(literature::indexer(n)), 1u) << n;
  EXPECT_EQ(count(literature::indexer(12)), 8u);     // 9
  EXPECT_EQ(count(literature::indexer(13)), 64u);    // 64
  EXPECT_EQ(count(literature::indexer(14)), 512u);   // 513
  EXPECT_EQ(count(literature::indexer(15)), 4096u);  // 4096
}

TEST(Lazy, SmallIndexer) {
  EXPECT_EQ(count(literature::indexer_small(1)), 1u);
  EXPECT_EQ(count(literature::indexer_small(2)), 1u);
  for (int n = 3; n <= 12; ++n)  // 3, 4, 9, 16, 33, 64, 129, ...
    EXPECT_EQ(count(literature::indexer_small(n)), std::uint64_t{1} << (n - 2)) << n;
}

TEST(Lazy, BranchingInAnyOrder) {
  for (PickOrder pick : kOrders) {
    EXPECT_EQ(count(literature::branching(1), pick), 1u);
    EXPECT_EQ(count(literature::branching(2), pick), 11u);   // 49
    EXPECT_EQ(count(literature::branching(3), pick), 28u);   // 393
    EXPECT_EQ(count(literature::branching(4), pick), 103u);  // 5555
    EXPECT_EQ(count(literature::branching(5), pick), 311u);  // 124123
  }
}

// Thesis, listing 4.2, on which the algorithm of listing 3.1 does not end.
TEST(Lazy, GlobalBranchingsEnd) {
  const Program program = model::parse(
      "variables 0 0 0\n"
      "thread\n"
      "  0: load r0 x0\n  1: if r0 != 0 goto 3\n  2: store x1 1\n  3: load r0 x0\n"
      "thread\n"
      "  0: load r0 x1\n  1: if r0 != 0 goto 3\n  2: store x2 1\n  3: load r0 x1\n");
  // The write of y comes before, between or after the reads of y; in the first case z is not
  // written.
  for (PickOrder pick : kOrders) EXPECT_EQ(count(program, pick), 3u);
}

TEST(Lazy, OutcomesAreVariations) {
  const Program program = model::parse(
      "variables 0\n"
      "thread\n  0: choose r0 3\n  1: choose r1 2\n  2: store x0 r0\n"
      "thread\n  0: load r0 x0\n");
  for (PickOrder pick : kOrders) EXPECT_EQ(count(program, pick), 12u);
}

TEST(Lazy, BlockingOperations) {
  for (PickOrder pick : kOrders) {
    EXPECT_EQ(count(literature::disp(5, 2), pick), 137u);
    EXPECT_EQ(count(literature::mpat(3), pick), 48u);
    EXPECT_EQ(count(literature::mpc(2, 2), pick), 54u);
    EXPECT_EQ(count(literature::poke(3, 2), pick), 33u);
  }
}

// n pairs of threads, each pair with a variable of its own that both add to.
Program pairs(int n) {
  std::string text = "variables";
  for (int i = 0; i < n; ++i) text += " 0";
  for (int i = 0; i < 2 * n; ++i)
    text += "\nthread\n  0: fetch_add r0 x" + std::to_string(i / 2) + " 1\n  1: set r0 0";
  return model::parse(text + "\n");
}

TEST(Lazy, StoredStatesAreNotExploredAgain) {
  const model::Subject stored{.name = "lazy", .options = {.stored_states = true}};
  for (int n = 1; n <= 8; ++n) {
    EXPECT_EQ(count(pairs(n)), std::uint64_t{1} << n);
    // The order of the first pair, and from the other order on nothing new; and so on.
    const Explored explored = explore_all(pairs(n), stored, 1000);
    EXPECT_EQ(explored.complaint, "");
    EXPECT_EQ(explored.complete, static_cast<std::uint64_t>(n) + 1);
    EXPECT_EQ(explored.endings.size(), 1u);
  }
}

// The agreement test compares the final states of many programs with brute force. That says nothing
// unless states are found again.
TEST(Lazy, StoredStatesSpareExecutionsOfRandomPrograms) {
  std::uint64_t all = 0;
  std::uint64_t run = 0;
  int spared = 0;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const Program program = model::generate(31, number);
    const model::Answer answer = model::brute_force(program, 1000);
    if (!answer.complete) continue;
    const model::Subject stored{
        .name = "lazy", .options = {.stored_states = true}, .only_endings = true};
    EXPECT_EQ(model::verify(program, answer, stored), "") << number;
    const std::uint64_t executions = explore_all(program, stored, 100'000).complete;
    all += answer.classes.size();
    run += executions;
    spared += executions < answer.classes.size();
  }
  EXPECT_GT(spared, 20);
  EXPECT_LT(run, all);
  RecordProperty("spared", spared);
}

TEST(Lazy, StoredStatesNeedAMachineThatNamesThem) {
  class Nameless final : public Machine {
   public:
    void restart() override { FAIL() << "nothing can be run"; }
    const Frontier& frontier() override { return frontier_; }
    const Event& run(Step) override { return event_; }
    const Failure* failure() const override { return nullptr; }
    bool finished() const override { return true; }

   private:
    Frontier frontier_;
    Event event_;
  };
  class Quiet final : public Watcher {
    void failed(const Trace&, const Frontier&, const Failure&) override {}
  };
  Nameless machine;
  Quiet observer;
  const auto explorer = make_explorer("lazy", {.stored_states = true});
  const Outcome outcome = explore(machine, *explorer, {}, observer);
  EXPECT_EQ(outcome.verdict, Verdict::kUnsupported);
  EXPECT_NE(outcome.reason.find("--stored-states"), std::string::npos);
}

}  // namespace
}  // namespace mazur
