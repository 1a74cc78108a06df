// The work of random and pct in pieces: whatever the pieces are, the executions are those of one
// explorer, in the same order.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "base/random_source.h"
#include "check/exploration.h"
#include "explore/divisible.h"
#include "explore/registry.h"
#include "explore/walks/numbered.h"
#include "generate/generate.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

constexpr std::string_view kWalks[] = {"random", "pct"};

// Notes the schedules.
class Sequence final : public Watcher {
 public:
  void failed(const Trace&, const Frontier&, const Failure&) override { ++failures; }
  void ended(const Trace& trace, const Tally&, End) override {
    std::string& schedule = all.emplace_back();
    for (const Event& e : trace.events())
      schedule.append(std::to_string(e.thread)).append(e.choice == 0 ? " " : "' ");
  }
  std::vector<std::string> all;
  unsigned failures = 0;
};

Bounds bounds_for(std::uint64_t executions, std::uint64_t slice = 0) {
  return {.max_steps = 200, .max_executions = executions, .slice = slice, .keep_going = true};
}

std::vector<std::string> in_one(const Program& program, std::string_view walk,
                                const ExplorerOptions& options, std::uint64_t executions) {
  ModelMachine machine(program);
  const auto explorer = make_explorer(walk, options);
  Sequence sequence;
  const Bounds bounds = bounds_for(executions);
  explore(machine, *explorer, bounds, sequence);
  return sequence.all;
}

// By explorers that know nothing but bytes, each for a few executions. Without an end it stops after
// at least `executions`.
std::vector<std::string> in_pieces(const Program& program, std::string_view walk,
                                   const ExplorerOptions& options, std::uint64_t executions,
                                   RandomSource& random) {
  std::vector<std::string> sequence;
  std::vector<std::string> pieces{""};
  while (!pieces.empty() && (options.executions != 0 || sequence.size() < executions)) {
    const std::string piece = std::move(pieces.back());
    pieces.pop_back();
    ModelMachine machine(program);
    const auto explorer = make_explorer(walk, options);
    Divisible& divisible = *explorer->divisible();
    if (!piece.empty() && !divisible.take(piece)) ADD_FAILURE() << "a piece was refused";
    EXPECT_FALSE(divisible.is_empty());
    EXPECT_TRUE(divisible.can_divide());
    Sequence part;
    const Bounds bounds = bounds_for(0, 1 + random.below(40));
    const bool paused = explore(machine, *explorer, bounds, part).paused;
    std::ranges::move(part.all, std::back_inserter(sequence));
    if (!paused) continue;
    const std::size_t most = 1 + random.below(6);
    std::vector<std::string> rest = divisible.divide(most);
    EXPECT_LE(rest.size(), most);
    EXPECT_TRUE(divisible.is_empty());
    std::move(rest.rbegin(), rest.rend(), std::back_inserter(pieces));
  }
  return sequence;
}

TEST(WalkDivision, TheSequenceIsThatOfOneExplorer) {
  RandomSource random(11, 0);
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Program program = generate(3, number, {.max_threads = 4, .max_operations = 12});
    for (const std::string_view walk : kWalks) {
      ExplorerOptions options{.seed = number, .pct_depth = 1 + random.below(4)};
      options.executions = 1 + random.below(300);
      const auto one = in_one(program, walk, options, options.executions);
      EXPECT_EQ(one.size(), options.executions);
      for (int times = 0; times < 3; ++times)
        ASSERT_EQ(in_pieces(program, walk, options, options.executions, random), one)
            << walk << " " << number;
    }
  }
}

TEST(WalkDivision, WithoutAnEndTheSequenceIsTheSame) {
  RandomSource random(12, 0);
  const Program program = generate(3, 5, {.max_threads = 4, .max_operations = 12});
  for (const std::string_view walk : kWalks) {
    auto pieces = in_pieces(program, walk, {.seed = 4}, 2000, random);
    ASSERT_GE(pieces.size(), 2000u);
    EXPECT_EQ(pieces, in_one(program, walk, {.seed = 4}, pieces.size())) << walk;
  }
}

// pct knows the length of executions from the first few. Longer ones have change points behind that
// all the same: here between the two stores, which one execution in sixteen has.
TEST(WalkDivision, PctFindsWhatOnlyLongExecutionsHave) {
  const Program program = parse(R"(
    variables 0 0
    thread
      0: choose r0 16
      1: if r0 != 0 goto 9
      2: load r1 x0
      3: load r1 x0
      4: load r1 x0
      5: load r1 x0
      6: load r1 x0
      7: store x1 1
      8: store x1 0
    thread
      0: load r0 x1
      1: assert r0 == 0
  )");
  // One of the seeds with which none of the first executions is a long one.
  ExplorerOptions options{.seed = 1, .pct_depth = 2};
  const auto is_short = [](const std::string& schedule) { return schedule.size() < 9; };
  while (!std::ranges::all_of(in_one(program, "pct", options, 16), is_short)) ++options.seed;
  ModelMachine machine(program);
  const auto explorer = make_explorer("pct", options);
  Sequence sequence;
  const Bounds bounds = bounds_for(100'000);
  explore(machine, *explorer, bounds, sequence);
  EXPECT_GT(sequence.failures, 0u);
}

TEST(WalkDivision, PartsAreInOrderAndLeaveNothingOut) {
  for (const std::uint64_t left : {1u, 2u, 3u, 7u, 100u, 1001u})
    for (const std::size_t parts : {1u, 2u, 5u, 64u}) {
      const auto all = parts_of({.next = 20, .end = 20 + left, .longest = 9}, parts);
      ASSERT_EQ(all.size(), std::min<std::uint64_t>(left, parts));
      EXPECT_EQ(all.front().next, 20u);
      EXPECT_EQ(all.back().end, 20 + left);
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_LT(all[i].next, all[i].end);
        EXPECT_LE(all[i].end - all[i].next, left / all.size() + 1);
        EXPECT_EQ(all[i].longest, 9u);
        EXPECT_EQ(all[i].next, i == 0 ? 20 : all[i - 1].end);
      }
    }
}

TEST(WalkDivision, WithoutAnEndPartsGrowWithWhatWasRun) {
  for (const std::uint64_t next :
       {std::uint64_t{1}, std::uint64_t{1'000'000}, ~std::uint64_t{99}}) {
    const auto all = parts_of({.next = next}, 5);
    EXPECT_TRUE(all.back().is_endless());
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      EXPECT_LT(all[i].next, all[i].end);
      EXPECT_EQ(all[i + 1].next, all[i].end);
      EXPECT_LE(all[i].end - next, std::max(next, std::uint64_t{64}));
    }
  }
}

// A piece of a walk, after some executions.
std::string piece_of(std::string_view walk, ExplorerOptions options) {
  const Program program = parse("variables 0\nthread\nload r0 x0\nthread\nstore x0 1\n");
  ModelMachine machine(program);
  const auto explorer = make_explorer(walk, options);
  Sequence sequence;
  explore(machine, *explorer, bounds_for(0, 30), sequence);
  return explorer->divisible()->divide(3)[1];
}

bool takes(std::string_view walk, ExplorerOptions options, const std::string& piece) {
  return make_explorer(walk, options)->divisible()->take(piece);
}

TEST(WalkDivision, WhatIsNoPieceOfItIsRefused) {
  const ExplorerOptions options{.seed = 7, .executions = 100};
  const std::string random = piece_of("random", options);
  EXPECT_TRUE(takes("random", options, random));
  EXPECT_FALSE(takes("pct", options, random));
  EXPECT_FALSE(takes("graph", options, random));
  EXPECT_FALSE(takes("random", {.seed = 8, .executions = 100}, random));
  EXPECT_FALSE(takes("pct", {.seed = 7, .pct_depth = 4}, piece_of("pct", options)));
  EXPECT_FALSE(takes("random", options, ""));
  EXPECT_FALSE(takes("random", options, random + "x"));
  for (std::size_t size = 0; size < random.size(); ++size)
    EXPECT_FALSE(takes("random", options, random.substr(0, size))) << size;
}

// Checksums tell what is damaged (work/run_state.h). What comes to an explorer all the same is refused,
// or is a range that it can run.
TEST(WalkDivision, DamagedPiecesAreRefusedOrRun) {
  RandomSource random(13, 0);
  unsigned refused = 0, run = 0;
  const Program program = parse("variables 0\nthread\nload r0 x0\nthread\nstore x0 1\n");
  ModelMachine machine(program);
  for (const std::string_view walk : kWalks) {
    const ExplorerOptions options{.seed = 7};
    const std::string piece = piece_of(walk, options);
    for (int i = 0; i < 5000; ++i) {
      std::string damaged = piece;
      for (unsigned n = 1 + random.below(2); n > 0; --n)
        damaged[random.below(static_cast<unsigned>(damaged.size()))] =
            static_cast<char>(random.below(256));
      const auto explorer = make_explorer(walk, options);
      if (!explorer->divisible()->take(damaged)) {
        ++refused;
        continue;
      }
      ++run;
      Sequence sequence;
      const Bounds bounds = bounds_for(0, 3);
      if (!explore(machine, *explorer, bounds, sequence).paused) continue;
      EXPECT_EQ(sequence.all.size(), 3u);
      EXPECT_EQ(explorer->divisible()->divide(1).size(), 1u);
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(run, 100u);
}

TEST(WalkDivision, OnlyThoseThatSaySoCanBeCut) {
  for (const ExplorerEntry& entry : explorer_registry()) {
    const bool cut = entry.name == "graph" || entry.covers == Covers::kSamples;
    EXPECT_EQ(is_divisible(entry.name), cut) << entry.name;
    EXPECT_EQ(make_explorer(entry.name, {})->divisible() != nullptr, cut) << entry.name;
  }
  EXPECT_FALSE(is_divisible("no algorithm"));
}

}  // namespace
}  // namespace mazur::model
