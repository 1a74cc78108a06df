// How large a depth-first exploration tree will be, judged by what has been seen of it.
//
// The tree is known only partly: of the nodes on the path to the next execution we know how many
// executions their finished branches took and how many branches are waiting. Bottom up along this
// path, the size of a node is what is finished, plus the estimate for the branch under way, plus
// the waiting branches. Later branches tend to be smaller than earlier ones, because of sleep sets:
// a waiting branch has the size of the last finished one, or less by the factor by which that was
// smaller than the one before. A node that knows only its first branch takes the ratio of later
// branches to the first that finished nodes of about that size had. This is Knuth's
// estimator (1975) for one path, with observed sizes in place of equal ones wherever there are some
// (as in the weighted backtrack estimator of Kilby, Slaney, Thiebaux and Walsh, 2006).
//
// It cannot know of branches that later races will add, so early estimates tend to be too low.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/function_ref.h"

namespace mazur {

class TreeEstimate {
 public:
  // An execution with so many nodes on its path is over.
  void executed(std::size_t nodes) {
    if (path_.size() < nodes) path_.resize(nodes, {leaves_, leaves_, 0, 0, 0});
    ++leaves_;
  }
  // The next execution branches off at this depth: deeper nodes are finished.
  void branch_at(std::size_t depth);

  std::uint64_t executions() const { return leaves_; }
  // `waiting`: how many branches at this depth have not begun.
  double total(FunctionRef<std::size_t(std::size_t depth)> waiting) const;
  // The part of the tree that is done, in [0, 1].
  double progress(FunctionRef<std::size_t(std::size_t depth)> waiting) const {
    return leaves_ == 0 ? 0 : static_cast<double>(leaves_) / total(waiting);
  }

 private:
  struct Node {
    std::uint64_t before;    // executions before it was entered
    std::uint64_t mark;      // and before the branch under way
    std::uint64_t first;     // executions of its first branch; 0 while that is under way
    double factor;           // the size of the last branch in relation to the one before, at most 1
    std::uint32_t finished;  // branches
    std::uint64_t last = 0;  // executions of the last of them
  };
  struct Mean {
    double sum = 0;
    double weight = 0;
  };

  void learn(const Node& node);
  // The size of a node's later branches in relation to the first, if that has this size.
  double ratio(double first) const;

  std::uint64_t leaves_ = 0;
  std::vector<Node> path_;
  std::array<Mean, 64> ratios_;  // by the logarithm of the first branch's size
};

}  // namespace mazur
