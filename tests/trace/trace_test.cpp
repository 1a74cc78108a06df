#include "trace/trace.h"

#include <gtest/gtest.h>

#include "events.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// The order as it is defined: the transitive closure of program order, creation, join and
// dependence.
std::vector<std::vector<bool>> closure(const std::vector<Event>& events) {
  const std::size_t n = events.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t j = 0; j < n; ++j) {
    before[j][j] = true;
    for (std::size_t i = 0; i < j; ++i) {
      const Event& a = events[i];
      const Event& b = events[j];
      const bool direct = a.thread == b.thread || dependent(a, b) ||
                          (a.label.kind == OpKind::kCreate && a.label.object == b.thread) ||
                          (b.label.kind == OpKind::kJoin && b.label.object == a.thread);
      if (!direct) continue;
      for (std::size_t k = 0; k <= i; ++k)
        if (before[k][i]) before[k][j] = true;
    }
  }
  return before;
}

void expect_order(const Trace& trace, const std::vector<Event>& events) {
  const auto before = closure(events);
  const auto n = static_cast<EventIndex>(events.size());
  ASSERT_EQ(trace.size(), n);
  for (EventIndex f = 0; f < n; ++f) {
    std::vector<EventIndex> races;
    for (EventIndex e = f + 1; e-- > 0;) {
      ASSERT_EQ(trace.happens_before(e, f), before[e][f]) << e << " -> " << f;
      if (e == f || !before[e][f] || events[e].thread == events[f].thread) continue;
      bool between = false;
      for (EventIndex x = e + 1; x < f; ++x) between = between || (before[e][x] && before[x][f]);
      const bool lifecycle =
          (events[e].label.kind == OpKind::kCreate && events[e].label.object == events[f].thread) ||
          events[f].label.kind == OpKind::kJoin;
      if (!between && !lifecycle) races.push_back(e);
    }
    ASSERT_EQ(std::vector<EventIndex>(trace.races(f).begin(), trace.races(f).end()), races)
        << "races of " << f;
    EventIndex latest = kNoEvent;
    for (EventIndex e = 0; e < f; ++e)
      if (before[e][f]) latest = e;
    EXPECT_EQ(trace.latest_predecessor(f), latest);
  }
}

TEST(Trace, RunningExampleOfThePaper) {
  // Figure 4: p writes x, q reads y and x, r reads z and x.
  const Trace trace =
      trace_of({store(0, 1 * 8), load(1, 2 * 8), load(2, 3 * 8), load(1, 1 * 8), load(2, 1 * 8)});
  EXPECT_TRUE(trace.happens_before(0, 3));
  EXPECT_TRUE(trace.happens_before(0, 4));
  EXPECT_FALSE(trace.happens_before(3, 4));
  EXPECT_FALSE(trace.happens_before(0, 1));
  ASSERT_EQ(trace.races(3).size(), 1u);
  EXPECT_EQ(trace.races(3)[0], 0u);
  EXPECT_EQ(trace.program_predecessor(4), 2u);
  EXPECT_EQ(trace.program_predecessor(0), kNoEvent);
  EXPECT_EQ(trace.last_of(1), 3u);
  EXPECT_EQ(trace.last_of(7), kNoEvent);
}

TEST(Trace, AWriteBetweenHidesTheRace) {
  const Trace trace = trace_of({store(0, 8), store(1, 8), load(2, 8)});
  ASSERT_EQ(trace.races(2).size(), 1u);
  EXPECT_EQ(trace.races(2)[0], 1u);
}

TEST(Trace, BytesDecide) {
  // Bytes 0-1, then 2-3, then all of 0-3, then byte 3.
  const Trace trace = trace_of({store(0, 64, 2), store(1, 66, 2), load(2, 64, 4), store(3, 67, 1)});
  EXPECT_FALSE(trace.happens_before(0, 1));
  EXPECT_EQ(trace.races(2).size(), 2u);
  EXPECT_TRUE(trace.happens_before(1, 3));
  ASSERT_EQ(trace.races(3).size(), 1u);
  EXPECT_EQ(trace.races(3)[0], 2u);
}

TEST(Trace, CreationAndJoinOrderButDoNotRace) {
  Event create = event(0, OpKind::kCreate, 1);
  Event join = event(0, OpKind::kJoin, 1);
  const Trace trace = trace_of({create, load(0, 8), store(1, 16), join});
  EXPECT_EQ(trace.program_predecessor(2), 0u);
  EXPECT_TRUE(trace.happens_before(0, 2));
  EXPECT_FALSE(trace.happens_before(1, 2));
  EXPECT_TRUE(trace.happens_before(2, 3));
  EXPECT_TRUE(trace.races(2).empty());
  EXPECT_TRUE(trace.races(3).empty());
  // A child that does nothing: its creation counts as its end.
  const Trace idle = trace_of({event(2, OpKind::kCreate, 3), event(0, OpKind::kJoin, 3)});
  EXPECT_TRUE(idle.happens_before(0, 1));
}

TEST(Trace, ArrivalsOfOnePhaseCommute) {
  const auto arrive = [](ThreadId t, std::uint64_t phase) {
    Event e = event(t, OpKind::kBarrierArrive, 8, 2);
    e.label.written = phase;
    return e;
  };
  Event depart = event(0, OpKind::kBarrierDepart, 8, 2);
  depart.label.value = 0;
  const Trace trace = trace_of({arrive(0, 0), arrive(1, 0), depart, arrive(2, 1), arrive(3, 1)});
  EXPECT_FALSE(trace.happens_before(0, 1));
  EXPECT_TRUE(trace.happens_before(1, 2));
  EXPECT_TRUE(trace.happens_before(0, 3));
  EXPECT_FALSE(trace.happens_before(2, 3));
  EXPECT_FALSE(trace.happens_before(3, 4));
  EXPECT_EQ(trace.races(4).size(), 2u);
}

// Another barrier in the same place begins with nobody, even if fewer than its places had arrived.
TEST(Trace, ArrivalsAtAnEarlierBarrierDoNotCount) {
  Event end = event(0, OpKind::kDestroy, 64);
  end.label.value = static_cast<std::uint64_t>(Space::kQueue);
  end.label.read = 1;  // the first phase was full: one arrival was enough
  Event arrive = event(1, OpKind::kBarrierArrive, 64, 3);
  const Trace trace = trace_of({arrive, end});
  EXPECT_EQ(trace.history().arrived(64, 3, 1), 1u);
  EXPECT_EQ(trace.history().arrived(64, 3, 2), 0u);
  EXPECT_TRUE(trace.happens_before(0, 1));
  // A thread still waits: the attempt is an error, and changes nothing.
  end.label.read = 0;
  EXPECT_EQ(trace_of({arrive, end}).history().arrived(64, 3, 2), 1u);
}

TEST(Trace, AFullPhaseOfABarrierHasNoArrivals) {
  const auto arrive = [](ThreadId t, std::uint64_t phase) {
    Event e = event(t, OpKind::kBarrierArrive, 64, 2);
    e.label.written = phase;
    return e;
  };
  const Trace trace = trace_of({arrive(0, 0), arrive(1, 0), arrive(2, 1), arrive(0, 1)});
  for (const auto& [end, count] :
       std::vector<std::pair<EventIndex, std::uint64_t>>{{0, 0}, {1, 1}, {2, 0}, {3, 1}, {4, 0}})
    EXPECT_EQ(trace.history().arrived(64, 2, end), count) << end;
  EXPECT_EQ(trace.history().arrived(72, 2, 4), 0u) << "another barrier";
}

TEST(Trace, TheLastSignalThatWokeAThread) {
  const auto signal = [](std::uint64_t woken) {
    Event e = event(0, OpKind::kCondSignal, 8);
    e.label.written = woken;
    return e;
  };
  const Trace trace = trace_of({signal(1 << 1), signal(1 << 2), signal(1 << 1), signal(0)});
  const History& history = trace.history();
  EXPECT_EQ(history.last_waking(8, 1, 4), 2u);
  EXPECT_EQ(history.last_waking(8, 1, 2), 0u);
  EXPECT_EQ(history.last_waking(8, 1, 0), kNoEvent);
  EXPECT_EQ(history.last_waking(8, 2, 4), 1u);
  EXPECT_EQ(history.last_waking(8, 3, 4), kNoEvent);
  EXPECT_EQ(history.last_waking(16, 1, 4), kNoEvent);
}

TEST(Trace, AWakeUpHappensAfterTheSignalThatChoseIt) {
  Event signal = event(0, OpKind::kCondSignal, 8);
  signal.label.written = 1 << 2;
  Event other = event(1, OpKind::kCondSignal, 8);
  other.label.written = 1 << 3;
  Event wake = event(2, OpKind::kCondWake, 8);
  wake.label.object2 = 16;
  Event timed = event(4, OpKind::kCondWake, 8);
  timed.label.object2 = 24;
  timed.label.timed = true;
  const Trace trace = trace_of({signal, other, wake, timed});
  EXPECT_TRUE(trace.happens_before(0, 2));
  EXPECT_FALSE(trace.happens_before(1, 2));
  EXPECT_TRUE(trace.happens_before(1, 3));
}

class RandomTraces : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomTraces, testing::Range(0u, 40u));

TEST_P(RandomTraces, ClocksAndRacesAreThoseOfTheDefinition) {
  RandomEvents random(GetParam());
  for (int round = 0; round < 20; ++round) {
    const int threads = 2 + random.below(5);
    std::vector<Event> events;
    const int n = 5 + random.below(40);
    for (int i = 0; i < n; ++i)
      events.push_back(GetParam() % 2 == 0 ? random.memory(threads) : random.any(threads, events));
    expect_order(trace_of(events), events);
  }
}

// Truncates both to the same length.
void keep_some(RandomEvents& random, std::vector<Event>& events, Trace& trace) {
  events.resize(static_cast<std::size_t>(random.below(static_cast<int>(events.size()) + 1)));
  trace.truncate(events.size());
}

TEST_P(RandomTraces, TruncatingUndoesExactly) {
  RandomEvents random(GetParam() + 1000);
  Trace trace;
  std::vector<Event> events;
  for (int round = 0; round < 60; ++round) {
    keep_some(random, events, trace);
    for (int i = random.below(12); i > 0; --i) {
      events.push_back(random.any(4 + round / 10, events));
      trace.append(events.back());
    }
    expect_order(trace, events);
  }
}

TEST_P(RandomTraces, AnOrderThatWasLeftOutIsFoundLater) {
  RandomEvents random(GetParam() + 2000);
  Trace trace;
  std::vector<Event> events;
  for (int round = 0; round < 60; ++round) {
    keep_some(random, events, trace);
    trace.postpone_order(random.below(3) > 0);
    for (int i = random.below(12); i > 0; --i) {
      // In some rounds there are operations that have their order at once.
      events.push_back(round % 10 < 7 ? random.memory(4) : random.any(4, events));
      if (round % 10 < 5 && events.back().label.kind != OpKind::kLoad)
        events.back().label.kind = OpKind::kStore;
      trace.append(events.back());
    }
    if (random.below(2) > 0) continue;
    trace.complete();
    expect_order(trace, events);
  }
}

TEST(Trace, OnlyTheOrderOfLoadsAndStoresIsLeftOut) {
  Trace trace;
  trace.postpone_order(true);
  trace.append(store(0, 8));
  trace.append(store(1, 8));
  trace.append(event(2, OpKind::kLock, 16));
  EXPECT_EQ(trace.races(1).size(), 1u);  // without complete()
  trace.append(store(3, 8));
  EXPECT_TRUE(trace.happens_before(0, 3));
}

// The table of objects grows on the way.
TEST(Trace, RacesOnManyObjectsAreAllFound) {
  constexpr ObjectId kObjects = 1000;
  Trace trace;
  for (const ThreadId thread : {0, 1})
    for (ObjectId i = 0; i < kObjects; ++i) trace.append(store(thread, 64 + i * 8));
  for (EventIndex i = 0; i < kObjects; ++i) {
    const auto f = static_cast<EventIndex>(kObjects + i);
    EXPECT_TRUE(trace.happens_before(i, f));
    ASSERT_EQ(trace.races(f).size(), 1u);
    EXPECT_EQ(trace.races(f)[0], i);
  }
}

// Whether the order of an event is left out shows in what the history has of it.
TEST(Trace, TheOrderIsLeftOutAgainWhenWhatNeededItIsGone) {
  Trace trace;
  trace.postpone_order(true);
  trace.append(store(0, 8));
  trace.append(load(1, 8));
  EXPECT_EQ(trace.history().size(), 0u);
  Event round = load(2, 8);
  round.label.object2 = 1;  // a loop that waits
  trace.append(round);
  EXPECT_EQ(trace.history().size(), 3u);
  trace.truncate(2);
  EXPECT_EQ(trace.history().size(), 2u);
  trace.append(load(3, 8));
  EXPECT_EQ(trace.history().size(), 2u);
  trace.complete();
  EXPECT_EQ(trace.history().size(), 3u);
  EXPECT_EQ(trace.races(2).size(), 1u);
}

TEST(Trace, SequenceKeepsOnlyEvents) {
  Trace trace(Trace::Relation::kSequence);
  for (ThreadId t = 0; t < 3; ++t) trace.append(store(t, 8));
  EXPECT_EQ(trace.last_of(1), 1u);
  trace.truncate(1);
  EXPECT_EQ(trace.size(), 1u);
  EXPECT_EQ(trace.last_of(1), kNoEvent);
}

}  // namespace
}  // namespace mazur
