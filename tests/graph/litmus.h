// Litmus tests: small programs for memory models, written by hand.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/model/program.h"
#include "machine/model/state.h"
#include "trace/memory_model.h"

namespace mazur::model {

inline constexpr std::array<MemoryModel, 4> kModels = {MemoryModel::kSc, MemoryModel::kTso,
                                                       MemoryModel::kPso, MemoryModel::kCpp20};
std::string_view name_of(MemoryModel model);

// A program with eight variables, a mutex and these threads: instructions as machine/model/text.h
// has them, separated by ";".
Program threads(const std::vector<std::string>& code);

// What `graph` finds under a model.
struct Found {
  std::uint64_t executions = 0;
  bool outcome = false;   // some execution ended in a state for which the predicate holds
  std::string complaint;  // what was wrong
};
Found explore_litmus(const Program& program, MemoryModel model,
                     const std::function<bool(const State&)>& outcome = {});

}  // namespace mazur::model
