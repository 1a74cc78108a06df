// What `graph` does not know it must refuse, and what was once wrong must stay right.
#include <gtest/gtest.h>

#include "check/loop.h"
#include "explore/graph/graph.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "weak_verify.h"

namespace mazur::model {
namespace {

class Silent final : public Watcher {
 public:
  void failed(const Trace&, const Frontier&, const Failure&) override {}
  void ended(const Trace&, const Tally&, End) override {}
};

Outcome run_graph(Machine& machine, MemoryModel memory) {
  const auto explorer = make_graph({.memory = memory});
  Silent silent;
  return explore(machine, *explorer, Bounds{.max_steps = 1000}, silent);
}

Outcome run_graph(const char* text, MemoryModel memory = MemoryModel::kSc) {
  const Program program = parse(text);
  ModelMachine machine(program);
  return run_graph(machine, memory);
}

void expect_refusal(const char* text, MemoryModel memory = MemoryModel::kSc) {
  const Outcome outcome = run_graph(text, memory);
  EXPECT_EQ(outcome.verdict, Verdict::kUnsupported) << text;
  EXPECT_NE(outcome.reason.find("does not know"), std::string::npos) << outcome.reason;
}

TEST(Graph, RefusesWhatItDoesNotKnow) {
  expect_refusal("variables 0\nthread\n  0: await x0 == 1\nthread\n  0: store x0 1\n");
  expect_refusal("variables 0\nthread\n  0: futexwake x0 1\n");
  expect_refusal("variables 0 0\nthread\n  0: spinboth x0 x1 == 0\nthread\n  0: store x0 1\n");
  for (const MemoryModel memory : {MemoryModel::kTso, MemoryModel::kPso, MemoryModel::kCpp20})
    expect_refusal("variables 0\nthread\n  0: atomic\n  1: store x0 1\n  2: end\n", memory);
  expect_refusal(
      "mutexes 1\nconditions 1\nthread\n  0: lock m0\n  1: timedwait r0 c0 m0\n  2: unlock m0\n");
}

TEST(Graph, RefusesAccessesOfDifferentSizes) {
  expect_refusal("variables 0\nthread\n  0: store x0 1\nthread\n  0: loadpart r0 x0 1\n");
}

TEST(Graph, RefusesExchangesThatWaitUnderAWeakModel) {
  const char* const text = "variables 1\nthread\n  0: spinswap x0 1\nthread\n  0: store x0 0\n";
  EXPECT_TRUE(run_graph(text).finished);
  expect_refusal(text, MemoryModel::kTso);
}

// A machine that says nothing about memory models knows sequential consistency.
TEST(Graph, NeedsAMachineThatKnowsTheModel) {
  class Other final : public Machine {
   public:
    void restart() override {}
    const Frontier& frontier() override { return frontier_; }
    const Event& run(Step) override { return event_; }
    const Failure* failure() const override { return nullptr; }
    bool finished() const override { return true; }

   private:
    Frontier frontier_;
    Event event_;
  };
  Other machine;
  EXPECT_TRUE(run_graph(machine, MemoryModel::kSc).finished);
  EXPECT_EQ(run_graph(machine, MemoryModel::kCpp20).verdict, Verdict::kUnsupported);
}

// What locks and the like do rests on tests.
TEST(Graph, ProvesProgramsWithoutLocks) {
  for (const MemoryModel memory : {MemoryModel::kSc, MemoryModel::kCpp20}) {
    const Outcome outcome = run_graph(
        "variables 0\nthread\n  0: store.relaxed x0 1\n  1: fence\n  2: spawn t2\n"
        "thread\n  0: fetch_add r0 x0 1\n  1: choose r1 2\n  2: cas r0 x0 1 2\n"
        "thread spawned\n  0: load r0 x0\n",
        memory);
    EXPECT_TRUE(outcome.finished);
    EXPECT_EQ(outcome.verdict, Verdict::kVerified) << outcome.reason;
  }
}

TEST(Graph, ProvesWhatWaits) {
  for (const char* text : {"mutexes 1\nthread\n  0: lock m0\n  1: unlock m0\n",
                           "semaphores 1\nthread\n  0: semwait s0\n",
                           "variables 1\nthread\n  0: spin x0 == 1\nthread\n  0: store x0 0\n"}) {
    const Outcome outcome = run_graph(text);
    EXPECT_TRUE(outcome.finished) << outcome.reason;
    EXPECT_EQ(outcome.verdict, Verdict::kVerified) << text;
  }
}

std::uint64_t executions(const char* text) {
  const Outcome outcome = run_graph(text);
  EXPECT_EQ(outcome.verdict, Verdict::kVerified) << outcome.reason;
  return outcome.tally.complete;
}

// As many as `optimal` has, but where a chain has more orders than make a difference.
TEST(Graph, CountsOfMessagesTablesAndBlocks) {
  // Messages in two orders, then none that is received; one that is not accepted; a time limit.
  EXPECT_EQ(executions("mailboxes 1\nthread\n  0: receive r0 -1\n  1: receive r1 -1\n"
                       "thread\n  0: send q0 1 0\nthread\n  0: send q0 2 0\n"),
            2u);
  EXPECT_EQ(executions("mailboxes 1\nthread\n  0: receive r0 2\n"
                       "thread\n  0: send q0 1 0\n  1: send q0 2 1\n"),
            1u);
  EXPECT_EQ(executions("mailboxes 1\nthread\n  0: receiveafter r0 -1\n"
                       "thread\n  0: send q0 1 0\n  1: send q0 1 0\n"),
            2u);
  // In vain before, between and after two messages of another kind: one class.
  EXPECT_EQ(executions("mailboxes 1\nthread\n  0: receiveafter r0 2\n"
                       "thread\n  0: send q0 1 0\n  1: send q0 1 0\n"),
            3u);
  EXPECT_EQ(executions("keys 2\nthread\n  0: insert k0 1\n  1: lookup r0 k1\n"
                       "thread\n  0: insert k1 1\n  1: lookup r0 k0\n"),
            3u);
  // Blocks with nothing in common have two orders, too.
  EXPECT_EQ(executions("variables 0 0\nthread\n  0: atomic\n  1: store x0 1\n  2: end\n"
                       "thread\n  0: atomic\n  1: store x1 1\n  2: end\n"),
            2u);
  // The wide location grows: x1 is stored to before a block has touched it.
  EXPECT_EQ(executions("variables 0 0\nthread\n  0: store x1 1\n"
                       "thread\n  0: atomic\n  1: load r0 x0\n  2: load r0 x1\n  3: end\n"),
            2u);
}

// Condition variables whose mutex a block touches.
TEST(Graph, RefusesOtherOperationsOnWhatBlocksTouch) {
  expect_refusal(
      "mutexes 1\nconditions 1\nthread\n  0: atomic\n  1: trylock r0 m0\n  2: unlock m0\n"
      "  3: end\nthread\n  0: lock m0\n  1: wait c0 m0\n  2: unlock m0\n");
}

TEST(Graph, WhatWasOnceWrongOrIsRare) {
  const char* const programs[] = {
      // A round that could not read an update, because its thread had read a newer store, was
      // deleted as if it had to wait again.
      "variables 0\nthread\n  0: cas.acquire r0 x0 0 0\nthread\n  0: spin x0 >= 0\n"
      "thread\n  0: store.relaxed x0 0\n  1: store.release x0 0\n",
      // A release store is a barrier for the stores around it.
      "variables 0 0\nthread\n  0: store x1 0\n  1: store.release x0 0\n"
      "thread\n  0: store.relaxed x0 0\n  1: store.release x0 0\n  2: store.relaxed x1 0\n",
      // Right so far, but rare in random programs: an update that was revisited revisits the load;
      // a signal that was revisited has two to choose from; a release sequence; a compare-exchange
      // that fails drains a store buffer.
      "variables 0\nthread\n  0: store.relaxed x0 1\nthread\n  0: load.relaxed r0 x0\n"
      "thread\n  0: fetch_add.relaxed r0 x0 4\nthread\n  0: store.relaxed x0 2\n",
      "mutexes 1\nconditions 1\nthread\n  0: signal c0\n"
      "thread\n  0: lock m0\n  1: wait c0 m0\n  2: unlock m0\n"
      "thread\n  0: lock m0\n  1: wait c0 m0\n  2: unlock m0\n",
      "variables 0 0\nthread\n  0: store.relaxed x0 1\n  1: store.release x1 1\n"
      "thread\n  0: fetch_add.relaxed r0 x1 1\n"
      "thread\n  0: load.acquire r0 x1\n  1: load.relaxed r1 x0\n",
      "variables 0 0\nthread\n  0: store.relaxed x0 1\n  1: cas.relaxed r0 x1 1 2\n"
      "thread\n  0: store.relaxed x1 3\n  1: cas.relaxed r0 x0 2 4\n",
      // Fences of a store buffer, an update between seq_cst accesses (Z6.U), and readers of a rwlock
      // that do not synchronise.
      "variables 0 0\nthread\n  0: store.relaxed x0 1\n  1: fence.release\n"
      "  2: store.relaxed x1 1\nthread\n  0: load.relaxed r0 x1\n  1: load.relaxed r1 x0\n",
      "variables 0 0\nthread\n  0: store x0 1\n  1: store.release x1 1\n"
      "thread\n  0: fetch_add r0 x1 1\n  1: load.relaxed r1 x1\n"
      "thread\n  0: store x1 3\n  1: load r0 x0\n",
      "variables 0 0\nrwlocks 1\nthread\n  0: store.relaxed x0 1\n  1: rdlock w0\n  2: rwunlock "
      "w0\n"
      "  3: store.relaxed x1 1\nthread\n  0: load.relaxed r0 x1\n  1: rdlock w0\n"
      "  2: rwunlock w0\n  3: load.relaxed r1 x0\n",
      // The creation of a thread comes before all its events, not only before the first.
      "variables 0 0\nthread\n  0: store.release x1 0\n  1: spawn t1\n"
      "thread spawned\n  0: store.relaxed x0 0\n  1: load.relaxed r0 x1\n",
      // Who receives a message acquires from no earlier one. An operation on a table is a fence for
      // store buffers, and acquires what was released by the one that left the entry.
      "variables 0\nmailboxes 1\nthread\n  0: receive r0 2\n  1: load.relaxed r1 x0\n"
      "thread\n  0: store.relaxed x0 1\n  1: send q0 1 0\nthread\n  0: send q0 1 1\n",
      "variables 0 0\nkeys 2\nthread\n  0: store.relaxed x0 1\n  1: lookup r0 k0\n"
      "  2: load.relaxed r1 x1\nthread\n  0: store.relaxed x1 1\n  1: insert k1 1\n"
      "  2: load.relaxed r1 x0\n",
      "variables 0\nkeys 1\nthread\n  0: store.relaxed x0 1\n  1: insert k0 1\n"
      "thread\n  0: lookup r0 k0\n  1: load.relaxed r1 x0\n",
  };
  for (const char* text : programs) {
    const WeakFindings findings = verify_weak(parse(text), 1, 10'000);
    EXPECT_FALSE(findings.too_large);
    EXPECT_EQ(findings.what, "") << text;
  }
}

}  // namespace
}  // namespace mazur::model
