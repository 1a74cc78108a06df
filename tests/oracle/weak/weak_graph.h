// Execution graphs and memory models for the oracle, from the definitions: relations as sets of
// pairs, a read-modify-write as two events, nothing incremental. Deliberately written without
// src/graph, so that the two check each other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace/label.h"
#include "trace/memory_model.h"

namespace mazur::model {

// How an event touches an object: a variable, a lock, ...
struct Touched {
  enum class How : std::uint8_t { kReads, kWrites, kUpdates };
  std::uint64_t object = 0;  // a name that no object of another kind has
  How how = How::kReads;
};
class Touches {  // two at most
 public:
  Touches(std::initializer_list<Touched> list) : size_(list.size()) {
    std::ranges::copy(list, list_.begin());
  }
  std::size_t size() const { return size_; }
  const Touched& operator[](std::size_t i) const { return list_[i]; }
  const Touched* begin() const { return list_.data(); }
  const Touched* end() const { return list_.data() + size_; }

 private:
  std::array<Touched, 2> list_;
  std::size_t size_;
};
// What an executed operation touches; a wait at a condition variable touches its mutex, too.
Touches touched(const Label& label);

struct WeakGraph {
  static constexpr int kInitially = -1;
  struct Item {
    Event event;
    std::uint32_t place = 0;   // in its thread
    int awaited = kInitially;  // the event whose end, signal or arrival it waited for
    std::vector<int> sources;  // for each touch: what it reads, if it reads
  };
  std::vector<Item> items;                            // in an order that extends po and rf
  std::map<std::uint64_t, std::vector<int>> writers;  // by object: coherence order

  // Equal names mean equal graphs, in whatever order they were built; without their fences, and
  // whatever the order in which threads arrive at barriers, if wished.
  enum class Arrivals : std::uint8_t { kOrdered, kCommute };
  std::string name(bool with_fences, Arrivals arrivals = Arrivals::kOrdered) const;
};

// Whether the order in which threads arrive at a barrier matters: there are more of them than fill a
// phase, or one comes again before it has departed.
bool is_crowded(const WeakGraph& graph);

bool is_consistent(const WeakGraph& graph, MemoryModel model);

}  // namespace mazur::model
