// The part of a depth-first exploration that is done, in [0, 1]. The branches of a node are taken
// to be alike: where sizes of finished branches are known, tree_estimate.h does better.
#pragma once

#include <cstddef>

namespace mazur {

// The branches of a node on the path to the execution under way. `all` includes that one.
struct Branches {
  double done;
  double all;
};

// So many are finished, one may be under way, and so many wait.
inline Branches branches(std::size_t done, bool under_way, std::size_t waiting) {
  return {.done = static_cast<double>(done),
          .all = static_cast<double>(done + (under_way ? 1 : 0) + waiting)};
}

// branches_at(depth) says it for every node of the path, which has so many.
template <typename BranchesAt>
double explored_part(std::size_t nodes, BranchesAt&& branches_at) {
  double part = 0;
  double weight = 1;
  for (std::size_t depth = 0; depth < nodes; ++depth) {
    const Branches branches = branches_at(depth);
    weight /= branches.all;
    part += weight * branches.done;
  }
  return part;
}

}  // namespace mazur
