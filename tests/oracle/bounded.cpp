#include "bounded.h"

#include <algorithm>
#include <vector>

namespace mazur::model {
namespace {

// The costs are written a second time here, on lists of enabled threads.
class Search {
 public:
  Search(const Program& program, ScheduleBound bound, unsigned most, std::uint64_t max_schedules)
      : causality_(program.threads.size()),
        bound_(bound),
        most_(most),
        max_schedules_(max_schedules) {
    answer_.complete = true;
    visit(State(&program), -1, false, 0);
  }
  BoundedAnswer take() { return std::move(answer_); }

 private:
  // `last`: who ran last; `yielded`: that was a yield.
  void visit(const State& state, int last, bool yielded, unsigned spent) {
    if (answer_.schedules >= max_schedules_ || causality_.size() > 200) answer_.complete = false;
    if (!answer_.complete) return;
    std::vector<Pending> frontier;
    state.frontier(frontier);
    std::vector<int> order;  // enabled threads, in the order of a scheduler without delays
    for (const Pending& p : frontier)
      if (p.enabled) order.push_back(p.thread);
    const bool could_go_on = !yielded && std::find(order.begin(), order.end(), last) != order.end();
    const int preferred = yielded ? last + 1 : last;
    std::rotate(order.begin(),
                std::find_if(order.begin(), order.end(), [&](int t) { return t >= preferred; }),
                order.end());
    if (order.empty()) {
      ++answer_.schedules;
      answer_.classes.insert(causality_.name());
      answer_.endings.insert(ending(state));
      return;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      unsigned cost = 0;
      if (bound_ == ScheduleBound::kPreemptions) cost = could_go_on && order[i] != last ? 1 : 0;
      if (bound_ == ScheduleBound::kDelays) cost = static_cast<unsigned>(i);
      if (spent + cost > most_) {
        answer_.cut = true;
        continue;
      }
      const auto thread = static_cast<ThreadId>(order[i]);
      const auto p = std::find_if(frontier.begin(), frontier.end(),
                                  [&](const Pending& q) { return q.thread == thread; });
      for (std::uint16_t choice = 0; choice < p->ways; ++choice) {
        State next = state;
        const std::size_t depth = causality_.size();
        causality_.append(next.run({thread, choice}));
        visit(next, thread, p->op.kind == OpKind::kYield, spent + cost);
        causality_.truncate(depth);
      }
    }
  }

  Causality causality_;
  ScheduleBound bound_;
  unsigned most_;
  std::uint64_t max_schedules_;
  BoundedAnswer answer_;
};

}  // namespace

BoundedAnswer brute_force_within(const Program& program, ScheduleBound bound, unsigned most,
                                 std::uint64_t max_schedules) {
  return Search(program, bound, most, max_schedules).take();
}

}  // namespace mazur::model
