// Loops that wait against the same programs written with await: they end in the same states, and
// get stuck in the same ones.
#include <gtest/gtest.h>

#include <set>

#include "generate/generate.h"
#include "machine/model/state.h"

namespace mazur::model {
namespace {

Comparison opposite(Comparison c) {
  switch (c) {
    case Comparison::kEqual:
      return Comparison::kNotEqual;
    case Comparison::kNotEqual:
      return Comparison::kEqual;
    case Comparison::kLess:
      return Comparison::kGreaterEqual;
    case Comparison::kGreaterEqual:
      return Comparison::kLess;
  }
  return c;
}

// Each loop over one variable as an await; how many there were.
int with_awaits(Program& program) {
  int loops = 0;
  for (Thread& thread : program.threads)
    for (Instruction& in : thread.code) {
      if (in.code != Code::kSpin) continue;
      ++loops;
      in.code = Code::kAwait;
      in.comparison = opposite(in.comparison);
    }
  return loops;
}

Program with_loops_over_one_variable(Program program) {
  for (Thread& thread : program.threads)
    for (Instruction& in : thread.code)
      if (in.code == Code::kSpinBoth || in.code == Code::kSpinSwap) {
        in.code = Code::kSpin;
        in.place2 = {};
      }
  return program;
}

// What can be seen at the end. A loop that is stuck has other notes than an await: where threads
// stand, their registers and the variables are the same.
using Seen = std::pair<bool, std::vector<std::int32_t>>;

class Endings {
 public:
  explicit Endings(const Program& program)
      : variables_(static_cast<unsigned>(program.of(ObjectClass::kVariable).size())) {
    visit(State(&program), 0);
  }
  std::set<Seen> all;
  bool complete = true;

 private:
  void visit(const State& state, int depth) {
    if (++visits_ > 30'000 || depth > 40) complete = false;
    if (!complete || !visited_.insert(state.hash()).second) return;
    std::vector<Pending> frontier;
    state.frontier(frontier);
    bool enabled = false;
    for (const Pending& p : frontier)
      for (std::uint16_t choice = 0; p.enabled && choice < p.ways; ++choice) {
        enabled = true;
        State next = state;
        next.run({p.thread, choice});
        visit(next, depth + 1);
      }
    if (enabled) return;
    Seen seen{state.finished(), {}};
    for (unsigned i = 0; i < variables_; ++i) seen.second.push_back(state.variable(i));
    for (ThreadId t = 0; t < state.threads(); ++t) {
      seen.second.push_back(static_cast<std::int32_t>(state.thread(t).life));
      seen.second.push_back(state.thread(t).pc);
      for (std::int32_t r : state.thread(t).registers) seen.second.push_back(r);
    }
    all.insert(std::move(seen));
  }

  const unsigned variables_;
  std::set<std::uint64_t> visited_;
  int visits_ = 0;
};

TEST(LoopsThatWait, EndLikeAwaits) {
  int compared = 0;
  int stuck = 0;
  for (std::uint64_t number = 1; compared < 1500; number += 2) {
    const Program loops = with_loops_over_one_variable(generate(11, number, Shape{}));
    Program awaits = loops;
    if (with_awaits(awaits) == 0) continue;
    const Endings with_loops(loops);
    const Endings with_await(awaits);
    if (!with_loops.complete || !with_await.complete) continue;
    ++compared;
    for (const Seen& seen : with_loops.all) stuck += seen.first ? 0 : 1;
    ASSERT_EQ(with_loops.all, with_await.all) << "program " << number;
  }
  EXPECT_GT(stuck, 100);
}

}  // namespace
}  // namespace mazur::model
