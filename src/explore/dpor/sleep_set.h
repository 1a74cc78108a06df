// The sleep sets of all prefixes of the current execution, as a stack: sleep(E) for every E on the
// path, the innermost last.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/step_table.h"
#include "trace/reversal.h"

namespace mazur {

class SleepSets {
 public:
  explicit SleepSets(const StepTable& steps) : steps_(steps) {}

  std::size_t depth() const { return ends_.size(); }
  // sleep(E) for the prefix of this length.
  std::span<const StepId> at(std::size_t depth) const {
    const std::uint32_t begin = depth == 0 ? 0 : ends_[depth - 1];
    return {sleepers_.data() + begin, ends_[depth] - begin};
  }
  // Whether the step, which need not be named by an id, is in sleep(E).
  bool contains(std::size_t depth, Step step) const {
    for (StepId q : at(depth))
      if (steps_[q].step() == step) return true;
    return false;
  }

  // Whether some step of sleep(E') is in WI(v), so that v has been explored after E' (Alg. 2 line
  // 6). A sleeping step at the end of v that has other outcomes makes v go over to those first.
  bool has_weak_initial_of(Reversal& v) const;

  // The empty sleep set of the empty prefix.
  void push_empty() { ends_.push_back(static_cast<std::uint32_t>(sleepers_.size())); }
  // sleep(E.p) = { q in sleep(E) | E |- p <> q }, for the executed p (Alg. 1 line 10, Alg. 2
  // line 17).
  void push_after(const Event& p);
  // Keeps the sleep sets of prefixes shorter than `depth`.
  void truncate(std::size_t depth) {
    ends_.resize(depth);
    sleepers_.resize(depth == 0 ? 0 : ends_[depth - 1]);
  }
  // Adds an explored step to the innermost sleep set (Alg. 1 line 12, Alg. 2 line 21).
  void add(StepId p) {
    sleepers_.push_back(p);
    ++ends_.back();
  }

 private:
  const StepTable& steps_;
  std::vector<StepId> sleepers_;
  std::vector<std::uint32_t> ends_;  // by length of the prefix
};

}  // namespace mazur
