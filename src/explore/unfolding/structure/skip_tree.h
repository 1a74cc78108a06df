// Ancestors in a forest, in logarithmic time (Quasi-Optimal POR, section 5.2).
//
// A node knows its parent and, if its depth is a multiple of step^i, its ancestor step^i above: as
// many pointers as its depth has zeros at the end when written with base `step`.
#pragma once

#include <cstdint>
#include <vector>

namespace mazur::unfolding {

class SkipTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffff;

  // step: at least 2.
  explicit SkipTree(std::uint32_t step = 4) : step_(step) {}

  // Adds a node; kNone as its parent makes a root.
  Index add(Index parent);
  std::uint32_t depth(Index node) const { return nodes_[node].depth; }
  std::size_t size() const { return nodes_.size(); }

  // q(n, g): the ancestor at a depth that is at most the node's. O(log(depth difference)).
  Index ancestor(Index node, std::uint32_t depth) const;
  // Reflexive.
  bool is_ancestor(Index above, Index below) const {
    return depth(above) <= depth(below) && ancestor(below, depth(above)) == above;
  }
  bool related(Index a, Index b) const { return is_ancestor(a, b) || is_ancestor(b, a); }

 private:
  struct Node {
    std::uint32_t depth;
    Index parent;
    std::uint32_t skips_begin;  // in skips_, up to that of the next node
  };
  std::uint32_t step_;
  std::vector<Node> nodes_;
  std::vector<Index> skips_;
};

}  // namespace mazur::unfolding
