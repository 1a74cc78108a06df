#include "check/unrolling.h"

#include <gtest/gtest.h>

#include "protocol/bounds.h"

namespace mazur {
namespace {

Pending at(char place, ThreadId thread = 0, OpKind kind = OpKind::kLoad) {
  Pending p;
  p.thread = thread;
  p.enabled = true;
  p.op.kind = kind;
  p.pc = static_cast<std::uint64_t>(place);
  return p;
}

// Every loop has a bound.
class Bounded {
 public:
  explicit Bounded(std::uint32_t most) : bounds_{.unroll = most}, unrolling_(bounds_) {
    unrolling_.take_all();
  }
  Unrolling* operator->() { return &unrolling_; }

 private:
  const Bounds bounds_;
  Unrolling unrolling_;
};

// How many steps of the sequence run before one exceeds the bound.
std::size_t length(const std::string& places, std::uint32_t most) {
  Bounded unrolling(most);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (unrolling->exceeded(at(places[i]))) return i;
    unrolling->run(at(places[i]));
  }
  return places.size();
}

TEST(Unrolling, CountsVisits) {
  EXPECT_EQ(length("abc", 1), 3u);
  EXPECT_EQ(length("aaa", 3), 3u);
  EXPECT_EQ(length("aaaa", 3), 3u);
  EXPECT_EQ(length("ababab", 2), 4u);
  EXPECT_EQ(length("ababab", 3), 6u);
}

TEST(Unrolling, AnInnerLoopIsCountedAnewInEveryIteration) {
  EXPECT_EQ(length("abcbcbcabcbcbc", 3), 14u);
  EXPECT_EQ(length("abcbcbcabcbcbcbc", 3), 14u);
  EXPECT_EQ(length("abbabbabb", 2), 6u);
}

TEST(Unrolling, ThreadsAndOperationsAreToldApart) {
  Bounded unrolling(1);
  unrolling->run(at('a', 0));
  EXPECT_TRUE(unrolling->exceeded(at('a', 0)));
  EXPECT_FALSE(unrolling->exceeded(at('a', 1)));
  EXPECT_FALSE(unrolling->exceeded(at('a', 0, OpKind::kStore)));  // of the same call
  unrolling->run(at('b', 0, OpKind::kJoin));
  EXPECT_FALSE(unrolling->exceeded(at('b', 0, OpKind::kJoin)));
  unrolling->restart();
  EXPECT_FALSE(unrolling->exceeded(at('a', 0)));
}

TEST(Unrolling, AStoppedThreadIsAsAfterAFailedAssume) {
  Bounded unrolling(1);
  unrolling->run(at('a', 0));
  Frontier frontier;
  frontier.mutable_threads() = {at('a', 0), at('a', 1)};
  bool cut = false;
  const Frontier& limited = unrolling->limit(frontier, cut);
  EXPECT_TRUE(cut);
  EXPECT_FALSE(limited.threads()[0].enabled);
  EXPECT_EQ(limited.threads()[0].op.kind, OpKind::kNever);
  EXPECT_TRUE(limited.threads()[1].enabled);
}

TEST(Unrolling, ALoopWithABoundOfItsOwnKeepsToThatOne) {
  const Bounds bounds{.unroll = 5, .loop_count = 2, .loops = {7, 2}};
  Unrolling unrolling(bounds);
  unrolling.take_all();
  Pending named = at('a');
  named.loop_bound = 2;
  unrolling.run(named);
  EXPECT_FALSE(unrolling.exceeded(named));
  unrolling.run(named);
  EXPECT_TRUE(unrolling.exceeded(named));
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(unrolling.exceeded(at('b')));
    unrolling.run(at('b'));
  }
  EXPECT_TRUE(unrolling.exceeded(at('b')));
}

TEST(Unrolling, CutLoopsAreCountedOncePerThreadAndExecution) {
  Bounded unrolling(1);
  Frontier frontier;
  frontier.mutable_threads() = {at('a', 0), at('a', 1)};
  bool cut = false;
  for (int execution = 0; execution < 3; ++execution) {
    unrolling->restart();
    unrolling->run(at('a', 0));
    unrolling->limit(frontier, cut);
    unrolling->run(at('a', 1));
    unrolling->limit(frontier, cut);
  }
  ASSERT_EQ(unrolling->cut_loops().size(), 1u);
  EXPECT_EQ(unrolling->cut_loops()[0].pc, static_cast<std::uint64_t>('a'));
  EXPECT_EQ(unrolling->cut_loops()[0].most, 1u);
  EXPECT_EQ(unrolling->cut_loops()[0].times, 6u);
}

TEST(Cuts, AreNamedByTheirOptions) {
  Cuts cuts;
  EXPECT_TRUE(cuts.empty());
  EXPECT_EQ(reason(cuts), "");
  cuts.add(Cut::kPreemptions);
  cuts.add(Cut::kMaxSteps);
  EXPECT_EQ(names(Cuts(cuts.bits())),
            (std::vector<std::string_view>{"max-steps", "preemption-bound"}));
  EXPECT_EQ(reason(cuts),
            "executions were cut by --max-steps; schedules with more preemptions were left out by "
            "--preemption-bound");
}

}  // namespace
}  // namespace mazur
