// Theorem 6 with the trees, against the definitions.
#include "explore/unfolding/structure/causality.h"

#include <gtest/gtest.h>

#include "explore/unfolding/extensions.h"
#include "explore/unfolding/structure/clocks.h"
#include "generate/generate.h"
#include "machine/model/model_machine.h"

namespace mazur::unfolding {
namespace {

// Numbers stay what they are when larger ones need wider cells, or more threads come.
TEST(Clocks, GrowInWidthAndThreads) {
  for (std::uint32_t last : {255u, 256u, 65'535u, 65'536u, 4'000'000'000u}) {
    Clocks clocks;
    clocks.resize(2);
    clocks.set(0, 2, 7);
    clocks.set(1, 9, last);
    clocks.set(1, 2, 5);
    EXPECT_EQ(clocks.at(0, 2), 7u) << last;
    EXPECT_EQ(clocks.at(1, 9), last);
    EXPECT_EQ(clocks.at(0, 9), 0u) << last;
    EXPECT_EQ(clocks.at(1, 1000), 0u) << last;
    clocks.join(1, 0);
    EXPECT_EQ(clocks.at(1, 2), 7u) << last;
    EXPECT_EQ(clocks.at(1, 9), last);
    clocks.resize(3);
    EXPECT_EQ(clocks.at(2, 9), 0u) << last;
    clocks.copy(1, 2);
    EXPECT_EQ(clocks.at(2, 2), 7u) << last;
    EXPECT_EQ(clocks.at(2, 9), last);
  }
}

TEST(SkipTree, FindsAncestorsAsWalkingUpDoes) {
  for (std::uint32_t step : {2u, 3u, 4u, 10u}) {
    SkipTree tree(step);
    std::vector<SkipTree::Index> parents;
    std::uint32_t random = 1;
    for (SkipTree::Index n = 0; n < 2000; ++n) {
      random = random * 1664525 + 1013904223;
      // Mostly long branches.
      const SkipTree::Index parent = n == 0             ? SkipTree::kNone
                                     : random % 50 == 0 ? (random >> 8) % n
                                                        : n - 1;
      parents.push_back(parent);
      ASSERT_EQ(tree.add(parent), n);
    }
    for (SkipTree::Index n = 0; n < 2000; n += 7)
      for (SkipTree::Index a = n; a != SkipTree::kNone; a = parents[a]) {
        ASSERT_EQ(tree.ancestor(n, tree.depth(a)), a);
        ASSERT_TRUE(tree.is_ancestor(a, n));
      }
    for (SkipTree::Index a = 0; a < 2000; a += 31)
      for (SkipTree::Index b = 0; b < 2000; b += 37) {
        SkipTree::Index x = b;
        while (x != SkipTree::kNone && x != a) x = parents[x];
        ASSERT_EQ(tree.is_ancestor(a, b), x == a);
      }
  }
}

// Part of a program's unfolding: some executions, with the events that reverse their races.
class Unfolded {
 public:
  Unfolded(const model::Program& program, std::uint32_t seed) : machine_(program) {
    for (int i = 0; i < 6; ++i) run(seed + static_cast<std::uint32_t>(i));
  }
  const EventStructure& structure() const { return structure_; }

 private:
  void run(std::uint32_t random) {
    configuration_.truncate(0);
    extensions_.truncate(0);
    machine_.restart();
    Trace trace;
    while (machine_.frontier().any_enabled() && trace.size() < 60) {
      std::vector<Step> steps;
      for (const Pending& p : machine_.frontier().threads())
        if (p.enabled && p.op.kind != OpKind::kExit) steps.push_back({p.thread, 0});
      if (steps.empty()) break;
      random = random * 1664525 + 1013904223;
      trace.append(machine_.run(steps[(random >> 8) % steps.size()]));
      configuration_.push(extensions_.executed(trace));
    }
    extensions_.ended(trace, machine_.frontier());
  }

  model::ModelMachine machine_;
  EventStructure structure_;
  Configuration configuration_{structure_};
  Extensions extensions_{structure_, configuration_};
};

bool in_history(const EventStructure& structure, EventId e, EventId f) {
  if (e == f) return true;
  const EventId pt = structure[f].program_predecessor;
  if (pt != kBottom && in_history(structure, e, pt)) return true;
  for (EventId c : structure.causes(f))
    if (in_history(structure, e, c)) return true;
  return false;
}

TEST(Causality, AgreesWithTheDefinitions) {
  int compared = 0;
  for (std::uint64_t n = 0; n < 150; ++n) {
    const Unfolded unfolded(model::generate(99, n, {}), static_cast<std::uint32_t>(n));
    const EventStructure& structure = unfolded.structure();
    const Causality causality(structure, 2 + n % 4);
    const auto size = static_cast<EventId>(std::min<std::size_t>(structure.size(), 40));
    for (EventId e = 0; e < size; ++e)
      for (EventId f = 0; f < size; ++f) {
        ASSERT_EQ(causality.causes(e, f), in_history(structure, e, f)) << n;
        Configuration both(structure);
        const bool together = both.include(e, {}) && both.include(f, {});
        ASSERT_EQ(causality.conflict(e, f), !together) << n << ' ' << e << ' ' << f;
        ++compared;
      }
  }
  EXPECT_GT(compared, 50'000);
}

}  // namespace
}  // namespace mazur::unfolding
