// A machine that does as little as possible: threads are lists of loads, stores and lock
// operations. What a benchmark measures on it is the trace and the explorer.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/machine.h"

namespace mazur {

class ScriptMachine final : public Machine {
 public:
  explicit ScriptMachine(std::vector<std::vector<Operation>> threads)
      : threads_(std::move(threads)) {}

  void restart() override {
    next_.assign(threads_.size(), 0);
    held_.clear();
    frontier_.mutable_threads().clear();
    for (ThreadId t = 0; t < threads_.size(); ++t)
      if (!threads_[t].empty())
        frontier_.mutable_threads().push_back({.thread = t, .enabled = true, .op = threads_[t][0]});
  }

  const Frontier& frontier() override { return frontier_; }

  const Event& run(Step step) override {
    std::vector<Pending>& live = frontier_.mutable_threads();
    std::size_t at = 0;
    while (live[at].thread != step.thread) ++at;
    const Operation op = live[at].op;
    event_ = {.thread = step.thread, .choice = 0, .ways = 1, .label = {}};
    static_cast<Operation&>(event_.label) = op;
    if (++next_[step.thread] < threads_[step.thread].size())
      live[at].op = threads_[step.thread][next_[step.thread]];
    else
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
    const bool synchronises = op.kind == OpKind::kLock || op.kind == OpKind::kUnlock;
    if (synchronises) held_[op.object] = op.kind == OpKind::kLock;
    for (Pending& p : live)
      if (p.op.kind == OpKind::kLock && (synchronises || p.thread == step.thread))
        p.enabled = !held_[p.op.object];
    return event_;
  }

  const Failure* failure() const override { return nullptr; }
  bool finished() const override { return frontier_.threads().empty(); }

 private:
  std::vector<std::vector<Operation>> threads_;
  std::vector<std::size_t> next_;
  std::unordered_map<ObjectId, bool> held_;
  Frontier frontier_;
  Event event_;
};

inline Operation access(OpKind kind, ObjectId object) {
  Operation op;
  op.kind = kind;
  op.object = object;
  op.size = kind == OpKind::kLock || kind == OpKind::kUnlock ? 0 : 8;
  return op;
}

}  // namespace mazur
