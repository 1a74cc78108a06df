// The process may end while threads wait: what disabled them still has to be reversed.
#include "explore/at_exit.h"

#include <gtest/gtest.h>

#include "check/loop.h"
#include "explore/explorer.h"

namespace mazur {
namespace {

// Two threads lock a mutex and keep it; main ends the process when nobody can do anything else. So
// the one that comes second waits for ever, and only the frontier before the end shows it.
class KeepsTheLock final : public Machine {
 public:
  KeepsTheLock() { restart(); }
  void restart() override {
    holder_ = kNoThread;
    finished_ = false;
    update();
  }
  const Frontier& frontier() override { return frontier_; }
  const Event& run(Step step) override {
    event_ = {};
    event_.thread = step.thread;
    static_cast<Operation&>(event_.label) = frontier_.find(step.thread)->op;
    if (step.thread == 0)
      finished_ = true;
    else
      holder_ = step.thread;
    update();
    return event_;
  }
  const Failure* failure() const override { return nullptr; }
  bool finished() const override { return finished_; }

 private:
  void update() {
    auto& threads = frontier_.mutable_threads();
    threads.clear();
    if (finished_) return;
    threads.push_back(
        {.thread = 0, .enabled = holder_ != kNoThread, .op = {.kind = OpKind::kExit}});
    for (ThreadId t = 1; t <= 2; ++t)
      if (t != holder_)
        threads.push_back({.thread = t,
                           .enabled = holder_ == kNoThread,
                           .op = {.kind = OpKind::kLock, .object = 0x1000}});
  }

  ThreadId holder_ = kNoThread;
  bool finished_ = false;
  Frontier frontier_;
  Event event_;
};

class Deaf final : public Watcher {
  void failed(const Trace&, const Frontier&, const Failure&) override {}
};

TEST(AtExit, WhatAThreadWaitedForIsReversed) {
  for (const char* name : {"dpor", "source", "optimal", "observers", "context", "context-observers",
                           "quasi", "lazy"}) {
    KeepsTheLock machine;
    const auto explorer = make_explorer(name, {});
    Deaf watcher;
    EXPECT_EQ(explore(machine, *explorer, {}, watcher).tally.complete, 2u) << name;
  }
}

}  // namespace
}  // namespace mazur
