// Message passing: counts that are known, for every explorer (JACM sections 2 and 10, and
// section 4.1 of the paper on observers).
#include <gtest/gtest.h>

#include "assemble.h"
#include "diamond.h"
#include "generate/generate.h"
#include "machine/model/text.h"
#include "verify.h"

namespace mazur::model {
namespace {

constexpr std::uint64_t kMost = 100'000;

std::uint64_t factorial(int n) {
  return n == 0 ? 1 : static_cast<std::uint64_t>(n) * factorial(n - 1);
}

Program with_mailboxes(int mailboxes) {
  Program p = with(0);
  p.of(ObjectClass::kMailbox).resize(static_cast<std::size_t>(mailboxes));
  return p;
}

// p sends two messages to q, which receives twice; a receive that finds nothing ends q.
Program two_sends() {
  Program p = with_mailboxes(1);
  thread(p, {receive_after(r0), go_if_equal(r0, -1, 3), receive_after(r1)});
  thread(p, {send(0, 1), send(0, 2)});
  return p;
}

// n processes send one message each to q, which receives `takes` of them.
Program senders(int n, Instruction receive, int takes) {
  Program p = with_mailboxes(1);
  thread(p, std::vector<Instruction>(static_cast<std::size_t>(takes), receive));
  for (int i = 0; i < n; ++i) thread(p, {send(0, i)});
  return p;
}

// Process i sends to mailbox i.
Program pairs(int n) {
  Program p = with_mailboxes(n);
  for (int i = 0; i < n; ++i) thread(p, {receive(r0)});
  for (int i = 0; i < n; ++i) thread(p, {send(i, i)});
  return p;
}

// Of n senders, each with an alternative of its own, the receiver takes one after the other.
Program selective(int n) {
  Program p = with_mailboxes(1);
  std::vector<Instruction> code;
  for (int i = 0; i < n; ++i) code.push_back(receive({static_cast<std::int8_t>(i % 5)}, 1 << i));
  thread(p, code);
  for (int i = 0; i < n; ++i) thread(p, {send(0, i, i)});
  return p;
}

void expect_traces(const Program& program, std::uint64_t traces) {
  for (const char* name : {"optimal", "lazy", "quasi", "source"}) {
    Subject subject{.name = name};
    subject.options.quasi_k = 0;
    const Explored explored = explore_all(program, subject, kMost);
    EXPECT_EQ(explored.complaint, "") << name;
    EXPECT_EQ(explored.complete, traces) << name;
    EXPECT_EQ(explored.classes.size(), traces) << name;
    if (subject.name != "source") {
      EXPECT_EQ(explored.blocked, 0u) << name;
    }
  }
  EXPECT_EQ(explore_all(program, {.name = "dpor"}, kMost).classes.size(), traces);
  if (const Answer answer = brute_force(program, 50'000); answer.complete) {
    EXPECT_EQ(answer.inconsistent, "");
    EXPECT_EQ(answer.classes.size(), traces);
  }
}

TEST(Messages, TwoSends) { expect_traces(two_sends(), 3); }

TEST(Messages, ManySendersOneReceiver) {
  for (int n = 1; n <= 5; ++n) expect_traces(senders(n, receive(r0), n), factorial(n));
}

TEST(Messages, SendersAndReceiversInPairs) {
  for (int n = 1; n <= 6; ++n) expect_traces(pairs(n), 1);
}

// Without observers, sends to one mailbox are ordered although the receives do not ask.
TEST(Messages, SelectiveReceives) {
  for (int n = 1; n <= 4; ++n) expect_traces(selective(n), factorial(n));
}

// A timed receive and n sends: it finds nothing, or one was the first.
TEST(Messages, ATimeoutRacesWithWhatItWouldHaveTaken) {
  // For every order of the sends, the receive comes before or after the first.
  for (int n = 1; n <= 4; ++n) expect_traces(senders(n, receive_after(r0), 1), 2 * factorial(n));
  // It accepts another alternative only.
  for (int n = 1; n <= 4; ++n) expect_traces(senders(n, receive_after(r0, 0b10), 1), factorial(n));
}

TEST(Messages, AReceiveIsNoRaceWithMessagesThatItDoesNotTake) {
  for (int n = 1; n <= 4; ++n) expect_traces(senders(n, receive(r0), 1), factorial(n));
}

TEST(Messages, AReceiverOfTooManyMessagesIsADeadlock) {
  const Explored explored = explore_all(senders(2, receive(r0), 3), {.name = "optimal"}, kMost);
  EXPECT_EQ(explored.complete, 2u);
  for (const Ending& end : explored.endings) EXPECT_TRUE(end.deadlock);
}

// n threads insert_new one key: the order matters, but only who was first.
TEST(Messages, Tables) {
  Program p = with(0);
  p.of(ObjectClass::kKey).resize(3);
  for (int i = 0; i < 3; ++i) thread(p, {insert(i, i), lookup(r0, i)});
  expect_traces(p, 1);
  Program q = with(0);
  q.of(ObjectClass::kKey).resize(1);
  for (int i = 0; i < 4; ++i) thread(q, {insert_new(r0, 0, i)});
  expect_traces(q, 4);
}

std::uint64_t observed(const Program& program, const char* name = "observers") {
  const Subject subject{.name = name, .options = {}, .observed = true};
  const Explored explored = explore_all(program, subject, kMost);
  EXPECT_EQ(explored.complaint, "");
  EXPECT_EQ(explored.blocked, 0u);
  if (const Answer answer = brute_force(program, 50'000, 200, true); answer.complete) {
    EXPECT_EQ(explored.complete, answer.observed_classes.size());
  }
  return explored.complete;
}

// A receiver that does not look at messages, but takes all of them, only counts them.
TEST(ObservedMessages, CountingNeedsOneExecution) {
  for (int n = 1; n <= 7; ++n) {
    EXPECT_EQ(observed(senders(n, count_message(), n)), 1u) << n;
    EXPECT_EQ(observed(senders(n, count_message(), n), "context-observers"), 1u) << n;
  }
}

// Where it matters with whom a thread has synchronised, it has to count all messages before it goes
// on.
TEST(ObservedMessages, CountingOnlySomeIsLookingWhereDataRacesAreReported) {
  Subject subject{.name = "observers", .options = {}, .observed = true};
  subject.options.data_races = true;
  const auto executions = [&](const Program& p) { return explore_all(p, subject, kMost).complete; };
  for (int n = 2; n <= 4; ++n) {
    EXPECT_EQ(executions(senders(n, count_message(), n)), 1u);
    // After the first run it starts again, and that run does not count. It sees who was the first.
    EXPECT_EQ(executions(senders(n, count_message(), 1)), static_cast<unsigned>(n));
    Program pausing = senders(n, count_message(), n);
    pausing.threads[0].code.insert(pausing.threads[0].code.begin() + 1, {.code = Code::kYield});
    EXPECT_EQ(executions(pausing), factorial(n));
  }
  // Messages of one sender come one after the other, so it is clear which is the first; but not
  // that the second comes later.
  Program one = with_mailboxes(1);
  thread(one, {count_message()});
  thread(one, {send(0, 1), send(0, 2)});
  EXPECT_EQ(executions(one), 1u);
}

TEST(ObservedMessages, LookingAtAllOfThemTellsAllApart) {
  for (int n = 1; n <= 5; ++n) EXPECT_EQ(observed(senders(n, receive(r0), n)), factorial(n)) << n;
}

// Which one was the first is all that it sees.
TEST(ObservedMessages, TakingOneOfMany) {
  for (int n = 1; n <= 7; ++n)
    EXPECT_EQ(observed(senders(n, receive(r0), 1)), static_cast<std::uint64_t>(n)) << n;
  // The first, or none in time.
  for (int n = 1; n <= 7; ++n)
    EXPECT_EQ(observed(senders(n, receive_after(r0), 1)), static_cast<std::uint64_t>(n) + 1) << n;
}

TEST(ObservedMessages, WhatNobodyReceivesIsUnordered) {
  for (int n = 1; n <= 7; ++n) EXPECT_EQ(observed(senders(n, receive(r0), 0)), 1u) << n;
}

TEST(ObservedMessages, SelectiveReceivesDoNotCompareWhatTheyDoNotAccept) {
  for (int n = 1; n <= 6; ++n) EXPECT_EQ(observed(selective(n)), 1u) << n;
}

TEST(ObservedMessages, TwoSends) { EXPECT_EQ(observed(two_sends()), 3u); }

// The receive can do with either message. With the second one, the load comes before the store,
// although in an execution where it took the first one the load happens after it.
TEST(ObservedMessages, ACountedMessageIsNoCause) {
  Program p = with_mailboxes(1);
  p.of(ObjectClass::kVariable).resize(1);
  thread(p, {count_message(), load(r0, 0)});
  thread(p, {store(0, 1), send(0, 0)});
  thread(p, {send(0, 0)});
  EXPECT_EQ(observed(p), 2u);
  // With one sender it is one.
  p.threads.pop_back();
  EXPECT_EQ(observed(p), 1u);
}

// The same with a lock that the first sender has taken before.
TEST(ObservedMessages, ACountedMessageIsNoCauseOfALock) {
  Program p = with_mailboxes(1);
  p.of(ObjectClass::kMutex).resize(1);
  thread(p, {count_message(), lock(0), unlock(0)});
  thread(p, {lock(0), unlock(0), send(0, 0)});
  thread(p, {send(0, 0)});
  EXPECT_EQ(observed(p), 2u);
}

// Workers each do something that depends on the others', then report; the owner waits for all.
TEST(ObservedMessages, AWorkerPool) {
  for (int n = 1; n <= 4; ++n) {
    Program p = with_mailboxes(1);
    p.of(ObjectClass::kVariable).resize(1);
    thread(p, std::vector<Instruction>(static_cast<std::size_t>(n), count_message()));
    p.threads[0].code.push_back(load(r0, 0));
    for (int i = 0; i < n; ++i) thread(p, {fetch_add(r0, 0, 1), send(0, 0)});
    EXPECT_EQ(observed(p), factorial(n)) << n;
    expect_traces(p, factorial(n) * factorial(n));
  }
}

TEST(Messages, TextFormAndBack) {
  Program p = senders(2, receive_after(r1, 0b101), 2);
  p.of(ObjectClass::kKey).resize(1);
  thread(p, {insert(0, 1), insert_new(r0, 0, r1), lookup(r2, 0), {.code = Code::kDelete}});
  EXPECT_EQ(parse(print(p)), p) << print(p);
  EXPECT_THROW(parse("mailboxes 1\nthread\n send q0 1 0\nthread\n receive r0 -1\n"),
               std::invalid_argument)
      << "the second thread has no mailbox";
}

TEST(Messages, WhatIsIndependentCommutes) {
  for (std::uint64_t number = 0; number < 3'000; ++number)
    ASSERT_EQ(broken_diamond(generate(11, number, {.messages = true}), 300), "") << number;
}

}  // namespace
}  // namespace mazur::model
