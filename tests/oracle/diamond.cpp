#include "diamond.h"

#include <optional>
#include <unordered_set>
#include <vector>

#include "happens_before.h"
#include "machine/model/state.h"

namespace mazur::model {
namespace {

// Runs the step on a copy, if it is possible.
std::optional<Event> attempt(State& state, Step step) {
  const Life life = state.thread(step.thread).life;
  if (life != Life::kLive || state.finished()) return std::nullopt;
  const Pending p = state.pending(step.thread);
  if (!p.enabled || step.choice >= p.ways) return std::nullopt;
  return state.run(step);
}

// Creation, join and the end of the program order events without a conflict.
bool ordered_anyway(const Event& first, const Event& second) {
  const Label& a = first.label;
  const Label& b = second.label;
  return (a.kind == OpKind::kCreate && a.object == second.thread) ||
         (b.kind == OpKind::kJoin &&
          (b.object == first.thread || (a.kind == OpKind::kCreate && a.object == b.object))) ||
         a.kind == OpKind::kExit || b.kind == OpKind::kExit;
}

bool same_results(const Event& a, const Event& b) {
  const bool counts = a.label.kind != OpKind::kSemPost && a.label.kind != OpKind::kBarrierArrive;
  const bool writes = a.label.kind != OpKind::kSemPost;
  return a.label.kind == b.label.kind && a.ways == b.ways && a.label.success == b.label.success &&
         a.label.object == b.label.object && (!counts || a.label.read == b.label.read) &&
         (!writes || a.label.written == b.label.written);
}

class Explored {
 public:
  explicit Explored(const Program& program) { add(State(&program)); }

  std::string run(std::size_t max_states) {
    for (std::size_t i = 0; i < states_.size() && i < max_states; ++i)
      if (std::string complaint = visit(i); !complaint.empty()) return complaint;
    return {};
  }

 private:
  void add(const State& state) {
    if (seen_.insert(state.hash()).second) states_.push_back(state);
  }

  static std::vector<Step> steps(const State& state) {
    std::vector<Pending> frontier;
    state.frontier(frontier);
    std::vector<Step> steps;
    for (const Pending& p : frontier)
      for (std::uint16_t choice = 0; p.enabled && choice < p.ways; ++choice)
        steps.push_back({p.thread, choice});
    return steps;
  }

  std::string visit(std::size_t index) {
    const State here = states_[index];
    for (const Step p : steps(here)) {
      State after_p = here;
      const Event e = after_p.run(p);
      add(after_p);
      for (const Step q : steps(after_p)) {
        if (q.thread == p.thread) continue;
        State after_pq = after_p;
        const Event f = after_pq.run(q);
        if (conflict(e, f) || ordered_anyway(e, f)) continue;
        State swapped = here;
        const auto f2 = attempt(swapped, q);
        const auto e2 = f2 ? attempt(swapped, p) : std::nullopt;
        if (!e2 || !same_results(e, *e2) || !same_results(f, *f2) || !(swapped == after_pq))
          return "threads " + std::to_string(p.thread) + " and " + std::to_string(q.thread) +
                 " do not commute at instructions " + std::to_string(e.label.pc) + " and " +
                 std::to_string(f.label.pc);
      }
    }
    return {};
  }

  std::vector<State> states_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace

std::string broken_diamond(const Program& program, std::size_t max_states) {
  return Explored(program).run(max_states);
}

}  // namespace mazur::model
