#include "explore/dpor/wakeup_tree.h"

#include <algorithm>

namespace mazur {

StepId WakeupTrees::take_first(Node& siblings, Node& children) {
  const Node n = siblings;
  Item& item = (*this)[n];
  const StepId step = item.step;
  children = item.child;
  siblings = item.next;
  item.next = free_;
  free_ = n;
  --live_;
  return step;
}

void WakeupTrees::append(Node& siblings, StepId step) {
  Node* link = &siblings;
  while (*link != kNone) link = &(*this)[*link].next;
  *link = allocate(step);
}

std::size_t WakeupTrees::count(Node siblings) const {
  std::size_t n = 0;
  for (; siblings != kNone; siblings = next(siblings)) ++n;
  return n;
}

WakeupTrees::Node WakeupTrees::allocate(StepId step) {
  Node n = free_;
  if (n != kNone) {
    free_ = (*this)[n].next;
  } else {
    n = used_++;
    if (n >> kChunkShift == chunks_.size())
      chunks_.push_back(std::make_unique_for_overwrite<Item[]>(std::size_t{1} << kChunkShift));
  }
  (*this)[n] = {step, kNone, kNone};
  peak_ = std::max(peak_, ++live_);
  return n;
}

}  // namespace mazur
