// The loop on a machine that is a script: bounds, verdicts, counts, replay.
#include "check/loop.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

namespace mazur {
namespace {

// Threads that store to objects of their own, one after the other. `fails` is asked after each
// step, with the number of steps that each thread has made.
class Script final : public Machine {
 public:
  using Positions = std::vector<std::size_t>;

  explicit Script(Positions lengths) : lengths_(std::move(lengths)) { restart(); }

  void restart() override {
    at_.assign(lengths_.size(), 0);
    failure_ = {};
    ++restarts_;
    (loops_wait_ ? waiting : stopping)++;
    update();
  }
  const Frontier& frontier() override { return frontier_; }
  const Event& run(Step step) override {
    failure_ = {};
    event_ = {};
    event_.thread = step.thread;
    event_.label.kind = OpKind::kStore;
    event_.label.size = 4;
    event_.label.object = 0x1000u * (step.thread + 1u);
    event_.label.written = ++at_[step.thread] + (drifts ? restarts_ : 0);
    if (fails && fails(at_)) {
      failure_.kind = unsupported ? FailureKind::kUnsupported : FailureKind::kAssertion;
      failure_.thread = step.thread;
      failure_.message = "scripted";
    }
    update();
    return event_;
  }
  const Failure* failure() const override {
    return failure_.kind == FailureKind::kNone ? nullptr : &failure_;
  }
  bool finished() const override { return frontier_.threads().empty(); }
  void let_loops_wait(bool wait) override { loops_wait_ = wait; }
  bool outdated() const override { return outdated_after != 0 && restarts_ > outdated_after; }

  std::function<bool(const Positions&)> fails;
  std::size_t outdated_after = 0;  // so many executions, if not 0
  bool unsupported = false;
  bool drifts = false;       // behaves otherwise in every execution
  bool blocks_last = false;  // the last operation of each thread waits forever
  bool assumes = false;      // and is a failed assume
  // Executions in which threads that go round in vain wait, and in which they stop for good.
  std::uint64_t waiting = 0, stopping = 0;

 private:
  void update() {
    auto& pending = frontier_.mutable_threads();
    pending.clear();
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
      if (at_[i] == lengths_[i]) continue;
      Pending p;
      p.thread = static_cast<ThreadId>(i);
      p.enabled = !(blocks_last && at_[i] + 1 == lengths_[i]);
      p.op.kind = p.enabled ? OpKind::kStore : assumes ? OpKind::kNever : OpKind::kLock;
      p.op.object = 0x1000u * (i + 1);
      p.op.size = 4;
      pending.push_back(p);
    }
  }

  Positions lengths_, at_;
  std::size_t restarts_ = 0;
  bool loops_wait_ = true;
  Frontier frontier_;
  Event event_;
  Failure failure_;
};

class Noting : public Watcher {
 public:
  void failed(const Trace& trace, const Frontier&, const Failure& failure) override {
    failures.push_back(failure);
    sizes.push_back(trace.size());
  }
  void started_over() override { ++begun_again; }
  bool stop() override { return stops; }
  std::vector<Failure> failures;
  std::vector<std::size_t> sizes;
  bool stops = false;
  int begun_again = 0;
};

Outcome explored(Script& script, Noting& watcher, const Bounds& bounds = {},
                 const char* algorithm = "naive") {
  const auto explorer = make_explorer(algorithm, {});
  return explore(script, *explorer, bounds, watcher);
}

// Runs one execution, and notes what its last frontier was.
class LastFrontier final : public Explorer {
 public:
  MaybeStep choose(const Trace&, const Frontier& frontier) override {
    for (const Pending& p : frontier.threads())
      if (p.enabled) return Step{p.thread, 0};
    return std::nullopt;
  }
  bool plan(const Trace&, const Frontier& frontier, End) override {
    any_enabled = frontier.any_enabled();
    waiting = frontier.threads().size();
    return false;
  }
  std::size_t keep() const override { return 0; }
  bool any_enabled = true;
  std::size_t waiting = 0;
};

// Runs each thread first, in turn. After some executions it finds that it must begin again.
class BeginsAgain final : public Explorer {
 public:
  explicit BeginsAgain(std::size_t after) : again_after_(after) {}
  MaybeStep choose(const Trace&, const Frontier& frontier) override {
    for (const Pending& p : frontier.threads())
      if (p.enabled && p.thread == first_) return Step{p.thread, 0};
    for (const Pending& p : frontier.threads())
      if (p.enabled) return Step{p.thread, 0};
    return std::nullopt;
  }
  bool plan(const Trace&, const Frontier&, End) override {
    if (++executions_ != again_after_) return ++first_ < 3;
    first_ = 0;
    ++restarts_;
    return true;
  }
  std::size_t keep() const override { return 0; }
  Standing standing() const override { return {.restarts = restarts_}; }

 private:
  std::size_t again_after_;
  std::size_t executions_ = 0;
  ThreadId first_ = 0;
  unsigned restarts_ = 0;
};

// As one does that runs a failing schedule again.
class Rerunner final : public Noting {
 public:
  explicit Rerunner(Machine& machine) : machine_(machine) {}
  void ended(const Trace&, const Tally&, End) override { machine_.restart(); }

 private:
  Machine& machine_;
};

TEST(Loop, AnObserverThatUsesTheMachineChangesNothing) {
  Script script({2, 3});
  script.blocks_last = true;
  Rerunner observer(script);
  LastFrontier explorer;
  explore(script, explorer, {.keep_going = true}, observer);
  ASSERT_EQ(observer.failures.size(), 1u);
  EXPECT_FALSE(explorer.any_enabled);
  EXPECT_EQ(explorer.waiting, 2u);
}

TEST(Loop, NaiveRunsEveryInterleaving) {
  Script script({3, 2});
  Noting watcher;
  const Outcome outcome = explored(script, watcher);
  EXPECT_EQ(outcome.verdict, Verdict::kVerified);
  EXPECT_EQ(outcome.tally.complete, 10u);  // 5 over 2
  EXPECT_EQ(outcome.tally.events, 50u);
  EXPECT_EQ(outcome.explored, (Explored{1, 1}));
}

TEST(Loop, StopsAtTheFirstErrorUnlessItKeepsGoing) {
  Noting first, all;
  Script script({2, 2});
  script.fails = [](const auto& at) { return at[0] == 0 && at[1] == 2; };
  const Outcome one = explored(script, first);
  EXPECT_EQ(one.verdict, Verdict::kBug);
  EXPECT_EQ(first.failures.size(), 1u);
  EXPECT_EQ(first.sizes[0], 2u);
  const Outcome every = explored(script, all, {.keep_going = true});
  EXPECT_EQ(every.verdict, Verdict::kBug);
  EXPECT_EQ(every.tally.complete, 6u);
  EXPECT_EQ(every.tally.failures, 1u);  // of the six, one begins with both steps of thread 1
}

TEST(Loop, WhatIsCutIsNeverVerified) {
  Script script({3, 3});
  Noting watcher;
  const Outcome steps = explored(script, watcher, {.max_steps = 4});
  EXPECT_EQ(steps.verdict, Verdict::kIncomplete);
  EXPECT_GT(steps.tally.bounded, 0u);
  EXPECT_EQ(steps.tally.complete, 0u);
  const Outcome executions = explored(script, watcher, {.max_executions = 5});
  EXPECT_EQ(executions.verdict, Verdict::kIncomplete);
  EXPECT_EQ(executions.tally.total(), 5u);
  EXPECT_EQ(executions.reason, "--max-executions was reached");
  const Outcome time = explored(script, watcher, {.time_limit = 0.05}, "random");
  EXPECT_EQ(time.verdict, Verdict::kIncomplete);
  EXPECT_EQ(time.reason, "--time-limit was reached");
}

TEST(Loop, AnExplorationThatBeginsAgainDoesNotCountWhatItThrewAway) {
  Script script({2, 2, 2});
  Noting watcher;
  BeginsAgain explorer(2);
  const Outcome all = explore(script, explorer, {}, watcher);
  EXPECT_EQ(all.verdict, Verdict::kVerified);
  EXPECT_EQ(all.tally.complete, 3u);
  EXPECT_EQ(all.tally.events, 18u);
  EXPECT_EQ(watcher.begun_again, 1);
  // Two are thrown away, and two that count are allowed.
  BeginsAgain bounded(2);
  const Outcome cut = explore(script, bounded, {.max_executions = 2}, watcher);
  EXPECT_EQ(cut.reason, "--max-executions was reached");
  EXPECT_EQ(cut.tally.total(), 2u);
  // An error of what was thrown away is an error all the same.
  script.fails = [first = true](const auto& at) mutable {
    return at[0] + at[1] + at[2] == 1 && std::exchange(first, false);
  };
  BeginsAgain failing(2);
  const Outcome bug = explore(script, failing, {.keep_going = true}, watcher);
  EXPECT_EQ(bug.verdict, Verdict::kBug);
  EXPECT_EQ(bug.tally.complete, 3u);
}

TEST(Loop, TheLastExecutionAllowedMayBeTheLastThereIs) {
  Script script({3, 3});
  Noting watcher;
  EXPECT_EQ(explored(script, watcher, {.max_executions = 20}).verdict, Verdict::kVerified);
}

TEST(Loop, TheObserverCanStopIt) {
  Script script({8, 8});
  Noting watcher;
  watcher.stops = true;
  const Outcome outcome = explored(script, watcher);
  EXPECT_EQ(outcome.verdict, Verdict::kIncomplete);
  EXPECT_EQ(outcome.reason, "it was interrupted");
}

// The execution that shows it does not count, and nothing is said about it but an error.
TEST(Loop, AnOutdatedMachineIsNotExploredFurther) {
  Script machine({2, 2});
  machine.outdated_after = 4;
  Noting watcher;
  const auto naive = make_explorer("naive", {});
  const Outcome outcome = explore(machine, *naive, {}, watcher);
  EXPECT_TRUE(outcome.outdated);
  EXPECT_EQ(outcome.tally.complete, 3u);

  machine.fails = [](const Script::Positions& at) { return at[0] == 2; };
  const auto again = make_explorer("naive", {});
  const Outcome failed = explore(machine, *again, {}, watcher);
  EXPECT_FALSE(failed.outdated);
  EXPECT_EQ(failed.verdict, Verdict::kBug);

  machine.unsupported = true;
  const auto once_more = make_explorer("naive", {});
  EXPECT_TRUE(explore(machine, *once_more, {}, watcher).outdated);
}

// An exploration has other executions for a thread that looks in vain. A walk has not, and neither
// has who runs the machine after it.
TEST(Loop, LoopsWaitInWalksAndStopInExplorations) {
  const Bounds few{.max_executions = 5};
  Noting watcher;
  Script exploration({2, 2});
  exploration.waiting = 0;
  explored(exploration, watcher);
  EXPECT_EQ(exploration.waiting, 0u);
  EXPECT_EQ(exploration.stopping, 6u);
  exploration.restart();
  EXPECT_EQ(exploration.waiting, 1u);
  for (const char* walk : {"random", "pct"}) {
    Script script({2, 2});
    script.waiting = 0;
    explored(script, watcher, few, walk);
    EXPECT_EQ(script.waiting, 5u) << walk;
    EXPECT_EQ(script.stopping, 0u) << walk;
  }
  Script both({3, 3, 3});  // 1,680 schedules: long enough for a portfolio
  both.waiting = 0;
  EXPECT_EQ(explored(both, watcher, {.portfolio = true}).tally.complete, 1680u);
  EXPECT_GT(both.waiting, 0u);
  EXPECT_GE(both.stopping, 1680u);
}

TEST(Loop, NothingEnabledIsADeadlockOrAFailedAssume) {
  Noting deadlocks, assumes;
  Script script({2, 2});
  script.blocks_last = true;
  const Outcome deadlock = explored(script, deadlocks, {.keep_going = true});
  EXPECT_EQ(deadlock.verdict, Verdict::kBug);
  EXPECT_EQ(deadlock.tally.complete, 2u);
  ASSERT_EQ(deadlocks.failures.size(), 2u);
  EXPECT_EQ(deadlocks.failures[0].kind, FailureKind::kDeadlock);
  script.assumes = true;
  const Outcome assume = explored(script, assumes);
  EXPECT_EQ(assume.verdict, Verdict::kVerified);
  EXPECT_EQ(assume.tally.assume_blocked, 2u);
  EXPECT_EQ(assume.tally.complete, 0u);
}

TEST(Loop, WhatIsNotSupportedEndsItWithTheReason) {
  Script script({2, 2});
  script.unsupported = true;
  script.fails = [](const auto& at) { return at[1] == 1; };
  Noting watcher;
  const Outcome outcome = explored(script, watcher, {.keep_going = true});
  EXPECT_EQ(outcome.verdict, Verdict::kUnsupported);
  EXPECT_EQ(outcome.reason, "scripted");
}

TEST(Loop, APrefixThatDoesNotReplayIsNoticed) {
  Script script({2, 2});
  script.drifts = true;
  Noting watcher;
  const Outcome outcome = explored(script, watcher);
  EXPECT_EQ(outcome.verdict, Verdict::kUnsupported);
  EXPECT_NE(outcome.reason.find("the schedule did not replay: step 0"), std::string::npos)
      << outcome.reason;
}

// One execution of the script, by its threads.
std::vector<Event> schedule(Script& script, std::initializer_list<ThreadId> threads) {
  std::vector<Event> events;
  script.restart();
  for (const ThreadId thread : threads) events.push_back(script.run({thread, 0}));
  return events;
}

TEST(Replay, ReachesTheSameError) {
  Script script({2, 2});
  script.fails = [](const auto& at) { return at[0] == 1 && at[1] == 2; };
  const auto events = schedule(script, {1, 0, 1});
  Trace trace;
  Noting watcher;
  const Outcome outcome = replay(script, events, {}, trace, watcher);
  EXPECT_EQ(outcome.verdict, Verdict::kBug);
  EXPECT_EQ(outcome.reason, "scripted");
  EXPECT_EQ(watcher.sizes, std::vector<std::size_t>{3});
}

TEST(Replay, AScheduleThatDoesNotFitSaysAtWhichStep) {
  Script script({3, 3}), shorter({1, 3});
  const auto events = schedule(script, {0, 0, 1});
  Trace trace;
  Noting watcher;
  const Outcome outcome = replay(shorter, events, {}, trace, watcher);
  EXPECT_EQ(outcome.verdict, Verdict::kUnsupported);
  EXPECT_EQ(outcome.reason,
            "the trace does not fit the program: step 1 runs main, which does not exist there");
  Script other({3, 3});
  other.drifts = true;
  const Outcome diverged = replay(other, events, {}, trace, watcher);
  EXPECT_EQ(diverged.verdict, Verdict::kUnsupported);
  EXPECT_NE(diverged.reason.find("the schedule did not replay"), std::string::npos);
}

TEST(Replay, LibrariesMayLieElsewhere) {
  Event recorded;
  recorded.thread = 1;
  recorded.label.kind = OpKind::kStore;
  recorded.label.object = 0x7ffff7a00010;
  recorded.label.pc = 0x7ffff7a01234;
  recorded.label.written = 0x7ffff7a00020;
  Event now = recorded;
  now.label.object += 0x3000;
  now.label.pc += 0x3000;
  now.label.written += 0x3000;
  EXPECT_TRUE(same_operation(now, recorded));
  EXPECT_FALSE(same_event(now, recorded));
  now.label.written = 7;
  EXPECT_FALSE(same_operation(now, recorded));
}

}  // namespace
}  // namespace mazur
