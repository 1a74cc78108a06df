#include "explore/dpor/backtrack.h"

#include <algorithm>

namespace mazur {

MaybeStep BacktrackSearch::choose(const Trace& trace, const Frontier& frontier) {
  blocked_ = cut_;
  if (cut_) return std::nullopt;
  const std::size_t depth = trace.size();
  if (depth_ == depth) {
    if (depth == 0)
      sleep_.push_empty();
    else
      sleep_.push_after(trace[static_cast<EventIndex>(depth - 1)]);
    if (has_dont_do_) {
      if (depth == 0)
        dont_do_.push_empty();
      else
        dont_do_.push_after(trace[static_cast<EventIndex>(depth - 1)]);
    }
    visit(trace, frontier);
    // Alg. 1 lines 2-3.
    const auto awake = [&](Step p) { return !sleep_.contains(depth, p); };
    auto step =
        picker_.pick(trace, frontier, [&](Step p) { return awake(p) && !in_dont_do(depth, p); });
    // All that is awake is in dnd(E): each is run once, for its races.
    if (!step && has_dont_do_) {
      step = picker_.pick(trace, frontier, awake);
      cut_ = step.has_value();
    }
    if (!step) {
      blocked_ = frontier.any_enabled();
      return std::nullopt;
    }
    enter(depth);
    nodes_[depth].backtrack.push_back(*step);
    nodes_[depth].explored = 1;
    if (cut_) add_awake(depth, frontier);
    at_exit_.note(*step, frontier);
    return step;
  }
  // Line 4: plan() found that there is one.
  Node& node = nodes_[depth];
  const Step step = node.backtrack[node.explored++];
  if (hidden_plans_.leads_astray(frontier, step)) {
    blocked_ = true;
    return std::nullopt;
  }
  at_exit_.note(step, frontier);
  cut_ = in_dont_do(depth, step);
  return step;
}

// All that is awake is in dnd(E): the races of each are of interest.
void BacktrackSearch::add_awake(std::size_t depth, const Frontier& frontier) {
  for (const Pending& p : frontier.threads())
    for (std::uint16_t c = 0; p.enabled && c < p.ways; ++c)
      if (!asleep(depth, {p.thread, c})) add_to_backtrack(depth, {p.thread, c});
}

void BacktrackSearch::add_dont_do(const Trace& trace, std::size_t depth,
                                  std::span<const EventIndex> sequence,
                                  std::span<const Event> reversed, DontDo::Swap swap) {
  DontDo::Sequence steps;
  for (EventIndex e : sequence) steps.push_back(steps_.add(trace[e]));
  for (const Event& event : reversed) steps.push_back(steps_.add(event));
  dont_do_.add(depth, std::move(steps), swap);
}

void BacktrackSearch::enter(std::size_t depth) {
  depth_ = depth + 1;
  if (nodes_.size() < depth_) nodes_.resize(depth_);
  nodes_[depth].backtrack.clear();
}

bool BacktrackSearch::plan(const Trace& trace, const Frontier& frontier, End) {
  estimate_.executed(trace.size());
  if (hidden_plans_.went_astray()) {
    ++restarts_;
    estimate_ = {};
    sleep_.truncate(0);
    dont_do_.truncate(0);
    depth_ = keep_ = 0;
    return true;
  }
  analyse(trace, at_exit_.frontier(trace, frontier), keep_);
  cut_ = false;
  for (depth_ = trace.size(); depth_ > 0; --depth_) {
    const std::size_t depth = depth_ - 1;
    Node& node = nodes_[depth];
    sleep_.truncate(depth + 1);
    if (has_dont_do_) dont_do_.truncate(depth + 1);
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
