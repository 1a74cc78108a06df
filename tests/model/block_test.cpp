// Atomic blocks of the model machine: one event, whatever is in it.
#include "trace/atomic_block/block.h"

#include <gtest/gtest.h>

#include "explore/registry.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "oracle.h"
#include "verify.h"

namespace mazur::model {
namespace {

Event run_first(const Program& program, ThreadId thread = 0) {
  State state(&program);
  return state.run({thread, 0});
}

std::uint64_t classes(const char* text) {
  const Answer answer = brute_force(parse(text), 100'000);
  EXPECT_TRUE(answer.complete && answer.inconsistent.empty());
  return answer.classes.size();
}

void expect_agreement(const char* text) {
  const Program program = parse(text);
  const Answer answer = brute_force(program, 100'000, 200, /*observed=*/true);
  for (const std::string& name : exhaustive_explorers())
    for (const Subject& subject : subjects(name))
      EXPECT_EQ(verify(program, answer, subject), "") << subject.describe();
}

TEST(ModelBlock, IsOneEventWithAllItsAccesses) {
  const Program program = parse(
      "variables 3 0 0\nmutexes 1\nthread\n 0: atomic\n 1: load r0 x0\n 2: store x1 r0+1\n"
      " 3: store x1 9\n 4: load r1 x1\n 5: lock m0\n 6: end\n 7: load r2 x2\n");
  const Event event = run_first(program);
  ASSERT_EQ(event.label.kind, OpKind::kAtomicBlock);
  const auto list = block_table.contents(event.label);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].access.mode, mode::kRead);
  EXPECT_TRUE(list[0].reads);
  EXPECT_EQ(list[0].before, 3u);
  EXPECT_EQ(list[1].access.mode, mode::kWrite);
  EXPECT_FALSE(list[1].reads);  // it wrote it first
  EXPECT_EQ(list[1].before, 0u);
  EXPECT_EQ(list[1].after, 9u);
  EXPECT_EQ(list[2].access.space, Space::kMutex);
  EXPECT_EQ(list[2].access.mode, mode::kAcquire);
}

TEST(ModelBlock, WhatItLeavesAsItWasIsNotSeenOfAMutex) {
  const Program program =
      parse("mutexes 1\nthread\n 0: lock m0\n 1: atomic\n 2: unlock m0\n 3: lock m0\n 4: end\n");
  State state(&program);
  state.run({0, 0});
  EXPECT_TRUE(block_table.accesses(state.run({0, 0}).label).empty());
}

TEST(ModelBlock, AFailedAssumeUndoesIt) {
  const Program program = parse(
      "variables 5 0\nthread\n 0: atomic\n 1: store x0 1\n 2: load r0 x1\n"
      " 3: assume r0 == 1\n 4: end\n");
  State state(&program);
  const Event event = state.run({0, 0});
  EXPECT_FALSE(event.label.success);
  EXPECT_EQ(state.variable(0), 5);
  EXPECT_EQ(state.thread(0).life, Life::kAssumedAway);
  const auto list = block_table.accesses(event.label);
  ASSERT_EQ(list.size(), 1u);  // only what it looked at
  EXPECT_EQ(list[0].mode, mode::kRead);
}

TEST(ModelBlock, MisuseEndsTheThread) {
  const auto life_after = [](const char* text) {
    const Program program = parse(text);
    State state(&program);
    if (state.thread(0).life == Life::kLive) state.run({0, 0});
    return state.thread(0).life;
  };
  EXPECT_EQ(life_after("thread\n 0: end\n"), Life::kMisused);
  EXPECT_EQ(life_after("thread\n 0: atomic\n 1: yield\n 2: end\n"), Life::kMisused);
  EXPECT_EQ(life_after("mutexes 1\nthread\n 0: atomic\n 1: lock m0\n 2: lock m0\n 3: end\n"),
            Life::kMisused);
  EXPECT_EQ(life_after("variables 0\nthread\n 0: atomic\n 1: load r0 x0\n 2: assert r0 == 1\n"),
            Life::kFailedAssertion);
  EXPECT_EQ(life_after("variables 0\nthread\n 0: atomic\n 1: store x0 1\n"), Life::kEnded);
}

TEST(ModelBlock, BlocksNest) {
  const Program program = parse(
      "variables 0 0\nthread\n 0: atomic\n 1: atomic\n 2: store x0 1\n 3: end\n 4: store x1 1\n"
      " 5: end\n");
  EXPECT_EQ(block_table.accesses(run_first(program).label).size(), 2u);
}

TEST(ModelBlock, ManyBlocksOnOneSumHaveEveryOrder) {
  constexpr const char* kPi =
      "variables 0\n"
      "thread\n 0: atomic\n 1: load r0 x0\n 2: store x0 r0+1\n 3: end\n"
      "thread\n 0: atomic\n 1: load r0 x0\n 2: store x0 r0+1\n 3: end\n"
      "thread\n 0: atomic\n 1: load r0 x0\n 2: store x0 r0+1\n 3: end\n"
      "thread\n 0: atomic\n 1: load r0 x0\n 2: store x0 r0+1\n 3: end\n";
  EXPECT_EQ(classes(kPi), 24u);
  expect_agreement(kPi);
}

TEST(ModelBlock, TouchesOtherPlacesWhenItComesEarlier) {
  // Where the block stores depends on what it found.
  constexpr const char* kProgram =
      "variables 0 0 0\n"
      "thread\n 0: atomic\n 1: load r0 x0\n 2: store x1[r0] 1\n 3: end\n"
      "thread\n 0: store x0 1\n"
      "thread\n 0: load r0 x1\n"
      "thread\n 0: load r0 x2\n";
  EXPECT_EQ(classes(kProgram), 4u);
  expect_agreement(kProgram);
}

// What blocks write without having read it needs an observer like any store.
TEST(ModelBlock, WritesOfBlocksThatNobodyReadsHaveNoOrder) {
  constexpr const char* kUnread =
      "variables 0 0\n"
      "thread\n 0: atomic\n 1: store x0 1\n 2: load r0 x1\n 3: end\n"
      "thread\n 0: atomic\n 1: store x0 2\n 2: load r0 x1\n 3: end\n"
      "thread\n 0: store x0 3\n";
  Answer answer = brute_force(parse(kUnread), 100'000, 200, /*observed=*/true);
  EXPECT_EQ(answer.classes.size(), 6u);
  EXPECT_EQ(answer.observed_classes.size(), 1u);
  expect_agreement(kUnread);
  // A block that writes several places can be overwritten in part.
  constexpr const char* kInPart =
      "variables 0 0\n"
      "thread\n 0: atomic\n 1: store x0 1\n 2: store x1 1\n 3: end\n"
      "thread\n 0: atomic\n 1: store x0 2\n 2: store x1 2\n 3: end\n"
      "thread\n 0: store x0 3\n";
  answer = brute_force(parse(kInPart), 100'000, 200, /*observed=*/true);
  EXPECT_EQ(answer.classes.size(), 6u);
  EXPECT_EQ(answer.observed_classes.size(), 6u);
  expect_agreement(kInPart);
  // Each of them is seen last in a block that goes on depending on what it saw.
  expect_agreement(
      "variables 0 0 0\n"
      "thread\n 0: atomic\n 1: store x0 1\n 2: store x1 1\n 3: end\n"
      "thread\n 0: atomic\n 1: store x0 2\n 2: store x1 2\n 3: end\n"
      "thread\n 0: store x1 0\n"
      "thread\n 0: atomic\n 1: load r0 x1\n 2: store x0[r0] 1\n 3: end\n 4: load r1 x2\n");
}

TEST(ModelBlock, AConflictThatIsNoneLeavesNothingOut) {
  expect_agreement(
      "variables 0 0\n"
      "thread\n 0: store x1 0\n"
      "thread\n 0: load r0 x0\n"
      "thread\n 0: atomic\n 1: load r0 x1\n 2: end\n"
      "thread\n 0: store x1 0\n 1: store x0 0\n");
}

}  // namespace
}  // namespace mazur::model
