// Wakeup trees (JACM section 6), all in one pool: 12 bytes per node, shared prefixes stored once,
// freed nodes reused.
//
// wut(E) is an ordered list of siblings, the first one to be explored first, each with the list of
// its children. A node without children is a leaf.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "explore/step_table.h"
#include "trace/reversal.h"

namespace mazur {

class WakeupTrees {
 public:
  using Node = std::uint32_t;
  static constexpr Node kNone = 0xffffffff;

  explicit WakeupTrees(StepTable& steps) : steps_(steps) {}

  StepId step(Node n) const { return (*this)[n].step; }
  Node next(Node n) const { return (*this)[n].next; }
  Node first_child(Node n) const { return (*this)[n].child; }
  std::size_t count(Node siblings) const;

  // insert(v, <siblings>) of section 6.2, where `siblings` is what is left of wut(E') beside the
  // branch under exploration. That branch starts with the event that v reverses, so it is no weak
  // initial of v and not looked at. v is used up.
  //
  // A new branch keeps only what later explorations need of v: what wakes the sleepers of E', what
  // is in conflict with the siblings that come before, and the reversing step, each with its past.
  // That still satisfies the three properties of insert, and Definition 6.1.
  //
  // Returns whether a branch was added. V is Reversal, or what has its match(), take() and
  // for_each_needed().
  template <typename V>
  bool insert(V& v, Node& siblings);

  // Whether insert(v, siblings) would add nothing. v is used up.
  template <typename V>
  bool covers(V& v, Node siblings) const;

  // Removes the first of the siblings and returns its step; its children become `children`.
  StepId take_first(Node& siblings, Node& children);

  // Adds a leaf after the siblings.
  void append(Node& siblings, StepId step);
  // Removes the leaves for which test(path) holds, where path is the sequence of steps to the leaf,
  // and what has no leaf then.
  template <typename Test>
  void remove_leaves(Node& siblings, std::vector<StepId>& path, Test&& test);
  // Forgets all trees.
  void clear() { used_ = 0, free_ = kNone, live_ = 0; }

  std::size_t nodes() const { return live_; }
  std::size_t peak_nodes() const { return peak_; }

 private:
  struct Item {
    StepId step;
    Node child;
    Node next;
  };
  static_assert(sizeof(Item) <= 16);
  static constexpr int kChunkShift = 14;

  Item& operator[](Node n) { return chunks_[n >> kChunkShift][n & ((1u << kChunkShift) - 1)]; }
  const Item& operator[](Node n) const {
    return chunks_[n >> kChunkShift][n & ((1u << kChunkShift) - 1)];
  }
  Node allocate(StepId step);
  void release(Node n) { (*this)[n].next = free_, free_ = n, --live_; }

  StepTable& steps_;
  std::vector<std::unique_ptr<Item[]>> chunks_;  // items never move
  Node used_ = 0;
  Node free_ = kNone;  // linked by `next`
  std::size_t live_ = 0;
  std::size_t peak_ = 0;
};

template <typename V>
bool WakeupTrees::insert(V& v, Node& siblings) {
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
    // A leaf: whatever starts with it covers v. It may as well go on with the rest of v.
    if (item.child == kNone && !v.extends_leaves()) return false;
    link = &item.child;
  }
  v.for_each_needed([&](const Event& e) {
    *link = allocate(steps_.add(e));
    link = &(*this)[*link].child;
  });
  return true;
}

template <typename V>
bool WakeupTrees::covers(V& v, Node siblings) const {
  while (siblings != kNone) {
    const Item& item = (*this)[siblings];
    const Event& p = steps_[item.step];
    const Reversal::Match match = v.match(p);
    if (match == Reversal::Match::kConflict) {
      siblings = item.next;
      continue;
    }
    v.take(p, match);
    if (item.child == kNone) return !v.extends_leaves();
    siblings = item.child;
  }
  return false;
}

template <typename Test>
void WakeupTrees::remove_leaves(Node& siblings, std::vector<StepId>& path, Test&& test) {
  for (Node* link = &siblings; *link != kNone;) {
    const Node n = *link;
    Item& item = (*this)[n];
    path.push_back(item.step);
    bool remove = false;
    if (item.child == kNone) {
      remove = test(path);
    } else {
      remove_leaves(item.child, path, test);
      remove = item.child == kNone;
    }
    path.pop_back();
    if (remove) {
      *link = item.next;
      release(n);
    } else {
      link = &item.next;
    }
  }
}

}  // namespace mazur
