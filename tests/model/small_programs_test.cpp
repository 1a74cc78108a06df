// Small programs that each separate a right explorer from a wrong one: every explorer, in every
// order of picking, against brute force. Most were found by random programs, then made small.
#include <gtest/gtest.h>

#include "machine/model/text.h"
#include "verify.h"

namespace mazur::model {
namespace {

struct Small {
  const char* name;
  const char* text;
};
void PrintTo(const Small& s, std::ostream* out) { *out << s.name; }

constexpr Small kPrograms[] = {
    {"TimedWaitsAndASignal", R"(
      mutexes 1
      conditions 1
      thread
        lock m0
      thread
        lock m0
        timedwait r0 c0 m0
      thread
        lock m0
        timedwait r0 c0 m0
      thread
        signal c0
    )"},
    {"AFutexWaitThatAStoreMakesFail", R"(
      variables 0
      thread
        futexwait r0 x0 0
      thread
        yield
        store x0 1
      thread
        futexwake x0 1
    )"},
    {"AFutexWaitBetweenTwoWriters", R"(
      variables 0
      thread
        futexwait r0 x0 0
      thread
        cas r0 x0 1 0
      thread
        store x0 1
      thread
        futexwake x0 1
    )"},
    {"AFutexWaitAndTwoWakesWithAChoiceBetween", R"(
      variables 0
      thread
        futexwait r0 x0 0
      thread
        futexwake x0 1
        choose r0 2
        futexwake x0 1
    )"},
    {"ExitBehindAnAwait", R"(
      variables 0
      thread
        spawn t1
        exit
      thread spawned
        awaitboth x0 x0 == 0
      thread
        store x0 1
    )"},
    {"BroadcastSignalAndTwoKindsOfWaiters", R"(
      mutexes 1
      conditions 1
      thread
        lock m0
        broadcast c0
      thread
        lock m0
        timedwait r0 c0 m0
        unlock m0
      thread
        lock m0
        wait c0 m0
      thread
        signal c0
    )"},
    {"ARaceSeenOnlyInABlockedExecution", R"(
      variables 0 0
      thread
        load r0 x1
        load r0 x0
      thread
        load r0 x1
        store x0 0
      thread
        store x1 0
    )"},
    {"AJoinOfAThreadWithoutEvents", R"(
      variables 0
      thread
        store x0 1
        spawn t1
      thread spawned
      thread
        join t1
        load r0 x0
    )"},
    {"ALockBlockedAtTheEnd", R"(
      mutexes 1
      thread
        lock m0
      thread
        lock m0
      thread
        trylock r0 m0
    )"},
    {"AWriterBetweenReaders", R"(
      rwlocks 1
      thread
        rdlock w0
        rwunlock w0
      thread
        rdlock w0
        rwunlock w0
      thread
        wrlock w0
        rwunlock w0
      thread
        trywrlock r0 w0
    )"},
    {"MoreArrivalsThanABarrierHolds", R"(
      variables 0
      barriers 2
      thread
        store x0 1
        barrier b0
      thread
        barrier b0
        load r0 x0
      thread
        load r0 x0
        barrier b0
      thread
        barrier b0
    )"},
    {"PostsOvertakingWaits", R"(
      semaphores 1
      thread
        semwait s0
        sempost s0
      thread
        semwait s0
      thread
        sempost s0
      thread
        semtrywait r0 s0
    )"},
    {"AnAbandonedOnce", R"(
      onces 1
      thread
        0: onceenter r0 o0
        1: if r0 == 0 goto 3
        2: onceabandon o0
      thread
        0: onceenter r0 o0
        1: if r0 == 0 goto 3
        2: onceleave o0
      thread
        onceenter r0 o0
    )"},
    {"ChoicesBeforeARace", R"(
      variables 0
      thread
        0: choose r0 3
        1: if r0 == 0 goto 3
        2: store x0 r0
      thread
        choose r0 2
        load r1 x0
    )"},
    {"ALoopThatWaitsIsWokenByTheWriteItReadBefore", R"(
variables 0 0
thread
  0: spinboth x1 x0 != 1
thread
  0: store x1 0
  1: store x0 0
thread
  0: store x0 0
)"},
    {"ALoopThatReadsOneVariableTwice", R"(
variables 2
thread
  0: spinboth x0 x0 == 2
thread
  0: store x0 2
  1: loop r0 < 2 goto 0
)"},
    {"TwoLoopsAtOneLockDoNotWakeEachOther", R"(
variables 0
thread
  0: spinswap x0 1
  1: store x0 0
thread
  0: spinswap x0 1
  1: store x0 0
thread
  0: spinswap x0 1
)"},
    {"AnAwaitThatAStoreEndsAgain", R"(
      variables 0
      thread
        await x0 == 1
      thread
        store x0 1
        store x0 2
      thread
        store x0 1
    )"},
    {"ABarrierInUseIsNotDestroyed", R"(
      barriers 2
      thread
        barrier b0
      thread
        arrive b0
        arrive b0
      thread
        destroybarrier b0
      thread
        arrive b0
    )"},
    {"TriesAfterTheEndOfALock", R"(
      rwlocks 1
      thread
        rdlock w0
      thread
        trywrlock r0 w0
      thread
        destroyrwlock w0
      thread
        trywrlock r0 w0
    )"},
    {"NothingAtAll", "thread\nthread\n"},
};

class SmallProgram : public testing::TestWithParam<Small> {};

INSTANTIATE_TEST_SUITE_P(All, SmallProgram, testing::ValuesIn(kPrograms),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(SmallProgram, IsExploredAsByBruteForce) {
  const Program program = parse(GetParam().text);
  const Answer answer = brute_force(program, 100'000);
  ASSERT_TRUE(answer.complete);
  ASSERT_EQ(answer.inconsistent, "");
  for (const char* name : {"naive", "dpor", "source", "optimal", "lazy", "quasi"})
    for (Subject subject : subjects(name))
      for (subject.options.seed = 1; subject.options.seed <= 10; ++subject.options.seed) {
        EXPECT_EQ(verify(program, answer, subject), "") << subject.describe();
        if (subject.options.pick != PickOrder::kRandom) break;
      }
}

}  // namespace
}  // namespace mazur::model
