// Stored states (thesis, section 4.4): what can happen after a state that has been explored, so
// that it is not explored again from another prefix.
//
// After every stored state all traces have been run. What is kept of them is their operations,
// those that were still waiting at the end included: if none of them can depend on anything before
// the state, nothing before the state can be varied in another way because of what comes after it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "explore/step_table.h"
#include "trace/frontier.h"

namespace mazur {

// A set of operations of threads, by number.
class Operations {
 public:
  void add(std::uint32_t id) {
    if (id / 64 >= bits_.size()) bits_.resize(id / 64 + 1);
    bits_[id / 64] |= std::uint64_t{1} << (id % 64);
  }
  void add(const Operations& other) {
    if (other.bits_.size() > bits_.size()) bits_.resize(other.bits_.size());
    for (std::size_t i = 0; i < other.bits_.size(); ++i) bits_[i] |= other.bits_[i];
  }
  bool contains(std::uint32_t id) const {
    return id / 64 < bits_.size() && (bits_[id / 64] >> (id % 64) & 1) != 0;
  }
  void clear() { bits_.clear(); }

 private:
  std::vector<std::uint64_t> bits_;
};

class StoredStates {
 public:
  // The number of what a thread did, or is about to do.
  std::uint32_t number(const Event& event) { return operations_.add(plain(event)); }
  std::uint32_t number(const Pending& pending);

  // What can follow the state, or null if it is not stored.
  const Operations* find(const StateName& state) const;
  void store(const StateName& state, const Operations& following);

  // Whether some operation of the set, of another thread, may depend on what the event did.
  bool may_depend(const Operations& set, const Event& event) const;

  std::size_t size() const { return states_.size(); }

 private:
  // What is certain of it also in another order.
  static Event plain(const Event& event);

  StepTable operations_;  // with the outcome forgotten
  std::map<StateName, Operations> states_;
};

}  // namespace mazur
