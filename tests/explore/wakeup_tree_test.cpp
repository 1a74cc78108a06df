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
  bool covers(const Trace& trace, EventIndex e, EventIndex f) const {
    Reversal v;
    v.race(trace, e, f, static_cast<EventIndex>(trace.size()));
    return trees_.covers(v, siblings_);
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

TEST_F(WakeupTree, WhatWasInsertedIsCovered) {
  // r reads what q wrote before: the second step of the branch is a step of v once q's is taken.
  const Trace trace = trace_of({p1, store(kQ, 16), load(kR, 16), r2});
  EXPECT_FALSE(covers(trace, 0, 3));
  EXPECT_TRUE(insert(trace, 0, 3));
  EXPECT_EQ(print(siblings_), "q(r(r))");
  EXPECT_TRUE(covers(trace, 0, 3));
}

TEST_F(WakeupTree, TakenNodesAreReused) {
  const Trace trace = trace_of({p1, q1, q2});
  EXPECT_EQ(trees_.peak_nodes(), 0u);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(insert(trace, 0, 2));
    EXPECT_LT(siblings_, 2u) << "nodes are numbered";
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

TEST_F(WakeupTree, WhatHasNoLeafIsRemovedToo) {
  const Event r3 = store(kR, 8);
  EXPECT_TRUE(insert(trace_of({p1, q1, q2, r3}), 0, 2));
  EXPECT_TRUE(insert(trace_of({p1, q1, r3, q2}), 0, 2));
  ASSERT_EQ(print(siblings_), "q(q r)");
  std::vector<StepId> path;
  std::string paths;
  const auto remove = [&](ThreadId thread) {
    trees_.remove_leaves(siblings_, path, [&](const std::vector<StepId>& steps) {
      for (StepId step : steps) paths += static_cast<char>('p' + steps_[step].thread);
      paths += ' ';
      return steps_[steps.back()].thread == thread;
    });
    EXPECT_TRUE(path.empty());
  };
  remove(kQ);
  EXPECT_EQ(paths, "qq qr ");
  EXPECT_EQ(print(siblings_), "q(r)");
  remove(kR);
  EXPECT_EQ(siblings_, WakeupTrees::kNone);
  EXPECT_EQ(trees_.nodes(), 0u);
}

TEST_F(WakeupTree, AllTreesAreForgottenAtOnce) {
  for (const Event& e : {p1, q1, r1}) trees_.append(siblings_, steps_.add(e));
  trees_.clear();
  EXPECT_EQ(trees_.nodes(), 0u);
  siblings_ = WakeupTrees::kNone;
  trees_.append(siblings_, steps_.add(r1));
  EXPECT_EQ(print(siblings_), "r");
  EXPECT_EQ(trees_.nodes(), 1u);
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
  sleep.truncate(0);
  sleep.push_empty();
  EXPECT_TRUE(sleep.at(0).empty());
}

// The sleep set of the empty prefix has these steps. v reverses the first two events of the trace.
class SleepingInitials : public testing::Test {
 protected:
  bool has_weak_initial(std::initializer_list<Event> sleepers, const Trace& trace) {
    StepTable steps;
    SleepSets sleep(steps);
    sleep.push_empty();
    for (const Event& e : sleepers) sleep.add(steps.add(e));
    v_.race(trace, 0, 1, static_cast<EventIndex>(trace.size()));
    return sleep.has_weak_initial_of(v_);
  }
  Reversal v_;
};

TEST_F(SleepingInitials, TheAnswerRestsOnWhatWasCompared) {
  const Trace trace = trace_of({store(0, 8), store(1, 8), load(2, 16)});
  EXPECT_FALSE(has_weak_initial({store(3, 8)}, trace));
  EXPECT_EQ(v_.settled_by(), 1u);
  EXPECT_TRUE(has_weak_initial({store(3, 8), load(2, 16)}, trace));
  EXPECT_EQ(v_.settled_by(), 2u) << "the step is an event of v";
  EXPECT_TRUE(has_weak_initial({load(3, 24)}, trace));
  EXPECT_EQ(v_.settled_by(), kNoEvent) << "the step is independent of all of v";
}

TEST_F(SleepingInitials, AllOutcomesOfTheLastStepHaveToSleep) {
  const Trace trace = trace_of({store(0, 8), store(1, 8)});
  Event first = store(1, 8);
  first.ways = 2;
  Event second = first;
  second.choice = 1;
  EXPECT_FALSE(has_weak_initial({first}, trace));
  EXPECT_EQ(v_.last().choice, 1);
  EXPECT_TRUE(has_weak_initial({first, second}, trace));
  EXPECT_TRUE(has_weak_initial({second, first}, trace)) << "in any order";
}

}  // namespace
}  // namespace mazur
