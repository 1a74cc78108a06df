// What the instructions of the model machine do, when they are enabled and what their labels say:
// memory, locks, threads, and how threads end. Conditions and the like are in waiting_test.cpp.
#include "stepped.h"

namespace mazur::model {
namespace {

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
  EXPECT_EQ(s.machine().failure()->kind, FailureKind::kMisuse);
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
