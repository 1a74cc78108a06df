// Explores a dlang program and notes what happened.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/loop.h"
#include "machine/dlang/dlang_machine.h"
#include "machine/dlang/parser.h"
#include "oracle/happens_before.h"

namespace mazur::dlang {

struct Explored {
  Outcome outcome;
  std::uint64_t executions() const { return outcome.tally.complete; }
  std::vector<Failure> failures;
  // How often each class was run to its end, and the states in which its executions ended.
  std::unordered_map<model::ClassName, unsigned> classes;
  std::unordered_map<model::ClassName, std::vector<std::int64_t>> ends;
  bool inconsistent = false;  // one class, two final states: the dependence is wrong
};

struct Exploration {
  std::string algorithm = "optimal";
  ExplorerOptions options;
  MachineOptions machine;
  Bounds bounds;
  bool classes = false;  // note them
};

Explored explored(const Program& program, const Exploration& how = {});
Explored explored(std::string_view text, const Exploration& how = {});

}  // namespace mazur::dlang
