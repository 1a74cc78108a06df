// Pieces of an exploration as bytes: whatever is done to them, they are refused or can be explored.
#include <gtest/gtest.h>

#include "base/random_source.h"
#include "check/exploration.h"
#include "explore/divisible.h"
#include "explore/graph/graph.h"
#include "generate/generate.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "weak_verify.h"

namespace mazur::model {
namespace {

class Nobody final : public Watcher {
  void failed(const Trace&, const Frontier&, const Failure&) override {}
};

// The pieces that are left of a program after a few executions.
std::vector<std::string> pieces_of(const Program& program, ExplorerOptions options) {
  ModelMachine machine(program);
  const auto explorer = make_graph(options);
  Nobody nobody;
  const Bounds bounds{.max_steps = 1000, .slice = 3, .keep_going = true};
  if (!Exploration(machine, *explorer, bounds, nobody).run().paused) return {};
  if (!explorer->divisible()->can_divide()) return {};
  return explorer->divisible()->divide(3);
}

std::uint64_t executions_of(const Program& program, ExplorerOptions options,
                            const std::string& piece) {
  ModelMachine machine(program);
  const auto explorer = make_graph(options);
  if (!explorer->divisible()->take(piece) || explorer->divisible()->is_empty()) return 0;
  Nobody nobody;
  const Bounds bounds{.max_steps = 200, .max_executions = 50, .keep_going = true};
  return explore(machine, *explorer, bounds, nobody).tally.total();
}

TEST(Division, DamagedPiecesAreRefusedOrExplored) {
  std::uint64_t refused = 0, explored = 0;
  for (std::uint64_t number = 0; number < 100; ++number) {
    const Program program = generate_weak(5, number, {.max_threads = 3, .max_operations = 6});
    if (!is_for_graphs(program)) continue;
    const ExplorerOptions options{.memory =
                                      number % 2 == 0 ? MemoryModel::kSc : MemoryModel::kCpp20};
    for (const std::string& piece : pieces_of(program, options)) {
      RandomSource random(number, 3);
      for (int i = 0; i < 100; ++i) {
        std::string damaged = piece;
        for (unsigned n = 1 + random.below(3); n > 0; --n) {
          const std::size_t at = random.below(static_cast<unsigned>(damaged.size()));
          if (random.below(4) == 0)
            damaged.erase(at, 1 + random.below(3));
          else
            damaged[at] = static_cast<char>(random.below(256));
          if (damaged.empty()) damaged = "x";
        }
        ++(executions_of(program, options, damaged) == 0 ? refused : explored);
      }
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(explored, 10u);
}

// Operations that wait are put between others when nothing can run, and are in pieces that are
// smaller than what was known of them.
TEST(Division, NoPieceIsRefused) {
  const Program program = parse(R"(
    variables 0 0
    mutexes 2
    conditions 1
    thread
      lock m0
      fence.acq_rel
      store x0 0
      signal c0
    thread
      signal c0
      store x0 0
      lock m1
      load.relaxed r0 x1
      wait c0 m1
    )");
  EXPECT_EQ(verify_weak(program, 123'003, 10'000).what, "");
}

TEST(Division, APieceOfNothingIsRefused) {
  const auto explorer = make_graph({});
  EXPECT_FALSE(explorer->divisible()->take(std::string_view("")));
  EXPECT_FALSE(explorer->divisible()->take(std::string_view("\1\0", 2)));
  EXPECT_FALSE(explorer->divisible()->take(std::string_view("no piece")));
}

}  // namespace
}  // namespace mazur::model
