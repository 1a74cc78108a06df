#include "explore/backtrack.h"

#include <algorithm>
#include <stdexcept>

namespace mazur {

std::optional<Step> BacktrackSearch::choose(const Trace& trace, const Frontier& frontier) {
  blocked_ = false;
  const std::size_t depth = trace.size();
  if (depth_ == depth) {
    if (depth == 0)
      sleep_.push_empty();
    else
      sleep_.push_after(trace[static_cast<EventIndex>(depth - 1)]);
    visit(trace, frontier);
    // Alg. 1 lines 2-3.
    const auto step =
        picker_.pick(trace, frontier, [&](Step p) { return !sleep_.contains(depth, p); });
    if (!step) {
      blocked_ = frontier.any_enabled();
      return std::nullopt;
    }
    enter(depth);
    nodes_[depth].backtrack.push_back(*step);
    nodes_[depth].explored = 1;
    at_exit_.note(*step, frontier);
    return step;
  }
  // Line 4: plan() found that there is one.
  Node& node = nodes_[depth];
  const Step step = node.backtrack[node.explored++];
  const Pending* pending = frontier.find(step.thread);
  if (pending == nullptr || !pending->enabled || step.choice >= pending->ways)
    throw std::logic_error("a planned step is not possible: the program did not behave as before");
  at_exit_.note(step, frontier);
  return step;
}

void BacktrackSearch::enter(std::size_t depth) {
  depth_ = depth + 1;
  if (nodes_.size() < depth_) nodes_.resize(depth_);
  nodes_[depth].backtrack.clear();
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
  finished_ = true;
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
  if (finished_) return 1;
  if (estimate_.executions() == 0) return 0;
  const double total = estimate_.total([this](std::size_t depth) {
    return depth < depth_ ? nodes_[depth].backtrack.size() - nodes_[depth].explored : 0;
  });
  return static_cast<double>(estimate_.executions()) / total;
}

}  // namespace mazur
