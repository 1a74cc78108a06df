// Spurious wake-ups and failures of the model machine.
#include <gtest/gtest.h>

#include <initializer_list>
#include <set>
#include <string>

#include "check/loop.h"
#include "explore/registry.h"
#include "stepped.h"

namespace mazur::model {
namespace {

constexpr char kWait[] = R"(
variables 0
mutexes 1
conditions 1
spurious 1 0
thread
  lock m0
  wait c0 m0
  load r0 x0
  unlock m0
thread
  store x0 1
  signal c0
)";

TEST(Spurious, AWaitUnlocksAndLocksItsMutex) {
  Stepped s(kWait);
  s.run(0);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kChoose);
  EXPECT_EQ(s.next(0).ways, 2);
  s.run(0, 1);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kUnlock);
  s.run(0);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kLock);
  s.run(1);
  EXPECT_EQ(s.next(1).ways, 1);
  EXPECT_EQ(s.run(1).read, 0u);  // there is no waiter to wake
  EXPECT_TRUE(s.enabled(0));
  s.run(0);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kLoad);
}

TEST(Spurious, AWaitThatChoosesNotToIsAsEver) {
  Stepped s(kWait);
  s.run(0);
  s.run(0, 0);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kCondWait);
  s.run(0);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kCondWake);
  EXPECT_FALSE(s.enabled(0));
  s.run(1);
  s.run(1);
  EXPECT_TRUE(s.enabled(0));
}

TEST(Spurious, ThereAreNoMoreThanAllowed) {
  Stepped s(R"(
mutexes 1
spurious 0 1
thread
  trylock r0 m0
  trylock r1 m0
)");
  EXPECT_EQ(s.next(0).op.kind, OpKind::kChoose);
  s.run(0, 1);
  EXPECT_EQ(s.reg(0, 0), 0);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kTryLock);
  s.run(0);
  EXPECT_EQ(s.reg(0, 1), 1);
}

TEST(Spurious, ACompareExchangeThatFailsIsALoad) {
  Stepped s(R"(
variables 0
spurious 0 1
thread
  cas r0 x0 0 5
)");
  s.run(0, 1);
  EXPECT_EQ(s.next(0).op.kind, OpKind::kLoad);
  s.run(0);
  EXPECT_EQ(s.x(0), 0);
  EXPECT_EQ(s.reg(0, 0), 0);
}

// The values of x1 at the end of all executions.
std::set<std::int32_t> results(std::initializer_list<std::string> parts) {
  class Ends final : public Watcher {
   public:
    explicit Ends(ModelMachine& machine) : machine_(machine) {}
    void failed(const Trace&, const Frontier&, const Failure&) override {}
    void ended(const Trace&, const Tally&, End) override {
      seen.insert(machine_.state().variable(1));
    }
    std::set<std::int32_t> seen;

   private:
    ModelMachine& machine_;
  };
  std::string text;
  for (const std::string& part : parts) text.append(part).append("\n");
  const Program program = parse(text);
  ModelMachine machine(program);
  Ends ends(machine);
  const auto optimal = make_explorer("optimal", {});
  explore(machine, *optimal, {.keep_going = true}, ends);
  return ends.seen;
}

// What the definition says, written out as a program: a choice, and then an unlock and a lock.
TEST(Spurious, AreWhatTheDefinitionSays) {
  const std::string others = R"(
thread
  store x0 1
  lock m0
  store x0 2
  signal c0
  unlock m0
)";
  const std::string objects = "variables 0 9\nmutexes 1\nconditions 1\n";
  const std::set<std::int32_t> machine = results({objects, "spurious 1 0", R"(
thread
  lock m0
  wait c0 m0
  load r1 x0
  store x1 r1
  unlock m0
)",
                                                  others});
  const std::set<std::int32_t> written = results({objects, R"(
thread
  0: lock m0
  1: choose r0 2
  2: if r0 == 1 goto 5
  3: wait c0 m0
  4: if r0 == 0 goto 7
  5: unlock m0
  6: lock m0
  7: load r1 x0
  8: store x1 r1
  9: unlock m0
)",
                                                  others});
  EXPECT_EQ(machine, written);
  EXPECT_EQ(machine, (std::set<std::int32_t>{0, 1, 2, 9}));
  EXPECT_EQ(results({objects, R"(
thread
  lock m0
  wait c0 m0
  load r1 x0
  store x1 r1
  unlock m0
)",
                     others}),
            (std::set<std::int32_t>{2, 9}));
}

}  // namespace
}  // namespace mazur::model
