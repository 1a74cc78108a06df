// Many random programs, each by many explorers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare.h"

namespace differential {

struct Campaign {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t count = 5000;
  double seconds = 0;  // end after this time; 0: never
  std::vector<std::string> explorers = default_explorers();
  Build build;
  // Compare outcomes in every run. Otherwise in every fourth, which is quicker; of explorers that
  // promise no number of executions always.
  bool all_outcomes = false;
  std::uint64_t max_traces = 300;         // other programs are replaced
  std::uint64_t max_interleavings = 300;  // do not run naive on programs with more
  std::size_t batch = 250;                // programs in one executable
};

struct Findings {
  std::uint64_t programs = 0;
  std::uint64_t deadlocking = 0;  // programs that can stop
  std::uint64_t traces = 0;
  std::uint64_t executions = 0;  // by all explorers
  std::uint64_t disagreements = 0;
  double seconds = 0;
};

// Prints disagreements, the first ones made small and as C text, and now and then how far it is.
// Ends when there are a hundred.
Findings run(const Campaign& campaign);

}  // namespace differential
