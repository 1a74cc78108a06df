// Steps that say something about memory (Step::ref), in words: loads of old values, and stores that
// come before others that have been run. There are some under weak memory models alone.
#pragma once

#include <string>
#include <vector>

#include "report/findings/finding.h"

namespace mazur {

struct OldValue {
  std::size_t event;   // its place in the record, from 0
  std::size_t newer;   // the store that it does not see, or that it comes before
  bool stale = false;  // a load or update; else a store
  std::string
      sentence;  // "load y = 0 (older than store y := 1 of step 4, not visible yet: relaxed)"
};

// How many steps say something about memory.
std::size_t count_old_values(const Record& record);

// Those of the record, in order.
std::vector<OldValue> old_values(const Record& record, const Places& places);

// A line for each sentence: "  steps 7, 9-12: load y = 0 (older ...". A loop says the same again and again.
std::string in_words(const std::vector<OldValue>& values);

}  // namespace mazur
