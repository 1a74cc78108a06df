#include "report/printable.h"

#include <gtest/gtest.h>

#include "report/text.h"
#include "sample.h"

namespace mazur {
namespace {

TEST(Printable, OrdinaryTextStays) {
  for (const char* text : {"", "plain text", "tab\tin it", "Grüße, 世界 😀", "\\x1b"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_lines(text), text);
  }
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("\033[2J\a\r\n\177"), "\\x1b[2J\\x07\\x0d\\n\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");  // the one-byte CSI
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb");  // right to left
  EXPECT_EQ(printable("\xff\xc2 \xe2\x80"), "\\xff\\xc2 \\xe2\\x80");
  EXPECT_EQ(printable("\xc0\x9b\xed\xa0\x80\xf4\x90\x80\x80"),
            "\\xc0\\x9b\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
}

TEST(Printable, LinesStayAndColoursGo) {
  EXPECT_EQ(printable_lines("a\nb"), "a\nb");
  EXPECT_EQ(printable_lines("\033[1;31mred\033[m \033[3A"), "red \\x1b[3A");
  EXPECT_EQ(printable_lines("\033["), "\\x1b[");
}

TEST(Printable, NoTextOfAFindingReachesTheTerminalRaw) {
  Finding finding = deadlock_sample();
  const std::string evil = "\033]0;x\007\r\n";
  finding.record.message = finding.record.output = finding.record.other.what = evil;
  finding.record.message.mentions = {{0, evil.size(), 1}};
  finding.record.thread_names = {{1, evil}};
  finding.places.objects = {{0x1000, evil}, {0x2000, evil}};
  for (auto& [pc, frames] : finding.places.code) frames = {{evil, evil, 3, evil, true}};
  finding.trace = evil;
  for (const FailureKind kind : {FailureKind::kDeadlock, FailureKind::kDataRace}) {
    finding.record.kind = kind;
    if (kind == FailureKind::kDataRace) finding.record.other.thread = 2;
    const std::string text = text_finding(finding, {});
    EXPECT_EQ(text.find_first_of("\033\007\r"), std::string::npos) << text;
  }
}

// Escapes move what follows them: a mention would stand at another place.
TEST(Printable, AnEscapedMessageMentionsNothing) {
  Finding finding = deadlock_sample();
  EXPECT_FALSE(printable(finding).record.message.mentions.empty());
  finding.record.message.text[0] = '\033';
  EXPECT_TRUE(printable(finding).record.message.mentions.empty());
}

}  // namespace
}  // namespace mazur
