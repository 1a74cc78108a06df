#include "explore/context/hidden_races.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "../trace/events.h"

namespace mazur {
namespace {

constexpr ObjectId kX = 64, kY = 128;

Event writes(ThreadId thread, ObjectId object, std::uint64_t value, std::uint64_t before = 0) {
  Event e = store(thread, object);
  e.label.written = value;
  e.label.before = before;
  return e;
}
Event reads(ThreadId thread, ObjectId object, std::uint64_t value) {
  Event e = load(thread, object);
  e.label.read = value;
  return e;
}

struct Found {
  std::vector<std::string> races;  // x, y, notdep
  std::vector<std::string> hides;  // e, f, x, y; -1 for none
};

// `settled`: that a race is known in full is all that one needs.
Found find(const Trace& trace, bool settled = true, std::span<const Unfinished> unfinished = {}) {
  const auto text = [](std::initializer_list<EventIndex> events) {
    std::ostringstream out;
    for (EventIndex e : events) out << (e == kNoEvent ? -1 : static_cast<int>(e)) << ' ';
    return out.str();
  };
  Found found;
  HiddenRaces hidden;
  hidden.find(
      trace, 0, {trace, trace.clocks()}, unfinished,
      [](std::span<const EventIndex>, EventIndex, EventIndex) { return false; },
      [](EventIndex, EventIndex) { return true; },
      [&](EventIndex x, EventIndex y, const Event&, std::span<const EventIndex> notdep) {
        std::string race = text({x, y});
        for (EventIndex e : notdep) race += text({e});
        found.races.push_back(race);
        return settled;
      },
      [&](EventIndex e, EventIndex f, EventIndex x, EventIndex y) {
        found.hides.push_back(text({e, f, x, y}));
      });
  return found;
}

// The program at the head of hidden_races.h: a's store comes before c's, and c's load before b's
// store. The race of a's load of x (0) and b's store (5) is hidden by the stores to y (1, 3).
Trace example() {
  return trace_of({reads(0, kX, 0), writes(0, kY, 1), reads(0, kY, 1), writes(2, kY, 1, 1),
                   reads(2, kX, 0), writes(1, kX, 1)});
}

TEST(HiddenRaces, TheOrderOfEqualStoresHidesARace) {
  const Found found = find(example(), /*settled=*/false);
  EXPECT_EQ(found.races, std::vector<std::string>({"0 5 3 4 "}));
  EXPECT_EQ(found.hides, std::vector<std::string>({"2 3 0 5 ", "1 3 0 5 "}));
}

TEST(HiddenRaces, NothingIsHiddenWhereNothingCommutes) {
  const Found found =
      find(trace_of({reads(0, kX, 0), writes(0, kY, 1), writes(2, kY, 2, 1), writes(2, kX, 1)}),
           /*settled=*/false);
  EXPECT_TRUE(found.races.empty());
  EXPECT_TRUE(found.hides.empty());
}

TEST(HiddenRaces, StoresOfOneValueHideARaceOfWhatIsBeforeAndAfterThem) {
  const Trace trace =
      trace_of({reads(0, kX, 0), writes(0, kY, 1), writes(2, kY, 1, 1), writes(2, kX, 1)});
  const Found settled = find(trace);
  ASSERT_EQ(settled.races.size(), 1u);
  EXPECT_EQ(settled.races[0], "0 3 2 ") << "the store to y can come before all of thread 0";
  EXPECT_TRUE(settled.hides.empty());
  const Found more = find(trace, /*settled=*/false);
  ASSERT_EQ(more.hides.size(), 1u);
  EXPECT_EQ(more.hides[0], "1 2 0 3 ");
}

TEST(HiddenRaces, StoresOfDifferentValuesHideNone) {
  const Found found =
      find(trace_of({reads(0, kX, 0), writes(0, kY, 1), writes(2, kY, 2, 1), writes(2, kX, 1)}));
  EXPECT_TRUE(found.races.empty());
}

TEST(HiddenRaces, ARaceThatShowsIsNotHidden) {
  const Found found =
      find(trace_of({reads(0, kX, 0), writes(0, kY, 1), writes(2, kY, 1, 1), writes(1, kX, 1)}));
  EXPECT_TRUE(found.races.empty());
  EXPECT_TRUE(found.hides.empty());
}

TEST(HiddenRaces, AnOperationThatNeverRanCanBeHiddenToo) {
  const Trace trace =
      trace_of({event(0, OpKind::kLock, 1, 0), writes(0, kY, 1), writes(2, kY, 1, 1)});
  Unfinished lock{.thread = 2, .op = {}};
  lock.op.kind = OpKind::kLock;
  lock.op.object = 1;
  const Found found = find(trace, /*settled=*/true, {&lock, 1});
  ASSERT_FALSE(found.hides.empty());
  for (const std::string& hides : found.hides) EXPECT_EQ(hides, "1 2 0 -1 ");
}

}  // namespace
}  // namespace mazur
