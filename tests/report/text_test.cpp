#include "report/text.h"

#include <gtest/gtest.h>

#include "report/schedule_table.h"
#include "sample.h"

namespace mazur {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Text, DeadlockSaysWhoWaitsForWhatHeldByWhomAndWhere) {
  const std::string text = text_finding(deadlock_sample(), {});
  EXPECT_TRUE(contains(text,
                       "thread 1 waits for mutex account_b, held by thread 2\n"
                       "    at transfer(Account&, Account&) (bank.cpp:13)\n"
                       "         to.mutex.lock();\n"))
      << text;
  EXPECT_TRUE(contains(text, "thread 2 waits for mutex account_a, held by thread 1\n")) << text;
  EXPECT_TRUE(contains(text, "main waits for thread 1 to end\n    at main (bank.cpp:32)\n"))
      << text;
  EXPECT_TRUE(contains(text, "execution 1,234")) << text;
  EXPECT_TRUE(contains(text, "  | transferring\n")) << text;
  EXPECT_FALSE(contains(text, "std_mutex.h")) << text;
}

TEST(Text, ARaceShowsBothSidesWithTheirLocks) {
  Finding race = deadlock_sample();
  race.record.kind = FailureKind::kDataRace;
  race.record.message = "write of 4 bytes at 0x2000 by thread 1, earlier read at 0x3000";
  race.record.locks = {0x1000};
  race.record.other = {2, "read of 4 bytes", {0x12}, {}};
  const std::string text = text_finding(race, {});
  EXPECT_TRUE(contains(text,
                       "  | write of 4 bytes at account_b by thread 1, earlier read at 0x3000\n"
                       "  thread 1, holding account_a\n"
                       "    at transfer(Account&, Account&) (bank.cpp:13)\n"
                       "         to.mutex.lock();\n"
                       "  thread 2: earlier read of 4 bytes\n"
                       "    at transfer(Account&, Account&) (bank.cpp:12)\n"))
      << text;
}

TEST(Text, VerboseShowsTheFramesOfTheLibrary) {
  EXPECT_TRUE(contains(text_finding(deadlock_sample(), {.verbose = true}), "std_mutex.h:100"));
}

TEST(Text, OutputCanBeLeftOut) {
  EXPECT_FALSE(contains(text_finding(deadlock_sample(), {.output = false}), "transferring"));
}

TEST(Text, ScheduleHasAColumnPerThreadAndUserLines) {
  EXPECT_EQ(schedule_table(deadlock_sample(), {}),
            "   step  main             thread 1        thread 2\n"
            "      1  create thread 1                                  bank.cpp:30  "
            "std::thread one(transfer, a, b);\n"
            "      2  create thread 2                                  bank.cpp:31  "
            "std::thread two(transfer, b, a);\n"
            "      3                   lock account_a                  bank.cpp:12  "
            "from.mutex.lock();\n"
            "      4                                   lock account_b  bank.cpp:12  "
            "from.mutex.lock();\n");
}

TEST(Text, ALongScheduleIsCutUnlessVerbose) {
  Finding finding = deadlock_sample();
  finding.record.event_stacks.clear();
  const Event event = finding.record.events[2];
  finding.record.events.assign(1500, event);
  EXPECT_TRUE(contains(schedule_table(finding, {}), "1,440 earlier steps"));
  const std::string all = schedule_table(finding, {.verbose = true});
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1501);
}

TEST(Text, ManyThreadsShareOneColumn) {
  Finding finding = deadlock_sample();
  finding.record.event_stacks.clear();
  finding.record.events.assign(20, finding.record.events[2]);
  for (ThreadId i = 0; i < 20; ++i) finding.record.events[i].thread = i;
  EXPECT_TRUE(contains(schedule_table(finding, {}), "thread     operation"));
}

TEST(Text, ValuesOfOperations) {
  Event event;
  event.label.kind = OpKind::kCas;
  event.label.object = 0x1000;
  event.label.read = 1;
  event.label.written = 2;
  const Places places = deadlock_sample().places;
  EXPECT_EQ(describe_event(event, places), "compare-exchange account_a 1 -> 2");
  event.label.success = false;
  EXPECT_EQ(describe_event(event, places), "compare-exchange account_a = 1, failed");
  event.label.kind = OpKind::kStore;
  event.label.written = static_cast<std::uint64_t>(-5);
  EXPECT_EQ(describe_event(event, places), "store account_a := -5");
  event.label.kind = OpKind::kLoad;
  event.label.object = 0x7777;
  event.label.read = 0x123456789abc;
  EXPECT_EQ(describe_event(event, places), "load 0x7777 = 0x123456789abc");
}

TEST(Text, NeverVerifiedWhenCut) {
  Result result;
  result.verdict = Verdict::kIncomplete;
  result.reason = "--time-limit was reached";
  result.tally.complete = 1000000;
  result.seconds = 10;
  result.explored = 0.25;
  const std::string text = text_report(result, {});
  EXPECT_TRUE(contains(text, "incomplete: no error found, but --time-limit was reached\n")) << text;
  EXPECT_TRUE(contains(text, "1,000,000 executions (1,000,000 complete)")) << text;
  EXPECT_TRUE(contains(text, "about 25% explored; all of it would take about 40.0 s\n")) << text;
}

TEST(Finding, SameErrorAtTheSamePlaceIsListedOnce) {
  Finding other = deadlock_sample();
  other.record.threads[1].stack = {0x12};
  auto merged = merge_same({deadlock_sample(), deadlock_sample(), other, deadlock_sample()});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[0].record.count, 3u);
  EXPECT_EQ(merged[1].record.count, 1u);
}

TEST(Text, WithCommas) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
}

TEST(Text, NamesOfThreadsStandBesideTheirNumbers) {
  Finding finding = deadlock_sample();
  finding.record.thread_names = {{1, "payer"}};
  const std::string text = text_finding(finding, {});
  EXPECT_TRUE(contains(text, "thread 1 (payer) waits for mutex account_b")) << text;
  EXPECT_TRUE(contains(text, "held by thread 1 (payer)")) << text;
  EXPECT_TRUE(contains(text, "thread 2 waits for mutex account_a")) << text;
}

}  // namespace
}  // namespace mazur
