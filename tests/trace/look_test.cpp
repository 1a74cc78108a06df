#include "trace/blocking/look.h"

#include <gtest/gtest.h>

#include "events.h"
#include "trace/blocking/blocking.h"

namespace mazur {
namespace {

constexpr ObjectId kX = 64;

class Looks : public testing::Test {
 protected:
  void TearDown() override { forget_looks(); }

  Event look(ThreadId thread, std::uint64_t read, std::uint32_t size = 8) const {
    Event e = event(thread, OpKind::kLoad, kX);
    e.label.size = size;
    e.label.value = name_;
    e.label.read = read;
    return e;
  }
  static Event store(ThreadId thread, std::uint64_t before, std::uint64_t written) {
    Event e = event(thread, OpKind::kStore, kX);
    e.label.size = 8;
    e.label.before = before;
    e.label.written = written;
    return e;
  }
  // The events that disable a look: the last one of the trace, or one that comes after all.
  static std::vector<EventIndex> disablers(const Trace& trace, const Waiting& w) {
    std::vector<EventIndex> found;
    const bool all =
        disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
          EXPECT_EQ(step.thread, w.thread);
          found.push_back(dropped[0]);
        });
    EXPECT_TRUE(all);
    return found;
  }
  std::vector<EventIndex> disablers_of_pending(const Trace& trace, ThreadId thread) const {
    return disablers(trace, waiting(trace, thread, look(thread, 0).label, 0));
  }

  const std::uint64_t name_ = name_look(12345);
};

TEST_F(Looks, HaveTheNamesOfTheirStates) {
  EXPECT_NE(name_, 0u);
  EXPECT_EQ(name_look(12345), name_);
  EXPECT_NE(name_look(12346), name_);
  EXPECT_NE(name_look(12345 + (1 << 12)), name_);  // the same place in the table
  EXPECT_EQ(name_look(0), 0u);
  EXPECT_TRUE(is_look(look(0, 0).label));
  EXPECT_TRUE(can_be_disabled(look(0, 0).label));
  EXPECT_FALSE(is_look(event(0, OpKind::kLoad, kX).label));
  Event observed = look(0, 0);
  observed.label.order = kObservedSigned;
  EXPECT_FALSE(is_look(observed.label));
  EXPECT_FALSE(is_look(store(0, 0, 1).label));
}

TEST_F(Looks, KnowAFewValues) {
  EXPECT_EQ(known_look(name_, 3), Look::kUnknown);
  note_look(name_, 3, Look::kInVain);
  note_look(name_, 4, Look::kAssumed);
  EXPECT_EQ(known_look(name_, 3), Look::kInVain);
  EXPECT_EQ(known_look(name_, 4), Look::kAssumed);
  EXPECT_EQ(known_look(name_look(12346), 3), Look::kUnknown);
  for (std::uint64_t value = 100; value < 200; ++value) note_look(name_, value, Look::kInVain);
  EXPECT_EQ(known_look(name_, 100), Look::kInVain);
  EXPECT_EQ(known_look(name_, 199), Look::kUnknown);
  forget_looks();
  EXPECT_EQ(known_look(name_look(12345), 3), Look::kUnknown);
}

TEST_F(Looks, AreReversedWithAWriteUnlessTheyWereInVainBefore) {
  const Trace trace = trace_of({store(0, 0, 1), store(0, 1, 2), look(1, 2)});
  EXPECT_TRUE(reversible(trace, 1, 2));
  note_look(name_, 0, Look::kInVain);
  EXPECT_TRUE(reversible(trace, 1, 2));
  note_look(name_, 1, Look::kInVain);
  EXPECT_FALSE(reversible(trace, 1, 2));
}

TEST_F(Looks, AreDisabledByTheWriteAfterAValueOfUse) {
  note_look(name_, 0, Look::kInVain);
  note_look(name_, 2, Look::kInVain);
  note_look(name_, 3, Look::kInVain);
  // 1 is of use: event 1 ends that.
  const Trace trace =
      trace_of({store(0, 0, 1), store(0, 1, 2), store(0, 2, 3), store(0, 3, 4), look(1, 4)});
  EXPECT_EQ(disablers(trace, waiting(trace, 4)), std::vector<EventIndex>{1});
  EXPECT_EQ(disablers_of_pending(trace_of({store(0, 0, 1), store(0, 1, 2), store(0, 2, 3)}), 1),
            std::vector<EventIndex>{1});
  // Two times of use: the last one is enough. And it need not have been of use at all.
  EXPECT_EQ(disablers_of_pending(
                trace_of({store(0, 0, 1), store(0, 1, 2), store(0, 2, 1), store(0, 1, 3)}), 1),
            std::vector<EventIndex>{3});
  EXPECT_TRUE(disablers_of_pending(trace_of({store(0, 0, 2), store(0, 2, 3)}), 1).empty());
  EXPECT_TRUE(disablers_of_pending(trace_of({store(0, 0, 1)}), 1).empty());
}

TEST_F(Looks, AreNotDisabledBeforeTheirThreadStandsThere) {
  note_look(name_, 2, Look::kInVain);
  // Thread 1 has read what thread 0 stored when it had ended the time of use.
  Event read = event(1, OpKind::kLoad, kX);
  read.label.size = 8;
  read.label.read = 2;
  EXPECT_TRUE(disablers_of_pending(trace_of({store(0, 0, 1), store(0, 1, 2), read}), 1).empty());
  EXPECT_TRUE(disablers_of_pending(trace_of({store(1, 0, 1), store(1, 1, 2)}), 1).empty());
}

TEST_F(Looks, MayBeDisabledByWhatDoesNotTell) {
  note_look(name_, 0, Look::kInVain);
  Event half = store(0, 0, 1);
  half.label.size = 4;
  const Trace trace = trace_of({half, look(1, 1)});
  EXPECT_TRUE(reversible(trace, 0, 1));
  EXPECT_EQ(disablers(trace, waiting(trace, 1)), std::vector<EventIndex>{0});
}

}  // namespace
}  // namespace mazur
