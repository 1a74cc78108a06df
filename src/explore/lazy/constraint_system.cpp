#include "explore/lazy/constraint_system.h"

#include <algorithm>

#include "trace/dependence.h"

namespace mazur {
namespace {

// Creation and join: the one part of the program successor relation that is between threads.
bool program_successor(const Event& a, const Event& b) {
  return (a.label.kind == OpKind::kCreate && a.label.object == b.thread) ||
         (b.label.kind == OpKind::kJoin && b.label.object == a.thread);
}

}  // namespace

void TraceConstraintSystem::clear() {
  labels_.clear();
  constraints_.clear();
  for (std::vector<Variable>& variables : of_thread_) variables.clear();
}

TraceConstraintSystem::Variable TraceConstraintSystem::add(const Event& label) {
  const auto v = static_cast<Variable>(labels_.size());
  labels_.push_back(label);
  if (label.thread >= of_thread_.size()) of_thread_.resize(label.thread + std::size_t{1});
  of_thread_[label.thread].push_back(v);
  return v;
}

TraceConstraintSystem TraceConstraintSystem::of(std::span<const Event> sequence) {
  TraceConstraintSystem system;
  for (const Event& event : sequence) system.add(event);
  for (Variable a = 0; a < sequence.size(); ++a)
    for (Variable b = a + 1; b < sequence.size(); ++b) {
      if (sequence[a].thread == sequence[b].thread) continue;
      if (dependent(sequence[a], sequence[b]) || program_successor(sequence[a], sequence[b]))
        system.constrain(a, b);
    }
  return system;
}

bool TraceConstraintSystem::solve(std::vector<Variable>& solution) {
  solution.clear();
  waits_.assign(size(), 0);
  outgoing_.assign(size() + 1, 0);
  for (const Constraint& c : constraints_) {
    ++waits_[c.after];
    ++outgoing_[c.before];
  }
  for (std::uint32_t v = 0, sum = 0; v <= size(); ++v) sum = outgoing_[v] += sum;
  successors_.resize(constraints_.size());
  for (const Constraint& c : constraints_) successors_[--outgoing_[c.before]] = c.after;

  next_.assign(of_thread_.size(), 0);
  std::size_t waiting = 0;  // threads in a row without a minimal variable (loop_detector)
  for (std::size_t thread = 0; solution.size() < size() && waiting < of_thread_.size();
       thread = thread + 1 == of_thread_.size() ? 0 : thread + 1) {
    const std::vector<Variable>& own = of_thread_[thread];
    if (next_[thread] == own.size() || waits_[own[next_[thread]]] != 0) {
      ++waiting;
      continue;
    }
    const Variable v = own[next_[thread]++];
    for (std::uint32_t i = outgoing_[v]; i < outgoing_[v + 1]; ++i) --waits_[successors_[i]];
    solution.push_back(v);
    waiting = 0;
  }
  return solution.size() == size();
}

void variation(const Trace& trace, const Reversal& reversal, TraceConstraintSystem& system) {
  using Variable = TraceConstraintSystem::Variable;
  system.clear();
  std::vector<EventIndex> events;  // of the variables, in order
  const auto constrain_to = [&](EventIndex before, Variable after) {
    const auto at = std::lower_bound(events.begin(), events.end(), before);
    if (at == events.end() || *at != before) return;  // in the prefix
    const auto v = static_cast<Variable>(at - events.begin());
    if (system.label(v).thread != system.label(after).thread) system.constrain(v, after);
  };
  reversal.for_each_needed_index([&](EventIndex i) {
    const bool reversing = i == kNoEvent;
    const Event& event = reversing ? reversal.last() : trace[i];
    const Variable v = system.add(event);
    if (reversing) {
      constrain_to(trace.creation_of(event.thread), v);
      for (Variable a = 0; a < v; ++a)
        if (system.label(a).thread != event.thread && dependent(system.label(a), event))
          system.constrain(a, v);
      return;
    }
    // The rest of the dependences follows from the races, creation and join.
    constrain_to(trace.program_predecessor(i), v);
    for (EventIndex e : trace.races(i)) constrain_to(e, v);
    if (event.label.kind == OpKind::kJoin) {
      const auto child = static_cast<ThreadId>(event.label.object);
      constrain_to(trace.last_of(child), v);
      constrain_to(trace.creation_of(child), v);
    }
    events.push_back(i);
  });
}

}  // namespace mazur
