// What each instruction of the model machine does, when it is enabled and what its label says.
#include <gtest/gtest.h>

#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

// A program and its machine, stepped by thread.
class Stepped {
 public:
  explicit Stepped(const char* text) : program_(parse(text)), machine_(program_) {
    machine_.restart();
  }
  Label run(ThreadId thread, std::uint16_t choice = 0) {
    const Label label = machine_.run({thread, choice}).label;
    const Failure* failure = machine_.failure();
    EXPECT_TRUE(failure == nullptr || failure->kind != FailureKind::kUnsupported)
        << failure->message;
    return label;
  }
  const Pending& next(ThreadId thread) {
    const Pending* p = machine_.frontier().find(thread);
    if (p == nullptr) throw std::logic_error("not live");
    return *p;
  }
  bool enabled(ThreadId thread) { return next(thread).enabled; }
  bool live(ThreadId thread) { return machine_.frontier().find(thread) != nullptr; }
  std::int32_t x(unsigned index) const { return machine_.state().variable(index); }
  std::int32_t reg(ThreadId thread, int r) const {
    return machine_.state().thread(thread).registers[r];
  }
  ModelMachine& machine() { return machine_; }

 private:
  Program program_;
  ModelMachine machine_;
};

TEST(ModelMachine, MemoryOperationsReadAndWrite) {
  Stepped s(R"(
    variables 5 0
    thread
      load r0 x0
      store x1 r0+2
      fetch_add r1 x1 3
      cas r2 x1 10 20
      cas r3 x1 10 30
  )");
  EXPECT_EQ(s.run(0).read, 5u);
  Label l = s.run(0);
  EXPECT_EQ(l.kind, OpKind::kStore);
  EXPECT_EQ(l.before, 0u);
  EXPECT_EQ(l.written, 7u);
  l = s.run(0);
  EXPECT_EQ(l.kind, OpKind::kRmw);
  EXPECT_EQ(l.read, 7u);
  EXPECT_EQ(l.written, 10u);
  l = s.run(0);
  EXPECT_TRUE(l.success);
  EXPECT_EQ(l.written, 20u);
  l = s.run(0);
  EXPECT_FALSE(l.success);
  EXPECT_EQ(l.read, 20u);
  EXPECT_EQ(s.x(1), 20);
  EXPECT_EQ(s.reg(0, 1), 7);
  EXPECT_EQ(s.reg(0, 2), 1);
  EXPECT_EQ(s.reg(0, 3), 0);
  EXPECT_TRUE(s.machine().finished());
}

TEST(ModelMachine, IndicesWrapAround) {
  Stepped s(R"(
    variables 1 2 3
    thread
      set r0 4
      load r1 x1[r0]
      add r0 -8
      load r2 x0[r0]
  )");
  EXPECT_EQ(s.run(0).object, object_id(ObjectClass::kVariable, 2));
  EXPECT_EQ(s.run(0).object, object_id(ObjectClass::kVariable, 2));
}

TEST(ModelMachine, LocalCodeRunsWithTheOperationBefore) {
  Stepped s(R"(
    variables 0
    thread
      0: load r0 x0
      1: if r0 != 0 goto 4
      2: loop r1 < 3 goto 2
      3: store x0 r1
  )");
  s.run(0);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kStore);
  s.run(0);
  EXPECT_EQ(s.x(0), 3);
}

TEST(ModelMachine, MutexExcludes) {
  Stepped s(R"(
    mutexes 1
    thread
      lock m0
      unlock m0
    thread
      trylock r0 m0
      lock m0
  )");
  s.run(0);
  EXPECT_FALSE(s.run(1).success);
  EXPECT_FALSE(s.enabled(1));
  s.run(0);
  EXPECT_TRUE(s.enabled(1));
  s.run(1);
  EXPECT_TRUE(s.machine().finished());
}

TEST(ModelMachine, ReleasingWhatIsNotHeldEndsTheThreadBeforeTheOperation) {
  Stepped s(R"(
    variables 0
    mutexes 1
    thread
      load r0 x0
      unlock m0
    thread
      lock m0
  )");
  s.machine().run({0, 0});
  ASSERT_NE(s.machine().failure(), nullptr);
  EXPECT_EQ(s.machine().failure()->kind, FailureKind::kMutexMisuse);
  EXPECT_FALSE(s.live(0));
  EXPECT_TRUE(s.live(1));
}

TEST(ModelMachine, ReadersShareAndWritersDoNot) {
  Stepped s(R"(
    rwlocks 1
    thread
      rdlock w0
      rwunlock w0
    thread
      rdlock w0
      rwunlock w0
    thread
      trywrlock r0 w0
      wrlock w0
      rwunlock w0
    thread
      tryrdlock r0 w0
  )");
  s.run(0);
  s.run(1);
  EXPECT_FALSE(s.run(2).success);
  EXPECT_FALSE(s.enabled(2));
  EXPECT_EQ(s.run(0).kind, OpKind::kRdUnlock);
  EXPECT_FALSE(s.enabled(2));
  s.run(1);
  s.run(2);
  EXPECT_FALSE(s.run(3).success);
  EXPECT_EQ(s.run(2).kind, OpKind::kWrUnlock);
}

TEST(ModelMachine, SignalWakesTheChosenWaiter) {
  Stepped s(R"(
    mutexes 1
    conditions 1
    thread
      lock m0
      wait c0 m0
      unlock m0
    thread
      lock m0
      wait c0 m0
      unlock m0
    thread
      signal c0
      signal c0
      signal c0
  )");
  s.run(0);
  s.run(0);
  EXPECT_EQ(s.next(2).ways, 1);
  s.run(1);
  EXPECT_EQ(s.run(1).kind, OpKind::kCondWait);
  EXPECT_EQ(s.next(1).op.object2, object_id(ObjectClass::kMutex, 0));
  EXPECT_FALSE(s.enabled(0));
  ASSERT_EQ(s.next(2).ways, 2);
  EXPECT_EQ(s.run(2, 1).written, 0b10u);
  EXPECT_FALSE(s.enabled(0));
  EXPECT_TRUE(s.run(1).success);  // kCondWake
  EXPECT_EQ(s.next(2).ways, 1);
  s.run(2);
  EXPECT_FALSE(s.enabled(0));  // the mutex is taken
  s.run(1);
  EXPECT_TRUE(s.enabled(0));
  EXPECT_EQ(s.run(2).read, 0u);  // lost
}

TEST(ModelMachine, BroadcastWakesAll) {
  Stepped s(R"(
    mutexes 2
    conditions 1
    thread
      lock m0
      wait c0 m0
    thread
      lock m1
      wait c0 m1
    thread
      broadcast c0
  )");
  for (ThreadId t : {0, 0, 1, 1}) s.run(t);
  EXPECT_EQ(s.next(2).ways, 1);
  EXPECT_EQ(s.run(2).written, 0b11u);
  EXPECT_TRUE(s.enabled(0));
  EXPECT_TRUE(s.enabled(1));
}

TEST(ModelMachine, TimedWaitTimesOutUnlessSignalled) {
  Stepped s(R"(
    mutexes 1
    conditions 1
    thread
      lock m0
      timedwait r0 c0 m0
      unlock m0
    thread
      lock m0
      timedwait r0 c0 m0
      unlock m0
    thread
      signal c0
  )");
  for (ThreadId t : {0, 0, 1, 1}) s.run(t);
  EXPECT_FALSE(s.run(0).success);
  EXPECT_TRUE(s.next(1).op.timed);
  EXPECT_FALSE(s.enabled(1));
  EXPECT_EQ(s.next(2).ways, 1);
  s.run(2);
  s.run(0);
  EXPECT_TRUE(s.run(1).success);
  EXPECT_EQ(s.reg(0, 0), 0);
  EXPECT_EQ(s.reg(1, 0), 1);
}

TEST(ModelMachine, SemaphoresCount) {
  Stepped s(R"(
    semaphores 1
    thread
      semwait s0
      semtrywait r0 s0
      semwait s0
    thread
      sempost s0
      semread r0 s0
  )");
  Label l = s.run(0);
  EXPECT_EQ(l.read, 1u);
  EXPECT_EQ(l.written, 0u);
  EXPECT_FALSE(s.run(0).success);
  EXPECT_FALSE(s.enabled(0));
  EXPECT_EQ(s.run(1).written, 1u);
  EXPECT_EQ(s.run(1).read, 1u);
  EXPECT_TRUE(s.enabled(0));
}

TEST(ModelMachine, ABarrierSmallerThanItsCrowdHasPhases) {
  Stepped s(R"(
    barriers 2
    thread
      barrier b0
    thread
      barrier b0
    thread
      barrier b0
  )");
  Label l = s.run(0);
  EXPECT_EQ(l.written, 0u);
  EXPECT_EQ(l.read, 0u);
  EXPECT_EQ(l.size, 2u);
  EXPECT_FALSE(s.enabled(0));
  EXPECT_EQ(s.run(2).read, 1u);
  EXPECT_TRUE(s.enabled(0));
  l = s.run(1);
  EXPECT_EQ(l.written, 1u);
  EXPECT_EQ(l.read, 0u);
  EXPECT_EQ(s.next(1).op.value, 1u);
  EXPECT_FALSE(s.enabled(1));
  s.run(0);
  s.run(2);
  EXPECT_FALSE(s.machine().frontier().any_enabled());
  EXPECT_FALSE(s.machine().finished());
}

TEST(ModelMachine, SpawnedThreadsStandAtTheirFirstOperationAndAreJoined) {
  Stepped s(R"(
    variables 0
    thread
      join t1
    thread spawned
      set r0 1
      store x0 r0
    thread
      spawn t1
  )");
  EXPECT_FALSE(s.live(1));
  EXPECT_FALSE(s.enabled(0));
  EXPECT_EQ(s.run(2).object, 1u);
  EXPECT_EQ(s.next(1).op.kind, OpKind::kStore);
  EXPECT_FALSE(s.enabled(0));
  s.run(1);
  EXPECT_TRUE(s.enabled(0));
}

TEST(ModelMachine, AwaitComparesOneOrTwoVariables) {
  Stepped s(R"(
    variables 0 0
    thread
      await x0 >= 1
    thread
      awaitboth x0 x1 == 1
    thread
      store x0 1
      store x1 1
  )");
  EXPECT_FALSE(s.enabled(0));
  s.run(2);
  EXPECT_TRUE(s.enabled(0));
  EXPECT_FALSE(s.enabled(1));
  s.run(2);
  EXPECT_TRUE(s.enabled(1));
}

TEST(ModelMachine, OnceRunsOnceUnlessAbandoned) {
  Stepped s(R"(
    onces 1
    thread
      onceenter r0 o0
      onceabandon o0
    thread
      onceenter r0 o0
      onceleave o0
    thread
      onceenter r0 o0
  )");
  EXPECT_TRUE(s.run(0).success);
  EXPECT_FALSE(s.enabled(1));
  EXPECT_FALSE(s.run(0).success);
  EXPECT_TRUE(s.run(1).success);
  EXPECT_FALSE(s.enabled(2));
  EXPECT_TRUE(s.run(1).success);
  EXPECT_FALSE(s.run(2).success);
}

TEST(ModelMachine, FutexSleepsOnlyOnTheExpectedValueAndWakesSubsets) {
  Stepped s(R"(
    variables 0
    thread
      futexwait r0 x0 0
    thread
      futexwait r0 x0 0
    thread
      futexwait r0 x0 0
    thread
      futexwait r0 x0 1
    thread
      futexwake x0 2
      futexwake x0 2
  )");
  EXPECT_FALSE(s.run(3).success);
  EXPECT_FALSE(s.live(3));
  for (ThreadId t : {0, 1, 2}) EXPECT_TRUE(s.run(t).success);
  ASSERT_EQ(s.next(4).ways, 3);
  EXPECT_EQ(s.run(4, 1).written, 0b101u);
  EXPECT_FALSE(s.enabled(1));
  EXPECT_TRUE(s.enabled(2));
  EXPECT_EQ(s.next(4).ways, 1);
  EXPECT_EQ(s.run(4).written, 0b10u);
}

TEST(ModelMachine, ChooseHasWays) {
  Stepped s(R"(
    thread
      choose r0 3
      yield
  )");
  EXPECT_EQ(s.next(0).ways, 3);
  s.run(0, 2);
  EXPECT_EQ(s.reg(0, 0), 2);
}

TEST(ModelMachine, AFailedAssertionEndsItsThreadAndTheOthersGoOn) {
  Stepped s(R"(
    variables 0
    thread
      load r0 x0
      assert r0 == 1
      store x0 7
    thread
      join t0
  )");
  s.run(0);
  ASSERT_NE(s.machine().failure(), nullptr);
  EXPECT_EQ(s.machine().failure()->kind, FailureKind::kAssertion);
  EXPECT_TRUE(s.enabled(1));
  s.run(1);
  EXPECT_EQ(s.machine().failure(), nullptr);
  EXPECT_TRUE(s.machine().finished());
}

TEST(ModelMachine, AFailedAssumeBlocksItsThreadForGood) {
  Stepped s(R"(
    variables 0
    thread
      load r0 x0
      assume r0 == 1
    thread
      join t0
  )");
  s.run(0);
  EXPECT_EQ(s.machine().failure(), nullptr);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kNever);
  EXPECT_FALSE(s.machine().frontier().any_enabled());
  EXPECT_FALSE(s.machine().finished());
}

TEST(ModelMachine, ExitWaitsForTheOthersAndEndsTheProgram) {
  Stepped s(R"(
    variables 0
    mutexes 1
    thread
      exit
    thread
      load r0 x0
      lock m0
      lock m0
  )");
  EXPECT_FALSE(s.enabled(0));
  s.run(1);
  s.run(1);
  EXPECT_TRUE(s.enabled(0));
  s.run(0);
  EXPECT_TRUE(s.machine().finished());
  EXPECT_TRUE(s.machine().frontier().threads().empty());
}

TEST(ModelMachine, LocalCodeThatDoesNotEndIsAFailure) {
  Stepped s(R"(
    variables 0
    thread
      0: load r0 x0
      1: if r0 == 0 goto 1
  )");
  s.run(0);
  ASSERT_NE(s.machine().failure(), nullptr);
  EXPECT_EQ(s.machine().failure()->kind, FailureKind::kLivelock);
}

TEST(ModelMachine, AnImpossibleStepIsRefused) {
  Stepped s(R"(
    mutexes 1
    thread
      lock m0
      lock m0
  )");
  s.machine().run({1, 0});
  ASSERT_NE(s.machine().failure(), nullptr);
  EXPECT_EQ(s.machine().failure()->kind, FailureKind::kUnsupported);
  s.machine().run({0, 1});
  EXPECT_NE(s.machine().failure(), nullptr);
  s.machine().run({0, 0});
  EXPECT_EQ(s.machine().failure(), nullptr);
  s.machine().run({0, 0});
  EXPECT_NE(s.machine().failure(), nullptr);
  s.machine().restart();
  EXPECT_TRUE(s.enabled(0));
}

}  // namespace
}  // namespace mazur::model
