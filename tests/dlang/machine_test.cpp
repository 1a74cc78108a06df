// What statements do, which of them are events, and what goes wrong.
#include <gtest/gtest.h>

#include "explored.h"

namespace mazur::dlang {
namespace {

// Runs the only schedule of a program of one process.
struct Finished {
  explicit Finished(std::string_view text) : program(parse(text)), machine(program) {
    machine.restart();
    while (!machine.finished() && machine.failure() == nullptr)
      events.push_back(machine.run({machine.frontier().threads()[0].thread, 0}));
  }
  std::int64_t operator[](std::size_t i) const { return machine.globals()[i]; }
  Program program;
  DlangMachine machine;
  std::vector<Event> events;
};

TEST(Machine, OperatorsBindEquallyFromLeftToRight) {
  const Finished run(
      "<1, a 9, local i 1 3> [a[0] := 1 + 2 * 3  a[1] := i + 1 % 4  a[2] := 1 + (2 * i) "
      "a[3] := 7 / 2 - 10  a[4] := 0 - 7 / 2  a[5] := 0 - 7 % 4  a[6] := -i * 2 a[7] := 2 - -1]");
  EXPECT_EQ(run[0], 9);
  EXPECT_EQ(run[1], 0);
  EXPECT_EQ(run[2], 7);
  EXPECT_EQ(run[3], -7);
  EXPECT_EQ(run[4], -3);
  EXPECT_EQ(run[5], -3);
  EXPECT_EQ(run[6], -6);
  EXPECT_EQ(run[7], 3);
}

TEST(Machine, NumbersWrapAround) {
  const Finished run(
      "<1, a 3, local i 1 9223372036854775807> [i := i + 1  a[0] := i  a[1] := i / -1 "
      "a[2] := i % -1]");
  EXPECT_EQ(run[0], INT64_MIN);
  EXPECT_EQ(run[1], INT64_MIN);
  EXPECT_EQ(run[2], 0);
}

TEST(Machine, LoopsAndBranches) {
  const Finished run(
      "<1, a 2, local i 1, local s 1> [while i < 5 { i := i + 1 if i % 2 == 0 then { s := s + i } "
      "else { s := s - 1 } } a[0] := s  if a[0] != 3 then { a[1] := 1 } else { a[1] := 2 }]");
  EXPECT_EQ(run[0], 3);
  EXPECT_EQ(run[1], 2);
  // The loop is local: a store, a load, a store.
  ASSERT_EQ(run.events.size(), 3u);
  EXPECT_EQ(run.events[1].label.kind, OpKind::kLoad);
  EXPECT_EQ(run.events[1].label.read, 3u);
}

TEST(Machine, AStatementIsOneEvent) {
  const Finished run(
      "<1, x 1 1, y 1, a 3, local i 1 2> [x := 5  i := x  x := x + 1  a[i - 4] := a[i - 4] + 1 "
      "if x == 6  comp_swap(y, 0, 7)  i := comp_swap(y, 0, 8)  y := x  a[x % 3] := 9]");
  const std::vector<OpKind> kinds = {OpKind::kStore, OpKind::kLoad,        OpKind::kRmw,
                                     OpKind::kRmw,   OpKind::kLoad,        OpKind::kCas,
                                     OpKind::kCas,   OpKind::kAtomicBlock, OpKind::kAtomicBlock};
  ASSERT_EQ(run.events.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(run.events[i].label.kind, kinds[i]) << i;
  EXPECT_EQ(run.events[2].label.read, 5u);
  EXPECT_EQ(run.events[2].label.written, 6u);
  EXPECT_EQ(run.events[3].label.object, element_id(3));
  EXPECT_TRUE(run.events[5].label.success);
  EXPECT_FALSE(run.events[6].label.success);
  EXPECT_EQ(run[1], 6);
  EXPECT_EQ(run[2], 9);
}

TEST(Machine, StatementsAreAtomic) {
  // As two events each, an update could be lost.
  const Explored e = explored(
      "<3, x 1, y 1, d 1> <{2 [x := x + 1  y := y + x  d := d + 1] }>"
      "[await d == 2  assert x == 2]");
  EXPECT_EQ(e.outcome.verdict, Verdict::kVerified);
}

TEST(Machine, EveryTraceOfAMovingIndex) {
  // Listing 1.2: three classes. Taking the whole array for touched would make four.
  const Explored e = explored("<3, x 1, y 2> [x := 1] [y[x] := 1] [y[0] := 2]");
  EXPECT_EQ(e.executions(), 3u);
}

Failure only_failure(std::string_view text) {
  const Explored e = explored(text);
  EXPECT_EQ(e.failures.size(), 1u) << text;
  return e.failures.empty() ? Failure{} : e.failures[0];
}

TEST(Machine, WhatGoesWrongIsAFailureWithALine) {
  Failure f = only_failure("<1, x 1>\n[\n  x := 1 / x\n]");
  EXPECT_EQ(f.kind, FailureKind::kCrash);
  EXPECT_EQ(f.message, "division by zero");
  EXPECT_EQ(from_pc(f.stack.at(0)), (Position{3, 10}));
  EXPECT_EQ(f.thread, 1);

  f = only_failure("<2, x 1 3, a 3>\n[x := 1]\n[a[x] := 1]");
  EXPECT_EQ(f.kind, FailureKind::kCrash);
  EXPECT_EQ(f.message, "index 3 is out of range: 'a' has 3 elements");
  EXPECT_EQ(from_pc(f.stack.at(0)), (Position{3, 2}));
  EXPECT_EQ(f.thread, 2);

  f = only_failure("<1, a 2, local i 1 0>\n[i := i - 1\na[i] := 1]");
  EXPECT_EQ(f.message, "index -1 is out of range: 'a' has 2 elements");
  f = only_failure("<1, a 2, local i 1 0>\n[a[0] := 5 % i]");
  EXPECT_EQ(f.message, "division by zero");

  f = only_failure("<1, x 1 4>\n[assert x + 1 < 5]");
  EXPECT_EQ(f.kind, FailureKind::kAssertion);
  EXPECT_EQ(f.message, "assertion failed: x + 1 < 5 (5 < 5)");

  f = only_failure("<1, x 1, local i 1>\n[x := 1\nwhile i == 0 { }]");
  EXPECT_EQ(f.kind, FailureKind::kLivelock);
  EXPECT_EQ(from_pc(f.stack.at(0)).line, 3u);

  f = only_failure("<1, mutex m 1>\n[unlock m]");
  EXPECT_EQ(f.kind, FailureKind::kMisuse);
  EXPECT_EQ(f.message, "unlock of 'm', which the process does not hold");
}

TEST(Machine, AFailedProcessEndsAndTheOthersGoOn) {
  Exploration how;
  how.bounds.keep_going = true;
  const Explored e = explored("<2, x 1> [assert x == 0] [x := 1  x := 2]", how);
  EXPECT_EQ(e.outcome.verdict, Verdict::kBug);
  EXPECT_EQ(e.executions(), 3u);
  EXPECT_EQ(e.failures.size(), 2u);
}

TEST(Machine, Mutexes) {
  const Failure f = only_failure("<1, mutex m 1> [lock m lock (m)]");
  EXPECT_EQ(f.kind, FailureKind::kDeadlock);
  EXPECT_NE(f.message.text.find("held by itself"), std::string::npos);
  EXPECT_EQ(explored("<3, mutex m 1> <{3 [lock m unlock m] }>").executions(), 6u);
}

TEST(Machine, AwaitWaitsForEveryRelation) {
  for (const char* condition : {"x == 2", "x != 0", "x > 1", "x >= 2", "2 <= x", "1 < x",
                                "x > -9223372036854775807", "x <= 9223372036854775807"}) {
    const Explored e = explored(std::string("<2, x 1> [x := 2] [await ") + condition + "]");
    EXPECT_EQ(e.outcome.verdict, Verdict::kVerified) << condition;
  }
  EXPECT_EQ(only_failure("<2, x 1> [x := 2] [await x > 2]").kind, FailureKind::kDeadlock);
  EXPECT_EQ(only_failure("<1, x 1> [await x > 9223372036854775807]").kind, FailureKind::kDeadlock);
}

TEST(Machine, WhatIsAwaitedMayBeWrittenWithOthers) {
  const Explored e = explored("<3, x 1, y 1 4> [y := 0] [x := y + 1] [await x == 5]");
  ASSERT_EQ(e.failures.size(), 1u);
  EXPECT_EQ(e.failures[0].kind, FailureKind::kDeadlock);
  EXPECT_EQ(explored("<2, x 1, y 1 4> [x := y + 1] [await x == 5]").outcome.verdict,
            Verdict::kVerified);
}

TEST(Machine, OnlyTouchedElementsCount) {
  // a and c are touched, b between them is not; two reads of a do not depend.
  EXPECT_EQ(explored("<2, a 1, b 1, c 1> [c := a] [b := 1]").executions(), 1u);
  EXPECT_EQ(explored("<2, a 1, b 1, c 1> [c := a] [b := a]").executions(), 1u);
  EXPECT_EQ(explored("<2, a 1, b 1, c 1> [c := a] [a := b]").executions(), 2u);
  EXPECT_EQ(explored("<2, a 1, b 1, c 1> [c := a] [b := c]").executions(), 2u);
}

TEST(Machine, RestartsToTheSameState) {
  const Program program = parse("<2, x 1 4, local i 1> <{2 [i := x  x := i + 1] }>");
  DlangMachine machine(program);
  const auto initial = machine.fingerprint();
  std::vector<std::int64_t> last;
  for (int i = 0; i < 3; ++i) {
    machine.restart();
    EXPECT_EQ(machine.fingerprint(), initial);
    for (const ThreadId t : {1, 2, 1, 2}) machine.run({t, 0});
    EXPECT_TRUE(machine.finished());
    EXPECT_EQ(machine.globals()[0], 5);
    if (i == 0) last = machine.fingerprint();
    EXPECT_EQ(machine.fingerprint(), last);
  }
  EXPECT_EQ(machine.failure(), nullptr);
  machine.run({1, 0});
  ASSERT_NE(machine.failure(), nullptr);
  EXPECT_EQ(machine.failure()->kind, FailureKind::kUnsupported);
}

TEST(Machine, ALoopWithoutEndIsNotVerified) {
  Exploration how;
  how.bounds.max_steps = 50;
  how.bounds.max_executions = 100;
  const Explored e = explored("<2, x 1> [while x == 0 { }] [x := 1]", how);
  EXPECT_EQ(e.outcome.verdict, Verdict::kIncomplete);
}

}  // namespace
}  // namespace mazur::dlang
