// Mazur's answer beside that of the enumeration.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/spawn.h"
#include "enumerate.h"

namespace differential {

// What an explorer promises about the executions that it runs to their end.
enum class Promise : std::uint8_t {
  kTraces,          // each trace once
  kInterleavings,   // each interleaving once
  kObserved,        // each class of observers once
  kOutcomes,        // every outcome and deadlock, with no more executions than traces
  kObservedValues,  // the same, without the final variables
};

struct Explorer {
  std::string name;  // for --explorers
  std::vector<std::string> flags;
  Promise promise = Promise::kTraces;
  bool never_blocked = false;
  bool partial = false;  // for some operations it rests on tests
  // How many programs to explore at once. (context-observers takes time in the square of that.)
  std::size_t at_once = 125;
  bool by_default = true;
};

// All that can be compared.
const std::vector<Explorer>& explorers();
// The names of those to compare if nothing is said.
std::vector<std::string> default_explorers();

struct Task {
  std::uint64_t number = 0;
  Program program;
  Answer answer;
  bool interleavings = false;  // they are counted
};

// One run of mazur on some programs.
struct Comparison {
  std::string disagreement;  // empty if there is none
  std::uint64_t executions = 0;
  // Which program it is about. Not known where only numbers are compared.
  std::optional<std::size_t> program;
};

struct Build {
  std::string mazur;  // empty: the one of this build
  std::string compiler = "gcc";
  std::string optimise = "1";
};

// Programs in one executable.
class Batch {
 public:
  Batch(std::vector<Task> tasks, const Build& build);

  std::span<const Task> tasks() const { return tasks_; }

  // Explores the programs from `first` up to, but not with, `last`. With `outcomes` not only
  // numbers are compared but also which outcomes were reached, and how often.
  Comparison compare(std::size_t first, std::size_t last, const Explorer& explorer, bool outcomes);

 private:
  std::vector<Task> tasks_;
  mazur::Scratch folder_;
  std::string mazur_;
  std::string executable_;
};

}  // namespace differential
