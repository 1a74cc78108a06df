#include "trace/wait_set.h"

#include <gtest/gtest.h>

#include "events.h"
#include "trace/blocking/blocking.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

TEST(WaitSet, IsNamedByItsContents) {
  const std::vector<Location> two = {{64, 8}, {80, 4}};
  const ObjectId name = name_wait_set(two);
  EXPECT_GT(name, kOwnLocation);
  EXPECT_EQ(name_wait_set(two), name);
  const auto found = wait_set(name);
  EXPECT_TRUE(std::equal(found.begin(), found.end(), two.begin(), two.end()));
  for (const std::vector<Location>& other : std::vector<std::vector<Location>>{
           {{64, 8}}, {{64, 8}, {80, 8}}, {{64, 8}, {88, 4}}, {{64, 8}, {80, 4}, {96, 1}}}) {
    const ObjectId name_of_other = name_wait_set(other);
    EXPECT_GT(name_of_other, kOwnLocation);
    EXPECT_NE(name_of_other, name);
    EXPECT_EQ(wait_set(name_of_other).size(), other.size());
  }
  EXPECT_EQ(wait_set(name).size(), 2u);
}

TEST(WaitSet, MayBeEmptyAndNotTooLarge) {
  EXPECT_EQ(name_wait_set({}), kOwnLocation);
  const std::vector<Location> four = {{64, 8}, {72, 8}, {80, 8}, {88, 8}};
  EXPECT_EQ(name_wait_set(four), 0u);
}

Event round(ThreadId thread, ObjectId object, std::vector<Location> others = {}) {
  Event e = load(thread, object);
  e.label.object2 = name_wait_set(others);
  return e;
}

TEST(WaitSet, ARoundReadsAllThatItWaitsFor) {
  EXPECT_TRUE(is_waiting_round(round(0, 64).label));
  EXPECT_FALSE(is_waiting_round(load(0, 64).label));
  const Event both = round(0, 64, {{128, 4}});
  EXPECT_TRUE(dependent(both, store(1, 64)));
  EXPECT_TRUE(dependent(store(1, 131, 1), both));
  EXPECT_FALSE(dependent(both, store(1, 132, 4)));
  EXPECT_FALSE(dependent(both, load(1, 128)));
  EXPECT_FALSE(dependent(round(0, 64), store(1, 128)));
  EXPECT_FALSE(clearly_independent(both.label, store(1, 128).label));
}

Event written(Event write, std::uint64_t before, std::uint64_t after) {
  write.label.before = before;
  write.label.written = after;
  return write;
}

TEST(WaitSet, OnlyAWriteThatChangesSomethingWakes) {
  const auto exchange = [](std::uint32_t size, std::uint64_t before, std::uint64_t after) {
    return written(event(1, OpKind::kRmw, 64, size), before, after).label;
  };
  EXPECT_TRUE(wakes(exchange(8, 0, 1)));
  EXPECT_FALSE(wakes(exchange(8, 1, 1))) << "two threads that spin would wake each other";
  EXPECT_FALSE(wakes(exchange(1, 1, 1)));
  EXPECT_TRUE(wakes(exchange(16, 1, 1))) << "the label does not have all of the value";
  EXPECT_TRUE(wakes(written(store(1, 64), 1, 1).label));
  EXPECT_FALSE(wakes(load(1, 64).label));
  EXPECT_FALSE(wakes(failed(written(event(1, OpKind::kCas, 64), 0, 1)).label));
  EXPECT_TRUE(wakes(written(event(1, OpKind::kCas, 64), 0, 1).label));
  EXPECT_FALSE(wakes(written(event(1, OpKind::kCas, 64), 1, 1).label));
}

// Whether the round at the end can come before e.
bool goes_before(const std::vector<Event>& events, EventIndex e) {
  return reversible(trace_of(events), e, static_cast<EventIndex>(events.size() - 1));
}

TEST(WaitSet, ARoundIsReversedOnlyWithAWriteThatItDidNotWaitFor) {
  const Event write = written(store(1, 64), 0, 1);
  const Event other = written(store(2, 128), 0, 1);
  EXPECT_FALSE(goes_before({load(0, 64), write, round(0, 64)}, 1));
  EXPECT_TRUE(goes_before({load(0, 64), write, load(0, 64)}, 1)) << "this does not wait";
  // Another location that it waits for was written as well.
  const Event both = round(0, 64, {{128, 8}});
  EXPECT_TRUE(goes_before({load(0, 64), load(0, 128), write, other, both}, 2));
  EXPECT_TRUE(goes_before({load(0, 64), load(0, 128), write, other, both}, 3));
  EXPECT_FALSE(goes_before({load(0, 64), load(0, 128), write, both}, 2));
  // Not by a write that it has seen, its own one, or one that changed nothing.
  EXPECT_FALSE(goes_before({load(0, 64), other, load(0, 128), write, both}, 3));
  EXPECT_FALSE(
      goes_before({load(0, 64), load(0, 128), written(store(0, 128), 0, 1), write, both}, 3));
  const Event nothing = written(event(2, OpKind::kRmw, 128), 1, 1);
  EXPECT_FALSE(goes_before({load(0, 64), load(0, 128), write, nothing, both}, 2));
  // Nor by a write that happens after e.
  EXPECT_FALSE(goes_before(
      {load(0, 64), load(0, 128), write, load(2, 64), written(store(2, 128), 0, 1), both}, 2));
}

}  // namespace
}  // namespace mazur
