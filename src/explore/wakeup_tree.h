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
  // Of a new branch only the part is kept that later explorations need: what wakes the sleepers of
  // E', what is in conflict with the siblings that come before, and the reversing step, each with
  // its past. That still satisfies the three properties of insert, and Definition 6.1.
  //
  // Returns whether a branch was added.
  bool insert(Reversal& v, Node& siblings);

  // Whether insert(v, siblings) would add nothing. v is used up.
  bool covers(Reversal& v, Node siblings) const;

  // Removes the first of the siblings and returns its step; its children become `children`.
  StepId take_first(Node& siblings, Node& children);

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

  StepTable& steps_;
  std::vector<std::unique_ptr<Item[]>> chunks_;  // items never move
  Node used_ = 0;
  Node free_ = kNone;  // linked by `next`
  std::size_t live_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace mazur
