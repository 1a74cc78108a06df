// The instructions of the model machine that wait for other threads.
#include "stepped.h"

namespace mazur::model {
namespace {

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

TEST(ModelMachine, NamesTheHolderOfWhatIsWaitedFor) {
  Stepped s(R"(
    mutexes 1
    rwlocks 1
    onces 1
    thread
      yield
      lock m0
    thread
      lock m0
      rdlock w0
      onceenter r0 o0
    thread
      wrlock w0
    thread
      onceenter r0 o0
    thread
      join t0
  )");
  EXPECT_EQ(s.machine().holder(s.next(2).op), kNoThread);
  for (ThreadId t : {0, 1, 1, 1}) s.run(t);
  for (ThreadId t : {0, 2, 3}) EXPECT_EQ(s.machine().holder(s.next(t).op), 1) << t;
  EXPECT_EQ(s.machine().holder(s.next(4).op), kNoThread);
}

}  // namespace
}  // namespace mazur::model
