// Trace constraint systems (LazyPOR thesis, section 2.5): a trace as variables, one for every
// event, and constraints between them, so that another trace is planned by turning a constraint
// round.
//
// The program successor relation (4.1) is kept apart from the constraints: it orders the variables
// of one thread as they were added, and no constraint can turn it round.
//
// Contract:
//  1. A system may be contradictory. solve() never searches: it takes variables away one by one,
//     each without a predecessor, until none is left or all threads wait for each other. So it ends
//     at the first contradiction it meets, after time linear in variables and constraints, times
//     the number of threads at worst.
//  2. Solutions of a satisfiable system are exactly the sequences of one trace (Corollary 2.2), if
//     all dependences are in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/label.h"
#include "trace/reversal.h"
#include "trace/trace.h"

namespace mazur {

class TraceConstraintSystem {
 public:
  using Variable = std::uint32_t;
  struct Constraint {
    Variable before;
    Variable after;
    friend bool operator==(const Constraint&, const Constraint&) = default;
  };

  void clear();
  // A new variable with this label, the program successor of the last one of its thread.
  Variable add(const Event& label);
  void constrain(Variable before, Variable after) { constraints_.push_back({before, after}); }
  // Turns the i-th constraint round.
  void reverse(std::size_t i) { std::swap(constraints_[i].before, constraints_[i].after); }

  // CS(w) of an execution or a part of it (Definition 12): the constraints are the dependences of
  // different threads in the order of w, also those that follow from others.
  static TraceConstraintSystem of(std::span<const Event> sequence);

  std::size_t size() const { return labels_.size(); }
  const Event& label(Variable v) const { return labels_[v]; }
  std::span<const Constraint> constraints() const { return constraints_; }

  // Listing 5.1: a solution of the maximal satisfiable prefix. Returns whether that is the whole
  // system. The threads take turns, each with its next variable if nothing is to come before it.
  bool solve(std::vector<Variable>& solution);

 private:
  std::vector<Event> labels_;
  std::vector<Constraint> constraints_;
  std::vector<std::vector<Variable>> of_thread_;  // in program order

  // For solve().
  std::vector<std::uint32_t> next_;      // by thread
  std::vector<std::uint32_t> waits_;     // by variable: predecessors that are left
  std::vector<std::uint32_t> outgoing_;  // constraints by `before`: where they start, ...
  std::vector<Variable> successors_;     // ... and their other ends
};

// The variation of an execution in which one dependence is turned round: of all that the execution
// did after the prefix before the reversed event, what does not happen after that event keeps its
// place, as far as it is needed (Reversal::for_each_needed), and the reversing step follows. What
// does happen after it is left out, because the reversed event may have another outcome now, and
// its thread may branch (4.2). So the system is satisfiable, and it is never empty (4.3).
void variation(const Trace& trace, const Reversal& reversal, TraceConstraintSystem& system);

}  // namespace mazur
