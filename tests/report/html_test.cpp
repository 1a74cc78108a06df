#include "report/html.h"

#include <gtest/gtest.h>

#include "report/messages.h"
#include "sample.h"

namespace mazur {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// Every tag that is opened is closed, in order.
bool is_nested(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = page.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (name[0] == '!' || name == "meta" || tag.back() == '/') continue;
    if (name[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

TEST(Html, HasALanePerThreadAndABoxPerStep) {
  const Finding finding = deadlock_sample();
  const std::string page = html_finding(finding);
  EXPECT_TRUE(is_nested(page)) << page;
  EXPECT_EQ(count(page, "class=\"lane\""), 3u);
  EXPECT_EQ(count(page, "class=\"box"), finding.record.events.size());
  EXPECT_EQ(count(page, "class=\"box end\""), 1u);
  EXPECT_EQ(count(page, "class=\"message\""), 0u);
  EXPECT_NE(page.find("held by thread 2"), std::string::npos);
}

TEST(Html, WhatIsNoTextIsEscaped) {
  Finding finding = deadlock_sample();
  finding.record.output = "<script>alert(1)</script> & \x01";
  const std::string page = html_finding(finding);
  EXPECT_TRUE(is_nested(page));
  EXPECT_EQ(page.find("<script>"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt; &amp; "), std::string::npos);
  EXPECT_EQ(page.find('\x01'), std::string::npos);
}

TEST(Html, MessagesAreEdges) {
  Finding finding = deadlock_sample();
  const std::size_t edges = count(html_finding(finding), "class=\"edge\"");
  Event send{.thread = 1};
  send.label.kind = OpKind::kSend;
  send.label.object = 0x9000;
  send.label.value = message_id(1, 0);
  Event receive{.thread = 2};
  receive.label.kind = OpKind::kReceive;
  receive.label.object = 0x9000;
  receive.label.value = ~std::uint64_t{0};
  receive.label.read = send.label.value;
  finding.record.events.push_back(send);
  finding.record.events.push_back(receive);
  const std::string page = html_finding(finding);
  EXPECT_EQ(count(page, "class=\"message\""), 1u);
  EXPECT_EQ(count(page, "class=\"edge\""), edges);
  EXPECT_TRUE(is_nested(page));
}

// A store of one thread that another does not see, and one that comes before it in coherence order.
TEST(Html, OldValuesAreMarkedAndExplained) {
  Finding finding = deadlock_sample();
  const std::string without = html_finding(finding);
  EXPECT_EQ(count(without, "class=\"unseen\"") + count(without, " old\""), 0u);
  finding.places.objects[0x9000] = "x";
  Event store{.thread = 1};
  store.label.kind = OpKind::kStore;
  store.label.order = __ATOMIC_RELAXED;
  store.label.object = 0x9000;
  store.label.size = 4;
  store.label.written = 1;
  Event behind = store;
  behind.thread = 2;
  behind.label.ref = kBehind;
  Event load{.thread = 2};
  load.label = store.label;
  load.label.kind = OpKind::kLoad;
  load.label.ref = kNoStore;
  finding.record.events.insert(finding.record.events.end(), {store, load, behind, store});
  const std::string page = html_finding(finding);
  EXPECT_TRUE(is_nested(page));
  EXPECT_EQ(count(page, "class=\"box old\""), 2u) << page;
  EXPECT_EQ(count(page, ", old</text>"), 1u) << page;
  // One edge, from the store that is not visible to the load.
  EXPECT_EQ(count(page, "class=\"unseen\""), 1u) << page;
  // In the tooltip, above the picture, and in the text below it.
  for (const char* sentence :
       {"load x = 0 (older than store x := 1 of step 5, not visible yet: relaxed)",
        "store x := 1 (comes before store x := 1 of step 5 in the order of this object's stores)"})
    EXPECT_EQ(count(page, sentence), 3u) << sentence << "\n" << page;
}

TEST(Html, OfALongScheduleOnlyWhatMattersIsDrawn) {
  Finding finding = deadlock_sample();
  Event load{.thread = 1};
  load.label.kind = OpKind::kLoad;
  load.label.object = 0x9000;
  load.label.size = 4;
  finding.record.events.insert(finding.record.events.begin(), 1000, load);
  const std::string page = html_finding(finding);
  EXPECT_LT(count(page, "class=\"box"), 300u);
  EXPECT_NE(page.find("steps that the error does not depend on are left out"), std::string::npos);
}

}  // namespace
}  // namespace mazur
