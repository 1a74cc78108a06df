// All explorers there are: one row each. What `--algorithm` takes, what the manual says about it
// and what the tests hold an explorer to come from this table.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/explorer.h"

namespace mazur {

// What has been run to its end when an explorer has finished.
enum class Covers : std::uint8_t {
  kSchedules,       // every interleaving
  kTraces,          // every Mazurkiewicz trace
  kObserved,        // every class modulo observability
  kStates,          // every final state, failure and deadlock
  kObservedStates,  // the same, but not the final values that nobody reads
  kSamples,         // nothing in particular: it never finishes
};

struct ExplorerEntry {
  std::string_view name;
  std::string_view help;  // one line
  std::string_view page;  // in docs/algorithms
  Covers covers;
  bool once = false;           // runs none of these to its end twice
  bool never_blocked = false;  // starts no execution that turns out to be redundant
  bool partial = false;        // does not know all operations, and says so when it meets another
  // Options of `mazur check` that have a meaning for it; empty names at the end.
  std::array<std::string_view, 4> options;
  // The bounds on schedules that it can keep to.
  std::array<ScheduleBound, 2> bounds;
  std::unique_ptr<Explorer> (*make)(const ExplorerOptions&);

  bool keeps_to(ScheduleBound bound) const {
    return bound == ScheduleBound::kNone || bound == bounds[0] || bound == bounds[1];
  }
  // Whether it leaves out orders that lead to the same memory.
  bool merges_states() const {
    return covers == Covers::kStates || covers == Covers::kObservedStates;
  }
};

// The default comes first.
std::span<const ExplorerEntry> explorer_registry();

// nullptr for an unknown name.
const ExplorerEntry* find_explorer(std::string_view name);

// Whether its work can be cut into pieces (explore/divisible.h), and the names of those of which that
// holds.
bool is_divisible(std::string_view name);
std::vector<std::string_view> divisible_explorers();

// All names, and those of explorers that finish on every program.
std::vector<std::string_view> explorer_names();
std::vector<std::string> exhaustive_explorers();

}  // namespace mazur
