#include "report/messages.h"

#include <gtest/gtest.h>

#include "report/schedule_table.h"

namespace mazur {
namespace {

constexpr ObjectId kInbox = 0x1000;

Event send(ThreadId thread, std::uint32_t n, unsigned alternative) {
  Event e{.thread = thread};
  e.label.kind = OpKind::kSend;
  e.label.object = kInbox;
  e.label.object2 = alternative;
  e.label.value = message_id(thread, n);
  return e;
}

// `message` 0: timed out.
Event receive(ThreadId thread, std::uint64_t message, std::uint64_t accepts) {
  Event e{.thread = thread};
  e.label.kind = OpKind::kReceive;
  e.label.object = kInbox;
  e.label.size = 1;
  e.label.value = accepts;
  e.label.timed = message == 0;
  e.label.read = message;
  e.label.success = message != 0;
  return e;
}

Places places() {
  Places p;
  p.objects[kInbox] = "inbox";
  p.objects[alternative_name(kInbox, 0)] = "acquire";
  p.objects[alternative_name(kInbox, 1)] = "release";
  return p;
}

Event table_event(OpKind kind, std::uint64_t before, std::uint64_t after, bool success = true) {
  Event e{.thread = 1};
  e.label.kind = kind;
  e.label.object = table_key(7);
  e.label.size = 8;
  e.label.read = before;
  e.label.written = after;
  e.label.success = success;
  return e;
}

TEST(Messages, ArrowsLeadFromSendToReceiveAndBack) {
  const std::vector<Event> events{send(1, 0, 0), send(2, 0, 1), receive(0, message_id(2, 0), 0b10),
                                  receive(0, message_id(1, 0), ~std::uint64_t{0}), send(1, 1, 0)};
  const Arrows arrows(events);
  EXPECT_EQ(arrows.at(0), " -> #4");
  EXPECT_EQ(arrows.at(1), " -> #3");
  EXPECT_EQ(arrows.at(2), " <- #2");
  EXPECT_EQ(arrows.at(3), " <- #1");
  EXPECT_EQ(arrows.at(4), "");  // nobody received it
}

TEST(Messages, AReceiveShowsWhatItTook) {
  const std::vector<Event> events{send(1, 0, 1), receive(0, message_id(1, 0), 0b11)};
  const Arrows arrows(events);
  EXPECT_EQ(arrows.describe(0, places()), "send inbox: release");
  EXPECT_EQ(arrows.describe(1, places()), "receive inbox: release");
}

TEST(Messages, AReceiveInVainShowsWhatItWaitedFor) {
  const std::vector<Event> events{receive(0, 0, 0b11), receive(0, 0, ~std::uint64_t{0})};
  const Arrows arrows(events);
  EXPECT_EQ(arrows.describe(0, places()), "receive inbox: acquire or release, timed out");
  EXPECT_EQ(arrows.describe(1, places()), "receive inbox, timed out");
  EXPECT_EQ(arrows.at(0), "");
}

TEST(Messages, TablesShowKeysAndEntries) {
  Places p;
  p.objects[table_key(7)] = "index[7]";
  EXPECT_EQ(describe_event(table_event(OpKind::kLoad, 0, 0), p), "lookup index[7] = nothing");
  EXPECT_EQ(describe_event(table_event(OpKind::kLoad, 5 << 1 | 1, 0), p), "lookup index[7] = 5");
  EXPECT_EQ(describe_event(table_event(OpKind::kStore, 0, 8), p), "insert index[7] := an entry");
  EXPECT_EQ(describe_event(table_event(OpKind::kStore, 0, 0), p), "erase index[7]");
  EXPECT_EQ(describe_event(table_event(OpKind::kCas, 3, 3, false), p),
            "insert_new index[7], there is 1");
}

}  // namespace
}  // namespace mazur
