// Litmus tests: small programs for memory models, written by hand.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus_table.h"
#include "machine/model/program.h"
#include "machine/model/state.h"
#include "trace/memory_model.h"

namespace mazur::model {

inline constexpr std::array<MemoryModel, 4> kModels = {MemoryModel::kSc, MemoryModel::kTso,
                                                       MemoryModel::kPso, MemoryModel::kCpp20};
std::string_view name_of(MemoryModel model);

// A program with eight variables, a mutex and these threads: instructions as machine/model/text.h
// has them, separated by ";". Variables for which nothing else is said begin with 0.
Program threads(const std::vector<std::string>& code, const std::vector<int>& initially = {});

// What `graph` finds under a model.
struct Found {
  std::uint64_t executions = 0;  // those that no assume stops
  std::uint64_t stopped = 0;     // the others
  bool outcome = false;          // some execution ended in a state for which the predicate holds
  std::string complaint;         // what was wrong
};
Found explore_litmus(const Program& program, MemoryModel model,
                     const std::function<bool(const State&)>& outcome = {});

// Whether a program that ended so has the weak outcome of the shape.
bool ends_so(const State& state, const litmus::Shape& shape);

}  // namespace mazur::model
