// The words of JACM section 4, on the paper's examples, and Reversal against them.
#include "sequences.h"

#include <gtest/gtest.h>

#include "events.h"
#include "trace/blocking/blocking.h"
#include "trace/dependence.h"
#include "trace/reversal.h"

namespace mazur {
namespace {

// Figure 1: p writes x; q reads y, x; r reads z, x.
constexpr ThreadId kP = 0, kQ = 1, kR = 2;
const Event p1 = store(kP, 8), q1 = load(kQ, 16), q2 = load(kQ, 8), r1 = load(kR, 24),
            r2 = load(kR, 8);

std::vector<ThreadId> names(const Sequence& s) {
  std::vector<ThreadId> result;
  for (const Event& e : s) result.push_back(e.thread);
  return result;
}

TEST(Sequences, PrefixAndNotdep) {
  const Trace trace = trace_of({p1, q1, r1, q2, r2});
  EXPECT_EQ(names(pre(trace, 3)), (std::vector<ThreadId>{kP, kQ, kR}));
  EXPECT_EQ(names(notdep(trace, 0)), (std::vector<ThreadId>{kQ, kR}));
  EXPECT_EQ(names(notdep(trace, 1)), (std::vector<ThreadId>{kR, kR}));
}

TEST(Sequences, InitialsAndWeakInitials) {
  const Sequence w = {q1, p1, q2};
  EXPECT_EQ(initials(w), (std::vector<Step>{{kQ, 0}, {kP, 0}}));
  EXPECT_TRUE(is_weak_initial(r1, w)) << "r only reads z";
  EXPECT_FALSE(is_weak_initial(r2, w));
  EXPECT_TRUE(is_weak_initial(p1, {q1}));
  EXPECT_EQ(initials({p1, q2}), (std::vector<Step>{{kP, 0}}));
}

TEST(Sequences, OtherOutcomesAreOtherSteps) {
  Event choose = event(kP, OpKind::kChoose, 0);
  Event other = choose;
  other.choice = 1;
  EXPECT_TRUE(is_weak_initial(choose, {choose, q1}));
  EXPECT_FALSE(is_weak_initial(other, {choose, q1}));
}

TEST(Sequences, Consistency) {
  // The paper: q.q and r.r can start the same execution.
  EXPECT_TRUE(consistent(Sequence{q1, q2}, {r1, r2}));
  EXPECT_TRUE(consistent(Sequence{}, {p1}));
  EXPECT_FALSE(consistent(Sequence{p1}, {q1, q2}));
  EXPECT_TRUE(consistent(Sequence{q1, p1}, {p1, q1, q2}));
  EXPECT_FALSE(consistent(Sequence{q1, q2, p1}, {p1, q1, q2}));
}

class RandomReversals : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomReversals, testing::Range(0u, 40u));

Event with_outcome(Event e, int choice) {
  e.choice = static_cast<std::uint16_t>(choice);
  return e;
}

// Whatever is asked about v must be answered as the definitions do on v written out.
TEST_P(RandomReversals, AnswerLikeTheDefinitions) {
  RandomEvents random(GetParam());
  int checked = 0;
  for (int round = 0; round < 60; ++round) {
    const int threads = 3 + random.below(3);
    std::vector<Event> events;
    for (int i = 12 + random.below(20); i > 0; --i) events.push_back(random.memory(threads));
    const Trace trace = trace_of(events);
    for (EventIndex f = 0; f < trace.size(); ++f) {
      for (EventIndex e : trace.races(f)) {
        if (after_reversal(trace, e, f).label.success != trace[f].label.success) continue;
        Reversal v;
        v.race(trace, e, f, static_cast<EventIndex>(trace.size()));
        Sequence written = notdep(trace, e);
        written.push_back(trace[f]);
        // Take steps off, as along a path of a wakeup tree.
        std::vector<Event> rejected;
        for (int steps = 0; steps < 6; ++steps) {
          ASSERT_EQ(names(v.sequence()), names(written));
          const Event p = random.below(3) == 0 || written.empty()
                              ? random.memory(threads)
                              : written[static_cast<std::size_t>(
                                    random.below(static_cast<int>(written.size())))];
          const std::size_t at = initial_at(written, p.thread);
          const bool initial = at != written.size();
          const Reversal::Match match = v.match(p);
          ASSERT_EQ(v.is_initial(p.step()), initial);
          ASSERT_EQ(match == Reversal::Match::kInitial, initial);
          if (!initial) {
            ASSERT_EQ(match == Reversal::Match::kIndependent, independent(p, written));
          }
          ++checked;
          if (match == Reversal::Match::kConflict) {
            rejected.push_back(p);
            continue;
          }
          v.take(p, match);
          if (initial) written.erase(written.begin() + static_cast<std::ptrdiff_t>(at));
          rejected.clear();
        }
        // What is needed is a prefix of v up to equivalence, and still rejects what v rejected.
        Sequence needed;
        v.for_each_needed([&](const Event& x) { needed.push_back(x); });
        EXPECT_TRUE(consistent(needed, written));
        for (const Event& p : rejected) EXPECT_FALSE(is_weak_initial(p, needed));
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(Reversal, TheNextOutcomeOfASignal) {
  Event signal = event(1, OpKind::kCondSignal, 8);
  const Trace trace = trace_of({event(0, OpKind::kCondWait, 8), signal});
  Reversal v;
  v.race(trace, 0, 1, 2);
  signal.ways = 2;
  EXPECT_EQ(v.match(signal), Reversal::Match::kInitial);
  EXPECT_TRUE(v.try_next_choice(signal));
  EXPECT_EQ(v.match(signal), Reversal::Match::kConflict);
  EXPECT_EQ(v.match(with_outcome(signal, 1)), Reversal::Match::kInitial);
  EXPECT_FALSE(v.try_next_choice(with_outcome(signal, 1))) << "there are only two";
}

TEST(Reversal, SettledByThePrefixItRestsOn) {
  // The race 0-1; events 2 and 3 are independent of both.
  const Trace trace = trace_of({store(0, 8), store(1, 8), store(2, 16), store(3, 24)});
  Reversal v;
  v.race(trace, 0, 1, 4);
  EXPECT_EQ(v.settled_by(), 1u);
  EXPECT_EQ(v.match(store(2, 16)), Reversal::Match::kInitial);
  v.take(store(2, 16), Reversal::Match::kInitial);
  EXPECT_EQ(v.settled_by(), 2u);
  EXPECT_EQ(v.match(store(4, 64)), Reversal::Match::kIndependent);
  v.take(store(4, 64), Reversal::Match::kIndependent);
  EXPECT_EQ(v.settled_by(), kNoEvent) << "another suffix may depend on the store to 64";
}

TEST(Reversal, TheEndOfTheProcessIsInNoSequence) {
  const Trace trace =
      trace_of({store(0, 8), store(1, 8), store(2, 16), event(0, OpKind::kExit, 0)});
  Reversal v;
  v.race(trace, 0, 1, 4);
  const std::vector<Event> sequence = v.sequence();
  ASSERT_EQ(sequence.size(), 2u);
  EXPECT_EQ(sequence[0].thread, 2);
  EXPECT_EQ(sequence[1].thread, 1);
  // Without the end of the process, nothing is left out.
  v.race(trace, 0, 1, 3);
  EXPECT_EQ(v.sequence().size(), 2u);
  v.race(trace, 0, 1, 2);
  EXPECT_EQ(v.sequence().size(), 1u);
}

TEST(Reversal, SomeOperationsDependOnMoreWhenTheyComeEarlier) {
  const Label write = store(0, 64, 4).label;
  const auto cas = [](ObjectId object, std::uint32_t size) {
    return event(1, OpKind::kCas, object, size).label;
  };
  EXPECT_FALSE(may_gain_dependences(write, cas(64, 4))) << "it depends on what the write does";
  EXPECT_FALSE(may_gain_dependences(write, cas(66, 2)));
  EXPECT_TRUE(may_gain_dependences(write, cas(62, 4)));
  EXPECT_TRUE(may_gain_dependences(write, cas(66, 4)));
  EXPECT_FALSE(may_gain_dependences(write, failed(event(1, OpKind::kCas, 66, 4)).label));
  EXPECT_FALSE(may_gain_dependences(write, load(1, 66, 4).label));
  EXPECT_FALSE(may_gain_dependences(write, store(1, 66, 4).label));
  EXPECT_TRUE(may_gain_dependences(write, event(1, OpKind::kFutexWait, 64, 4).label));
  EXPECT_FALSE(may_gain_dependences(write, failed(event(1, OpKind::kFutexWait, 64, 4)).label));
  EXPECT_TRUE(may_gain_dependences(write, event(1, OpKind::kAtomicBlock, 0, 0).label)) << "unknown";
}

// With two places left in the phase, an arrival is independent of one other, but not of two.
TEST(Reversal, AnArrivalNeedsItsPlace) {
  const auto arrive = [](ThreadId thread, std::uint32_t capacity, std::uint64_t phase) {
    Event e = event(thread, OpKind::kBarrierArrive, 8, capacity);
    e.label.written = phase;
    return e;
  };
  const auto matched = [&](std::uint32_t capacity) {
    const Trace trace = trace_of({store(0, 64), arrive(2, capacity, 0), store(1, 64)});
    Reversal v;
    v.race(trace, 0, 2, 3);
    return v.match(arrive(3, capacity, 0));
  };
  EXPECT_EQ(matched(1), Reversal::Match::kConflict);
  EXPECT_EQ(matched(2), Reversal::Match::kIndependent);

  // Arrivals that have been taken have their places, until v begins again.
  const Trace trace = trace_of({store(0, 64), arrive(2, 2, 0), store(1, 64)});
  Reversal v;
  v.race(trace, 0, 2, 3);
  const Event other = arrive(3, 2, 0);
  EXPECT_EQ(v.match(other), Reversal::Match::kIndependent);
  v.take(other, Reversal::Match::kIndependent);
  EXPECT_EQ(v.match(arrive(4, 2, 0)), Reversal::Match::kConflict);
  v.restart();
  EXPECT_EQ(v.match(arrive(4, 2, 0)), Reversal::Match::kIndependent);
}

}  // namespace
}  // namespace mazur
