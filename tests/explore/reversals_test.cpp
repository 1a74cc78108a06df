// Which races are reversed again when an execution shares a prefix with the one before.
#include "explore/dpor/reversals.h"

#include <gtest/gtest.h>

#include <string>

#include "../trace/events.h"

namespace mazur {
namespace {

// Writes down what it is asked for, and says that each answer rests on the event `by`.
struct Recorder {
  EventIndex by;
  std::string calls = {};

  EventIndex race(EventIndex e, EventIndex f) {
    calls += std::to_string(e) + "-" + std::to_string(f) + " ";
    return by;
  }
  EventIndex disabling(const Waiting& w, std::span<const EventIndex>, const Event&) {
    calls += "disabling-" + std::to_string(w.end) + " ";
    return by;
  }
  EventIndex choice(EventIndex e, std::uint16_t choice) {
    calls += std::to_string(e) + ":" + std::to_string(choice) + " ";
    return by;
  }
};

class Settled : public testing::Test {
 protected:
  std::string reverse(const Trace& trace, EventIndex kept, EventIndex by,
                      const Frontier& frontier = {}) {
    Recorder recorder{by};
    races_.for_each(trace, trace, frontier, kept, recorder);
    EXPECT_TRUE(races_.complete());
    return recorder.calls;
  }
  SettledRaces races_;
};

TEST_F(Settled, AnAnswerThatRestsOnTheSharedPrefixStays) {
  const Trace trace = trace_of({store(0, 8), store(1, 8), store(0, 8), store(1, 8)});
  EXPECT_EQ(reverse(trace, 0, 2), "0-1 1-2 2-3 ");
  EXPECT_EQ(reverse(trace, 2, 2), "0-1 1-2 2-3 ") << "event 2 is another one now";
  EXPECT_EQ(reverse(trace, 3, 2), "2-3 ");
  EXPECT_EQ(reverse(trace, 4, 2), "");
  EXPECT_EQ(reverse(trace, 1, 2), "0-1 1-2 2-3 ") << "all after event 0 is new";
}

TEST_F(Settled, AnAnswerThatRestsOnEverythingIsAskedForAgain) {
  const Trace trace = trace_of({store(0, 8), store(1, 8)});
  for (EventIndex kept : {0u, 1u, 2u}) EXPECT_EQ(reverse(trace, kept, kNoEvent), "0-1 ") << kept;
}

TEST_F(Settled, Outcomes) {
  Event three = event(0, OpKind::kChoose, 0);
  three.ways = 3;
  three.choice = 1;
  const Trace trace = trace_of({three, store(1, 8)});
  EXPECT_EQ(reverse(trace, 0, 1), "0:0 0:2 ");
  EXPECT_EQ(reverse(trace, 1, 1), "0:0 0:2 ");
  EXPECT_EQ(reverse(trace, 2, 1), "");
  EXPECT_EQ(reverse(trace, 0, kNoEvent), "0:0 0:2 ");
  EXPECT_EQ(reverse(trace, 2, kNoEvent), "0:0 0:2 ");
  three.ways = 2;
  EXPECT_EQ(reverse(trace_of({three}), 0, 0), "0:0 ");
}

TEST_F(Settled, WhoIsBlockedAtTheEndIsAskedForEveryTime) {
  const Trace trace = trace_of({event(0, OpKind::kLock, 8)});
  Frontier frontier;
  Pending blocked;
  blocked.thread = 1;
  blocked.op.kind = OpKind::kLock;
  blocked.op.object = 8;
  blocked.enabled = false;
  frontier.mutable_threads().push_back(blocked);
  EXPECT_EQ(reverse(trace, 0, 0, frontier), "disabling-1 ");
  EXPECT_EQ(reverse(trace, 1, 0, frontier), "disabling-1 ");
}

TEST_F(Settled, LocksButNotThoseThatMayGrow) {
  // Races of unlock and lock are asked for, too; they cannot be reversed.
  const Trace mutex = trace_of({event(0, OpKind::kLock, 8), event(0, OpKind::kUnlock, 8),
                                event(1, OpKind::kLock, 8), event(1, OpKind::kUnlock, 8)});
  EXPECT_EQ(reverse(mutex, 0, 2), "1-2 disabling-2 ");
  EXPECT_EQ(reverse(mutex, 2, 2), "1-2 disabling-2 ");
  EXPECT_EQ(reverse(mutex, 3, 2), "");
  const Trace rwlock = trace_of({event(0, OpKind::kRdLock, 8), event(0, OpKind::kRdUnlock, 8),
                                 event(1, OpKind::kWrLock, 8), event(1, OpKind::kWrUnlock, 8)});
  EXPECT_EQ(reverse(rwlock, 0, 2), "1-2 disabling-2 ");
  EXPECT_EQ(reverse(rwlock, 4, 2), "disabling-2 ");
}

// What the last step of v would be can then not be found out.
TEST(Reversals, WithoutAProbeWhatIsUnknownIsLeftOut) {
  const Trace trace = trace_of({store(0, 8), store(1, 8)});
  Reversal v;
  v.race(trace, 0, 1, 2);
  Reversals reversals;
  EXPECT_TRUE(reversals.complete());
  EXPECT_FALSE(reversals.resolve(trace, v));
  EXPECT_FALSE(reversals.complete());
}

}  // namespace
}  // namespace mazur
