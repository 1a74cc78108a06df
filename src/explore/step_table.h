// Steps with their labels as 32-bit numbers, so that sleep sets and wakeup trees can hold millions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/number_table.h"
#include "trace/label.h"

namespace mazur {

using StepId = std::uint32_t;

// Equal for steps of the same thread and choice whose labels depend on the same operations; values
// that do not matter for dependence are forgotten. Never shrinks: there are only so many.
class StepTable {
 public:
  StepId add(const Event& event);
  const Event& operator[](StepId id) const { return events_[id]; }
  std::size_t size() const { return events_.size(); }

 private:
  std::vector<Event> events_;
  NumberTable numbers_{256};
};

}  // namespace mazur
