// What the threads of a program are about to do, between two steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/label.h"

namespace mazur {

// A live thread and what it is about to do.
struct Pending {
  ThreadId thread = kNoThread;
  bool enabled = false;
  std::uint16_t ways = 1;  // number of outcomes; a Step's choice is below it
  Operation op;
  std::uint64_t pc = 0;
  // Where it is, with the calls that lead there: equal numbers mean the same place. 0: see pc.
  std::uint64_t place = 0;
  std::uint8_t loop_bound = 0;  // which bound holds for loops here (Bounds::loops), from 1; 0: none
  std::uint8_t holds = 0;       // kAwait: bit 0, bit 1: the comparison of that location holds
  bool assumed =
      false;  // a look (blocking/look.h) that is disabled: the thread would fail an assume
};

// A name of a state. Only equal states have equal names.
using StateName = std::vector<std::uint64_t>;

// Live threads, sorted by id. Ended threads are not in it.
class Frontier {
 public:
  std::span<const Pending> threads() const { return {pending_.data(), pending_.size()}; }
  std::vector<Pending>& mutable_threads() { return pending_; }
  // The state that the threads are in, if the machine was asked to name states; else empty.
  const StateName& state() const { return state_; }
  StateName& mutable_state() { return state_; }

  // Null if it is not live. No thread comes after the place that its id says, so the search begins
  // there.
  const Pending* find(ThreadId thread) const {
    std::size_t i = thread < pending_.size() ? thread + std::size_t{1} : pending_.size();
    while (i > 0 && pending_[i - 1].thread > thread) --i;
    return i > 0 && pending_[i - 1].thread == thread ? &pending_[i - 1] : nullptr;
  }
  bool any_enabled() const {
    for (const Pending& p : pending_)
      if (p.enabled) return true;
    return false;
  }

 private:
  std::vector<Pending> pending_;
  StateName state_;
};

}  // namespace mazur
