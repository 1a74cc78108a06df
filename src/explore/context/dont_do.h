// dnd(E) for every prefix E of the current execution: sequences that need not be run after it,
// because an execution that has been explored reaches the same state ("Optimal dynamic partial
// order reduction with context-sensitive independence and observers", section 3.1: a sleep set of
// sequences).
#pragma once

#include <vector>

#include "explore/observers/observability.h"
#include "explore/step_table.h"

namespace mazur {

class DontDo {
 public:
  using Sequence = std::vector<StepId>;

  DontDo(const StepTable& steps, const Observation& observation)
      : steps_(steps), observation_(observation) {}

  // Prefixes of lengths 0 .. depth() - 1 are known.
  std::size_t depth() const { return nodes_.size(); }
  void push_empty() { nodes_.emplace_back(); }
  // dnd(E.p) for the executed p (Alg. 1 lines 19-20, with the inheritance of Alg. 2 line 62 where p
  // is independent of what comes before it): sequences that p is independent of, and those that
  // contain p, without it.
  void push_after(const Event& p);
  // Keeps prefixes shorter than `depth`.
  void truncate(std::size_t depth) { nodes_.resize(depth); }
  // Adds the sequence to dnd(E) for the prefix of this length. It is there because of two events
  // that it has in another order than an explored execution: the first one, by thread and place
  // among the thread's events, and the thread's next step after E.
  struct Swap {
    ThreadId first;
    std::uint32_t place;
    ThreadId second;
    friend bool operator==(const Swap&, const Swap&) = default;
  };
  static Swap swap_of(const Trace& trace, EventIndex e, EventIndex f) {
    return {trace.thread(f), trace.place(f), trace.thread(e)};
  }
  void add(std::size_t depth, Sequence sequence, Swap swap);
  // Takes back what was added because of this pair, and adds no more of it.
  void ban(std::size_t depth, Swap swap);
  // Whether nothing is in dnd(E).
  bool empty(std::size_t depth) const { return nodes_[depth].set.empty(); }
  // Whether the step alone is in dnd(E).
  bool contains(std::size_t depth, Step step) const;

 private:
  struct Item {
    Sequence steps;
    Swap swap;
  };
  struct Node {
    std::vector<Item> set;
    std::vector<Swap> banned;
  };

  bool can_precede(const Sequence& s, std::size_t at, const Event& q) const;
  bool is_hidden(const Sequence& s, std::size_t from, ObjectId begin, ObjectId end) const;

  const StepTable& steps_;
  const Observation& observation_;
  std::vector<Node> nodes_;  // by length of the prefix
};

}  // namespace mazur
