// The stack of a depth-first search through schedules: for each prefix of the execution under way,
// the ways to go on, and which of them is under way.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "explore/explored_part.h"

namespace mazur {

// A way is a step, or a step with something about it.
template <typename Way>
class DepthFirst {
 public:
  // How many prefixes have been opened: those of length 0, 1, ...
  std::size_t depth() const { return depths_.size(); }

  // Opens the next longer prefix. add() gives it its ways; the first one is under way.
  void open() { depths_.push_back({ways_.size(), ways_.size()}); }
  void add(const Way& way) { ways_.push_back(way); }
  void close() {
    ways_.resize(depths_.back().first);
    depths_.pop_back();
  }

  // Those of the longest prefix.
  std::span<Way> ways() { return std::span(ways_).subspan(depths_.back().first); }
  const Way& under_way() const { return ways_[depths_.back().current]; }

  // Goes over to the next way of the longest prefix that has one. Returns whether there was one.
  bool next() {
    while (!depths_.empty() && ++depths_.back().current == ways_.size()) close();
    return !depths_.empty();
  }

  // How much of the execution stays the same after next().
  std::size_t keep() const { return depths_.empty() ? 0 : depths_.size() - 1; }
  double progress() const {
    return explored_part(depths_.size(), [this](std::size_t d) -> Branches {
      const std::size_t end = d + 1 < depths_.size() ? depths_[d + 1].first : ways_.size();
      return {.done = static_cast<double>(depths_[d].current - depths_[d].first),
              .all = static_cast<double>(end - depths_[d].first)};
    });
  }

 private:
  // The ways after a prefix are ways_[first], ..., up to the next longer prefix's first.
  struct Depth {
    std::size_t first;
    std::size_t current;
  };
  std::vector<Way> ways_;
  std::vector<Depth> depths_;
};

}  // namespace mazur
