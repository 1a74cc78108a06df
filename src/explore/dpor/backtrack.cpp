#include "explore/dpor/backtrack.h"

#include <algorithm>

#include "explore/planned_step.h"

namespace mazur {

MaybeStep BacktrackSearch::choose(const Trace& trace, const Frontier& frontier) {
  if (!is_new(trace)) return possible(frontier, next(trace));  // Alg. 1 line 4
  push_sleep(trace);
  // Lines 2-3.
  const auto step = pick_awake(trace, frontier, [](Step) { return true; });
  if (step) return begin(trace, frontier, *step);
  blocked_ = frontier.any_enabled();
  return std::nullopt;
}

void BacktrackSearch::push_sleep(const Trace& trace) {
  if (trace.empty())
    sleep_.push_empty();
  else
    sleep_.push_after(trace.events().back());
}

Step BacktrackSearch::begin(const Trace& trace, const Frontier& frontier, Step step) {
  depth_ = trace.size() + 1;
  if (nodes_.size() < depth_) nodes_.resize(depth_);
  Node& node = nodes_[trace.size()];
  node.backtrack.assign(1, step);
  node.explored = 1;
  at_exit_.note(step, frontier);
  return step;
}

Step BacktrackSearch::next(const Trace& trace) {
  Node& node = nodes_[trace.size()];
  return node.backtrack[node.explored++];
}

void BacktrackSearch::start_over() {
  estimate_ = {};
  sleep_.truncate(0);
  depth_ = keep_ = 0;
}

bool BacktrackSearch::plan(const Trace& trace, const Frontier& frontier, End) {
  estimate_.executed(trace.size());
  analyse(trace, at_exit_.frontier(trace, frontier), keep_);
  for (depth_ = trace.size(); depth_ > 0; --depth_) {
    const std::size_t depth = depth_ - 1;
    Node& node = nodes_[depth];
    sleep_.truncate(depth + 1);
    if (sleep_sets_) sleep_.add(steps_.add(trace[static_cast<EventIndex>(depth)]));  // line 12
    while (node.explored < node.backtrack.size() && asleep(depth, node.backtrack[node.explored]))
      node.backtrack.erase(node.backtrack.begin() + node.explored);
    if (node.explored == node.backtrack.size()) continue;
    keep_ = depth;
    estimate_.branch_at(depth);
    return true;
  }
  return false;
}

bool BacktrackSearch::in_backtrack(std::size_t depth, Step step) const {
  const std::vector<Step>& set = nodes_[depth].backtrack;
  return std::find(set.begin(), set.end(), step) != set.end();
}

void BacktrackSearch::add_to_backtrack(std::size_t depth, Step step) {
  if (!in_backtrack(depth, step)) nodes_[depth].backtrack.push_back(step);
}

double BacktrackSearch::progress() const {
  return estimate_.progress([this](std::size_t depth) {
    return depth < depth_ ? nodes_[depth].backtrack.size() - nodes_[depth].explored : 0;
  });
}

}  // namespace mazur
