#include "explore/dpor/wakeup_tree.h"

#include <gtest/gtest.h>

#include "../trace/events.h"
#include "explore/dpor/sleep_set.h"
#include "explore/step_table.h"

namespace mazur {
namespace {

// Figure 1: p writes x; q reads y, x; r reads z, x.
constexpr ThreadId kP = 0, kQ = 1, kR = 2;
const Event p1 = store(kP, 8), q1 = load(kQ, 16), q2 = load(kQ, 8), r1 = load(kR, 24),
            r2 = load(kR, 8);

class WakeupTree : public testing::Test {
 protected:
  // Inserts the reversal of the race e <~ f.
  bool insert(const Trace& trace, EventIndex e, EventIndex f) {
    Reversal v;
    v.race(trace, e, f, static_cast<EventIndex>(trace.size()));
    return trees_.insert(v, siblings_);
  }
  // The tree as text: children in parentheses.
  std::string print(WakeupTrees::Node n) const {
    std::string s;
    for (; n != WakeupTrees::kNone; n = trees_.next(n)) {
      if (!s.empty()) s += ' ';
      s += static_cast<char>('p' + steps_[trees_.step(n)].thread);
      if (trees_.first_child(n) != WakeupTrees::kNone)
        s += '(' + print(trees_.first_child(n)) + ')';
    }
    return s;
  }

  StepTable steps_;
  WakeupTrees trees_{steps_};
  WakeupTrees::Node siblings_ = WakeupTrees::kNone;
};

TEST_F(WakeupTree, ThePapersExample) {
  // Section 6.2: after p has run, q.q goes in and r.r, consistent with it, does not.
  const Trace trace = trace_of({p1, q1, q2, r1, r2});
  EXPECT_TRUE(insert(trace, 0, 2));
  EXPECT_EQ(print(siblings_), "q(q)");
  EXPECT_FALSE(insert(trace, 0, 4));
  EXPECT_EQ(print(siblings_), "q(q)");
}

TEST_F(WakeupTree, PrefixesAreShared) {
  // Two ways to go on after q has read y: q reads x before p writes it, or r writes x first.
  const Event r3 = store(kR, 8);
  const Trace first = trace_of({p1, q1, q2, r3});
  EXPECT_TRUE(insert(first, 0, 2));  // q.q
  const Trace second = trace_of({p1, q1, r3, q2});
  EXPECT_TRUE(insert(second, 0, 2));  // r's write conflicts with q's second step only
  EXPECT_EQ(print(siblings_), "q(q r)");
  EXPECT_EQ(trees_.nodes(), 3u);
}

TEST_F(WakeupTree, TakenNodesAreReused) {
  const Trace trace = trace_of({p1, q1, q2});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(insert(trace, 0, 2));
    WakeupTrees::Node children = WakeupTrees::kNone;
    EXPECT_EQ(steps_[trees_.take_first(siblings_, children)].thread, kQ);
    EXPECT_EQ(print(children), "q");
    WakeupTrees::Node none = WakeupTrees::kNone;
    trees_.take_first(children, none);
    EXPECT_EQ(children, WakeupTrees::kNone);
    EXPECT_EQ(none, WakeupTrees::kNone);
  }
  EXPECT_EQ(trees_.nodes(), 0u);
  EXPECT_EQ(trees_.peak_nodes(), 2u);
}

TEST_F(WakeupTree, LeavesAreAppendedAndRemoved) {
  EXPECT_EQ(trees_.count(siblings_), 0u);
  for (const Event& e : {p1, q1, r1}) trees_.append(siblings_, steps_.add(e));
  EXPECT_EQ(print(siblings_), "p q r");
  EXPECT_EQ(trees_.count(siblings_), 3u);
  EXPECT_EQ(trees_.nodes(), 3u);
  std::vector<StepId> path;
  const auto is_q = [&](const std::vector<StepId>& steps) {
    return steps_[steps.back()].thread == kQ;
  };
  trees_.remove_leaves(siblings_, path, is_q);
  EXPECT_EQ(print(siblings_), "p r");
  EXPECT_EQ(trees_.count(siblings_), 2u);
  EXPECT_EQ(trees_.nodes(), 2u);
}

TEST_F(WakeupTree, ManyNodes) {
  // More than a piece of the pool holds, and all of it again after it was given back.
  constexpr std::size_t kMany = 40000;
  const StepId steps[] = {steps_.add(p1), steps_.add(q1), steps_.add(r1)};
  for (int round = 0; round < 2; ++round) {
    std::vector<WakeupTrees::Node> trees(kMany, WakeupTrees::kNone);
    for (std::size_t i = 0; i < kMany; ++i) trees_.append(trees[i], steps[i % 3]);
    EXPECT_EQ(trees_.nodes(), kMany);
    for (std::size_t i = 0; i < kMany; ++i) {
      WakeupTrees::Node children = 0;
      ASSERT_EQ(trees_.take_first(trees[i], children), steps[i % 3]) << i;
      ASSERT_EQ(trees[i], WakeupTrees::kNone) << i;
      ASSERT_EQ(children, WakeupTrees::kNone) << i;
    }
    EXPECT_EQ(trees_.nodes(), 0u);
  }
  EXPECT_EQ(trees_.peak_nodes(), kMany);
}

TEST(StepTable, ValuesDoNotMatterOutcomesDo) {
  StepTable steps;
  Event write = store(1, 64);
  const StepId id = steps.add(write);
  write.label.written = 5;
  write.label.pc = 77;
  EXPECT_EQ(steps.add(write), id);
  Event cas = event(1, OpKind::kCas, 64);
  const StepId yes = steps.add(cas);
  EXPECT_NE(steps.add(failed(cas)), yes);
  cas.thread = 2;
  EXPECT_NE(steps.add(cas), yes);
  cas.choice = 1;
  EXPECT_NE(steps.add(cas), steps.add(event(2, OpKind::kCas, 64)));
  for (ObjectId o = 0; o < 10000; ++o) steps.add(store(3, 128 + o * 8));
  EXPECT_EQ(steps.add(store(1, 64)), id) << "still found after growing";
}

TEST(SleepSets, DependentStepsWakeUp) {
  StepTable steps;
  SleepSets sleep(steps);
  sleep.push_empty();
  sleep.add(steps.add(store(0, 8)));
  sleep.add(steps.add(store(1, 16)));
  sleep.push_after(load(2, 8));
  ASSERT_EQ(sleep.at(1).size(), 1u);
  EXPECT_TRUE(sleep.contains(1, {1, 0}));
  EXPECT_FALSE(sleep.contains(1, {1, 1})) << "another outcome is another step";
  EXPECT_EQ(sleep.at(0).size(), 2u);
  sleep.push_after(load(1, 64));
  EXPECT_TRUE(sleep.at(2).empty()) << "a thread's own step";
  sleep.truncate(1);
  EXPECT_EQ(sleep.depth(), 1u);
  EXPECT_EQ(sleep.at(0).size(), 2u);
}

}  // namespace
}  // namespace mazur
