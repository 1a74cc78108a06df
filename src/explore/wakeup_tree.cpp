#include "explore/wakeup_tree.h"

#include <algorithm>

namespace mazur {

bool WakeupTrees::covers(Reversal& v, Node siblings) const {
  while (siblings != kNone) {
    const Item& item = (*this)[siblings];
    const Event& p = steps_[item.step];
    const Reversal::Match match = v.match(p);
    if (match == Reversal::Match::kConflict) {
      siblings = item.next;
      continue;
    }
    v.take(p, match);
    if (item.child == kNone) return true;
    siblings = item.child;
  }
  return false;
}

bool WakeupTrees::insert(Reversal& v, Node& siblings) {
  Node* link = &siblings;
  while (*link != kNone) {
    Item& item = (*this)[*link];
    const Event& p = steps_[item.step];
    const Reversal::Match match = v.match(p);
    if (match == Reversal::Match::kConflict) {
      link = &item.next;
      continue;
    }
    // u.p ~ v, and it is the smallest such child of u.
    v.take(p, match);
    if (item.child == kNone) return false;  // a leaf: whatever starts with it covers v
    link = &item.child;
  }
  v.for_each_needed([&](const Event& e) {
    *link = allocate(steps_.add(e));
    link = &(*this)[*link].child;
  });
  return true;
}

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
