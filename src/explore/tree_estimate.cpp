#include "explore/tree_estimate.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mazur {

void TreeEstimate::branch_at(std::size_t depth) {
  while (path_.size() > depth + 1) {
    if (path_.back().finished > 0) learn(path_.back());
    path_.pop_back();
  }
  Node& node = path_.back();
  const std::uint64_t size = leaves_ - node.mark;
  if (node.finished == 0)
    node.first = size;
  else
    node.factor = std::min(1.0, static_cast<double>(size) / static_cast<double>(node.last));
  node.last = size;
  node.mark = leaves_;
  ++node.finished;
}

void TreeEstimate::learn(const Node& node) {
  const double later = static_cast<double>(leaves_ - node.before - node.first) / node.finished;
  Mean& mean = ratios_[static_cast<std::size_t>(std::bit_width(node.first) - 1)];
  // What was seen lately says more about what comes.
  constexpr double kMemory = 0.99;
  mean.sum = mean.sum * kMemory + later / static_cast<double>(node.first);
  mean.weight = mean.weight * kMemory + 1;
}

double TreeEstimate::ratio(double first) const {
  for (int i = std::min(std::ilogb(std::max(first, 1.0)), 63); i >= 0; --i)
    if (ratios_[static_cast<std::size_t>(i)].weight > 0)
      return ratios_[static_cast<std::size_t>(i)].sum / ratios_[static_cast<std::size_t>(i)].weight;
  return 1;
}

double TreeEstimate::total(FunctionRef<std::size_t(std::size_t)> waiting) const {
  double below = 0;          // the estimate for the branch under way
  std::uint64_t inside = 0;  // executions in it so far
  for (std::size_t depth = path_.size(); depth-- > 0;) {
    const Node& node = path_[depth];
    const std::uint64_t all = leaves_ - node.before;
    const auto finished = static_cast<double>(all - inside);
    const std::size_t left = waiting(depth);
    double later = 0;  // all that has not begun
    if (node.finished == 0) {
      later = static_cast<double>(left) * below * ratio(below);
    } else if (node.finished == 1) {
      const auto first = static_cast<double>(node.first);
      later = static_cast<double>(left) * first * ratio(first);
    } else {
      auto size = static_cast<double>(node.last);
      for (std::size_t i = 0; i < left; ++i) later += size *= node.factor;
    }
    below += finished + later;
    inside = all;
  }
  return std::max(below, static_cast<double>(leaves_));
}

}  // namespace mazur
