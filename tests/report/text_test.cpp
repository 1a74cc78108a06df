#include "report/text.h"

#include <gtest/gtest.h>

#include "report/findings/relevant.h"
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
                       "thread 1 waits for mutex account_b, held by thread 2, holding account_a\n"
                       "    at transfer(Account&, Account&) (bank.cpp:13)\n"
                       "         to.mutex.lock();\n"))
      << text;
  EXPECT_TRUE(
      contains(text, "thread 2 waits for mutex account_a, held by thread 1, holding account_b\n"))
      << text;
  EXPECT_TRUE(contains(text, "main waits for thread 1 to end\n    at main (bank.cpp:32)\n"))
      << text;
  EXPECT_TRUE(contains(text, "execution 1,234")) << text;
  EXPECT_TRUE(contains(text, "  | transferring\n")) << text;
  EXPECT_FALSE(contains(text, "std_mutex.h")) << text;
}

TEST(Text, ARaceShowsBothSidesWithTheirLocks) {
  Finding race = deadlock_sample();
  race.record.kind = FailureKind::kDataRace;
  race.record.message = {};
  race.record.message.add("write of 4 bytes at %p by thread 1, earlier read at %p",
                          reinterpret_cast<void*>(0x2000), reinterpret_cast<void*>(0x3000));
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
  Event event = finding.record.events[2];
  event.label.kind = OpKind::kRmw;
  event.label.size = 4;
  finding.record.events.assign(1500, event);
  for (std::size_t i = 0; i < 1500; i += 2) finding.record.events[i].thread = 2;
  EXPECT_TRUE(contains(schedule_table(finding, {}), "1,440 earlier steps"));
  const std::string all = schedule_table(finding, {.verbose = true});
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1501);
}

// Two updates of a counter by load and store; `mine` is touched by one thread only.
Finding lost_update() {
  Finding finding;
  Record& record = finding.record;
  record.kind = FailureKind::kAssertion;
  record.thread = 0;
  const auto add = [&record](ThreadId thread, OpKind kind, ObjectId object) {
    Event event;
    event.thread = thread;
    event.label.kind = kind;
    event.label.object = object;
    event.label.size = kind == OpKind::kLoad || kind == OpKind::kStore ? 4 : 0;
    record.events.push_back(event);
  };
  constexpr ObjectId kCounter = 0x1000, kMine = 0x2000;
  add(0, OpKind::kStore, kCounter);  // before there is another thread
  add(0, OpKind::kStore, kMine);
  add(0, OpKind::kCreate, 1);
  add(1, OpKind::kLoad, kCounter);
  add(1, OpKind::kLock, kMine);
  add(1, OpKind::kUnlock, kMine);
  add(0, OpKind::kLoad, kCounter);
  add(0, OpKind::kStore, kCounter);
  add(1, OpKind::kStore, kCounter);
  add(0, OpKind::kJoin, 1);
  add(0, OpKind::kLoad, kCounter);
  record.preemptions = {6, 8};
  finding.places.objects = {{kCounter, "counter"}, {kMine, "mine"}};
  return finding;
}

TEST(Text, WhatAThreadDoesAgainAndAgainIsSaidOnce) {
  Finding finding = lost_update();
  std::vector<Event>& events = finding.record.events;
  events.insert(events.begin() + 3, 3, events[3]);
  finding.record.preemptions = {9, 11};
  const std::string text = schedule_table(finding, {});
  EXPECT_TRUE(contains(text, "    4-7                      load counter = 0, 4 times\n")) << text;
  EXPECT_FALSE(contains(schedule_table(finding, {.verbose = true}), "times"));
  // Where another thread comes between, it is not the same again.
  finding.record.preemptions = {5, 9, 11};
  EXPECT_FALSE(contains(schedule_table(finding, {}), "times"));
}

TEST(Text, StepsThatNoOtherThreadTakesPartInAreFolded) {
  EXPECT_EQ(schedule_table(lost_update(), {}),
            "   step  main                thread 1\n"
            "    1-2  ... 2 steps\n"
            "      3  create thread 1\n"
            "      4                      load counter = 0\n"
            "    5-6                      ... 2 steps\n"
            "      7* load counter = 0\n"
            "      8  store counter := 0\n"
            "      9*                     store counter := 0\n"
            "     10  join thread 1\n"
            "     11  load counter = 0\n"
            "  * another thread goes on here, although the one that ran could have\n"
            "  ... steps that no other thread takes part in; --verbose shows all\n");
  const std::string all = schedule_table(lost_update(), {.verbose = true});
  EXPECT_FALSE(contains(all, "..."));
  EXPECT_TRUE(contains(all, "      5                      lock mine"));
}

TEST(Text, WhatTheErrorDoesNotDependOnIsFolded) {
  Finding finding = lost_update();
  finding.record.events.resize(9);  // main fails at its load; what thread 1 stores comes after
  std::swap(finding.record.events[6], finding.record.events[8]);
  finding.record.events.resize(8);
  finding.record.events[7] = finding.record.events[0];  // main
  finding.record.events[7].label.object = 0x3000;
  const std::vector<bool> matters = steps_that_matter(finding.record);
  EXPECT_TRUE(matters[7]);   // the last
  EXPECT_FALSE(matters[6]);  // the store of thread 1
  EXPECT_FALSE(matters[3]);
  EXPECT_TRUE(matters[2]);  // the creation is in main's past
}

TEST(Text, ANarrowTerminalHasOneColumnAndNoLineIsLonger) {
  Finding finding = deadlock_sample();
  for (const std::size_t width : {60u, 80u, 100u, 120u, 200u}) {
    const std::string table = schedule_table(finding, {.width = width});
    std::size_t longest = 0, at = 0;
    while (at < table.size()) {
      const std::size_t end = table.find('\n', at);
      longest = std::max(longest, end - at);
      at = end + 1;
    }
    EXPECT_LE(longest, width) << table;
    EXPECT_EQ(contains(table, "operation"), width < 80) << table;
  }
}

TEST(Text, TheHeadingTellsWhatMinimisingDid) {
  Record record = lost_update().record;
  EXPECT_EQ(schedule_heading(record), "The schedule: 11 steps, 2 preemptions");
  record.found_steps = 30;
  record.found_preemptions = 5;
  EXPECT_EQ(schedule_heading(record),
            "The schedule: 11 steps, 2 preemptions; found with 30 steps, 5 preemptions");
  record.minimal = true;
  EXPECT_EQ(schedule_heading(record),
            "The schedule: 11 steps, 2 preemptions, the fewest possible; found with 30 steps, "
            "5 preemptions");
}

TEST(Text, LocksHeldAtTheEnd) {
  const auto held = held_at_end(deadlock_sample().record);
  EXPECT_EQ(held.at(1), std::vector<ObjectId>{0x1000});
  EXPECT_EQ(held.at(2), std::vector<ObjectId>{0x2000});
  EXPECT_TRUE(held_at_end(lost_update().record).at(1).empty());
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
  result.explored = {0.25, 0.5};
  const std::string text = text_report(result, {});
  EXPECT_TRUE(contains(text, "incomplete: no error found, but --time-limit was reached\n")) << text;
  EXPECT_TRUE(contains(text, "1,000,000 executions (1,000,000 complete)")) << text;
  EXPECT_TRUE(
      contains(text, "25% to 50% explored, it seems; all of it would take 20.0 s to 40.0 s\n"))
      << text;
}

// Once seen: "about 1e+02% explored", and a time with a hundred digits.
TEST(Text, AnEstimateIsReadable) {
  Result result;
  result.verdict = Verdict::kIncomplete;
  result.tally.complete = 1000;
  result.seconds = 10;
  const auto estimate = [&](Explored explored) {
    result.explored = explored;
    const std::string text = text_report(result, {});
    const std::size_t at = text.rfind('\n', text.size() - 2) + 1;
    return text.substr(at, text.size() - 1 - at);
  };
  EXPECT_EQ(estimate({0.997, 0.999}),
            "about 99% explored, it seems; all of it would take about 10.0 s");
  EXPECT_EQ(estimate({0, 0.004}),
            "at most 0.40% explored, it seems; all of it would take at least 42 min");
  EXPECT_EQ(estimate({0, 1e-100}),
            "less than 0.01% explored, it seems; all of it would take more than a year");
}

TEST(Text, NoCompleteExecutionSaysWhereTheyAreAndWhatToTry) {
  Result result;
  result.verdict = Verdict::kIncomplete;
  result.tally.bounded = 3;
  result.busiest.where = {.function = "main", .file = "spin.cpp", .line = 7, .text = "++n;"};
  result.busiest.times = 99'000;
  result.busiest.steps = 100'000;
  const std::string text = text_report(result, {});
  EXPECT_TRUE(contains(text,
                       "of the 100,000 steps of the last one 99,000 were at spin.cpp:7 "
                       "(++n;). If that is a loop, try"))
      << text;
  result.tally.complete = 1;
  EXPECT_TRUE(
      contains(text_report(result, {}),
               "\nan execution was cut after 100,000 steps, 99,000 of them at spin.cpp:7: ++n;\n"));
  result.busiest = {};
  EXPECT_FALSE(contains(text_report(result, {}), "was cut after"));
}

TEST(Text, WeakOperationsAreCountedUnderTheVerdict) {
  Result result;
  result.verdict = Verdict::kVerified;
  result.weak_operations = 3;
  result.first_weak = {.function = "main", .file = "sb.cpp", .line = 7, .text = "x.store(1)"};
  EXPECT_TRUE(
      contains(text_report(result, {}),
               "no error found\n3 operations weaker than seq_cst raced with others (the "
               "first: sb.cpp:7): processors and compilers may reorder them, and this proof "
               "says nothing about that\n"))
      << text_report(result, {});
}

TEST(Text, VerifiedSaysWhatWasShown) {
  Result result;
  result.verdict = Verdict::kVerified;
  const auto line = [&](const char* algorithm) {
    result.algorithm = algorithm;
    const std::string text = text_report(result, {});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(line("optimal"),
            "verified under sequential consistency: every trace was explored, no error found");
  EXPECT_EQ(line("observers"),
            "verified under sequential consistency: every trace was explored, up to orders that "
            "nothing observes, no error found");
  result.only_states = true;
  EXPECT_EQ(line("lazy"),
            "verified under sequential consistency: every final state was reached, no error found");
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

// A file may name any thread: the order of these events would take gigabytes.
TEST(Text, ManyEventsOfHighThreads) {
  Finding finding = deadlock_sample();
  finding.record.events.assign(20000, finding.record.events[2]);
  for (std::size_t i = 0; i < finding.record.events.size(); ++i)
    finding.record.events[i].thread = static_cast<ThreadId>(60000 + i % 3);
  finding.record.event_stacks.clear();
  EXPECT_NE(text_finding(finding, {}).find("19,940 earlier steps"), std::string::npos);
}

// Nor is every byte looked at of a range that no program has.
TEST(Text, AccessesToImpossibleRanges) {
  for (const std::uint64_t object : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x1000}}) {
    for (const std::uint32_t size : {0u, ~0u}) {
      Finding finding = deadlock_sample();
      for (Event& event : finding.record.events) {
        event.label.kind = OpKind::kStore;
        event.label.object = object;
        event.label.size = size;
      }
      EXPECT_NE(text_finding(finding, {}).find("The schedule: 4 steps"), std::string::npos);
    }
  }
}

TEST(Text, OrdersThatWouldForbidAnExecutionStandUnderIt) {
  Finding finding = deadlock_sample();
  EXPECT_FALSE(contains(text_finding(finding, {}), "memory order"));
  const Frame long_line{"push()", "folder/queue.cpp", 9, std::string(100, 'x'), true};
  finding.orders.forbidden_by = {{long_line, OpKind::kStore, __ATOMIC_RELEASE}};
  std::string text = text_finding(finding, {.width = 60});
  EXPECT_TRUE(contains(text,
                       "\n  This memory order would forbid this execution:\n"
                       "    memory_order_release at queue.cpp:9  xxxxxxxxxxxxxxxxxx~\n"))
      << text;
  finding.orders.forbidden_by.push_back(
      {{"pop()", "queue.cpp", 21, "", true}, OpKind::kLoad, __ATOMIC_ACQUIRE});
  text = text_finding(finding, {.width = 60});
  EXPECT_TRUE(contains(text,
                       "\n  These memory orders together would forbid this execution:\n"
                       "    memory_order_release at queue.cpp:9   xxxxxxxxxxxxxxxxx~\n"
                       "    memory_order_acquire at queue.cpp:21  load\n"))
      << text;
  const Frame after{"pop()", "folder/queue.cpp", 21, "", true},
      before{"pop()", "folder/queue.cpp", 24, "", true};
  finding.orders.forbidden_by_fences = {{after, before, __ATOMIC_SEQ_CST}};
  EXPECT_TRUE(contains(text_finding(finding, {}),
                       "  So would this fence:\n"
                       "    std::atomic_thread_fence(std::memory_order_seq_cst) between lines 21 "
                       "and 24 of queue.cpp\n"));
  finding.orders.forbidden_by = {};
  finding.orders.forbidden_by_fences[0].after.file = "queue.c";
  finding.orders.forbidden_by_fences.push_back({after, before, __ATOMIC_ACQUIRE});
  EXPECT_TRUE(
      contains(text_finding(finding, {}),
               "  These fences together would forbid this execution:\n"
               "    atomic_thread_fence(memory_order_seq_cst) between lines 21 and 24 of queue.c\n"
               "    std::atomic_thread_fence(std::memory_order_acquire) between lines 21 and 24 of "
               "queue.cpp\n"));
  finding.orders = {.forbidden_by = {}, .fails_under_sc = true};
  EXPECT_TRUE(contains(text_finding(finding, {}), "No memory orders forbid this execution"));
}

Result weakened() {
  Result result;
  result.verdict = Verdict::kVerified;
  result.memory = MemoryModel::kCpp20;
  result.weakening.asked = true;
  const Frame store{"push()", "folder/queue.cpp", 9, "tail.store(next);", true};
  const Frame fence{"push()", "folder/queue.cpp", 12, "\033[fence();", true};
  result.weakening.orders = {{store, OpKind::kStore, __ATOMIC_SEQ_CST, __ATOMIC_RELEASE, true},
                             {fence, OpKind::kFence, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED, true},
                             {fence, OpKind::kCas, __ATOMIC_ACQ_REL, __ATOMIC_ACQ_REL, false}};
  result.weakening.stopped = "the time limit was reached";
  result.weakening.proof = {.complete = 1200, .events = 1};
  result.weakening.proof_seconds = 0.5;
  result.weakening.runs = 7;
  return result;
}

TEST(Text, WeakerOrdersAreATableWithItsProof) {
  const std::string text = text_report(weakened(), {.width = 80});
  EXPECT_TRUE(contains(
      text,
      "\nMemory orders that suffice for this test\n"
      "  line          operation         now      suffices\n"
      "  queue.cpp:9   store             seq_cst  release    tail.store(next);\n"
      "  queue.cpp:12  fence             seq_cst  no fence   \\x1b[fence();\n"
      "  queue.cpp:12  compare-exchange  acq_rel  not tried  \\x1b[fence();\n"
      "not all was tried: the time limit was reached\n"
      "verified again with these orders, all together: 1,200 executions, 1 event, 500 ms (7 "
      "explorations)\n"
      "That holds for this test alone: other uses of the code may need stronger orders.\n"))
      << text;
}

TEST(Text, WeakerOrdersNeedAVerifiedProgram) {
  Result result = weakened();
  result.verdict = Verdict::kIncomplete;
  const std::string text = text_report(result, {});
  EXPECT_TRUE(contains(text, "--weaken needs a verified program: no memory order was tried\n"));
  EXPECT_FALSE(contains(text, "suffice"));
}

}  // namespace
}  // namespace mazur
