// Classes of prefixes that have been explored, each with what the cheapest way there has cost.
//
// A class is named by 128 bits. Two executions have the same name if they are equivalent, and only
// then, unless two names collide, which is not to be expected. What is stored may be forgotten when
// memory runs short: then something is explored again, and nothing is lost.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace mazur {

struct PrefixClass {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const PrefixClass&, const PrefixClass&) = default;

  // The class of E.e, for the last event e of the trace. A class is its events with their causal
  // pasts, in any order: the sum of their hashes.
  PrefixClass with_last_of(const Trace& trace) const;
  // Another name, for the class together with a number.
  PrefixClass with(std::uint64_t number) const;
};

class ClassTable {
 public:
  ClassTable() : slots_(1024) {}

  // Whether the class has been stored with this cost or a smaller one. Otherwise stores it.
  bool seen(const PrefixClass& name, std::uint32_t cost);
  // Whether it has been stored with this cost or a smaller one.
  bool contains(const PrefixClass& name, std::uint32_t cost) const;

 private:
  struct Slot {
    PrefixClass name;
    std::uint32_t cost = 0;
    bool used = false;
  };
  static constexpr std::size_t kProbes = 16;
  static constexpr std::size_t kMostSlots = std::size_t{1} << 22;  // 128 MB

  const Slot* find(const PrefixClass& name) const;
  void insert(const Slot& slot);

  std::vector<Slot> slots_;  // a power of two
};

}  // namespace mazur
