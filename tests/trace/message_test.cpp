#include "trace/message.h"

#include <gtest/gtest.h>

namespace mazur {
namespace {

void* object(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

TEST(Message, IsWrittenAsPrintfWould) {
  Message message;
  message.add("%s has %u of %d, %zu bytes, %lld", "main", 3u, -4, std::size_t{5}, -6ll);
  EXPECT_EQ(message.text, "main has 3 of -4, 5 bytes, -6");
  EXPECT_TRUE(message.mentions.empty());
}

TEST(Message, WhatIsNotKnownStaysVisible) {
  Message message;
  message.add("%ld of %g seconds", 7l, 0.5);
  EXPECT_EQ(message.text, "7 of %g seconds");
}

TEST(Message, TakesAMissingWord) {
  const char* volatile missing = nullptr;
  Message message;
  message.add("%s", missing);
  EXPECT_EQ(message.text, "(null)");
}

TEST(Message, SaysWhereItsObjectsStand) {
  Message message;
  message.add("mutex %p, ", object(0x1f0));
  Message more;
  more.add("then %p", object(0x20));
  message.append(more);
  EXPECT_EQ(message.text, "mutex 0x1f0, then 0x20");
  EXPECT_EQ(message.mentions, (std::vector<Mention>{{6, 11, 0x1f0}, {18, 22, 0x20}}));
  EXPECT_TRUE(message.is_sound());
}

// A program's own text may look like an address: it is none.
TEST(Message, TextIsNotRead) {
  Message message;
  message.add("assertion failed: %s", "x == 0x1000");
  EXPECT_TRUE(message.mentions.empty());
}

TEST(Message, NoHalfOfAMentionIsLeft) {
  Message message;
  message.add("%p and %p", object(0x1234), object(0x5678));
  Message whole = message;
  whole.cut(100);
  EXPECT_EQ(whole, message);
  message.cut(14);
  EXPECT_EQ(message.text, "0x1234 and 0x5");
  EXPECT_EQ(message.mentions, (std::vector<Mention>{{0, 6, 0x1234}}));
}

TEST(Message, MentionsBesideTheTextAreNotSound) {
  Message message("0123456789");
  for (const std::vector<Mention>& mentions : {std::vector<Mention>{{0, 11, 1}},
                                               {{4, 3, 1}},
                                               {{4, 4, 1}},
                                               {{0, 4, 1}, {3, 5, 2}},
                                               {{11, 11, 1}}}) {
    message.mentions = mentions;
    EXPECT_FALSE(message.is_sound());
  }
  message.mentions = {{0, 4, 1}, {4, 10, 2}};
  EXPECT_TRUE(message.is_sound());
}

}  // namespace
}  // namespace mazur
