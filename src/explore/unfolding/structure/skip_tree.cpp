#include "explore/unfolding/structure/skip_tree.h"

namespace mazur::unfolding {

SkipTree::Index SkipTree::add(Index parent) {
  const auto node = static_cast<Index>(nodes_.size());
  const std::uint32_t depth = parent == kNone ? 0 : nodes_[parent].depth + 1;
  nodes_.push_back({depth, parent, static_cast<std::uint32_t>(skips_.size())});
  std::uint64_t distance = step_;
  for (Index at = parent; depth != 0 && depth % distance == 0; distance *= step_) {
    at = ancestor(at, static_cast<std::uint32_t>(depth - distance));
    skips_.push_back(at);
  }
  return node;
}

SkipTree::Index SkipTree::ancestor(Index node, std::uint32_t depth) const {
  while (nodes_[node].depth > depth) {
    const std::uint32_t distance = nodes_[node].depth - depth;
    const std::uint32_t begin = nodes_[node].skips_begin;
    const std::uint32_t end = node + 1 < nodes_.size() ? nodes_[node + 1].skips_begin
                                                       : static_cast<std::uint32_t>(skips_.size());
    Index next = nodes_[node].parent;
    std::uint64_t skip = step_;
    for (std::uint32_t i = begin; i < end && skip <= distance; ++i, skip *= step_) next = skips_[i];
    node = next;
  }
  return node;
}

}  // namespace mazur::unfolding
