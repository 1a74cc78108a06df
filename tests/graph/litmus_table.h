// Litmus tests with their numbers of executions under each memory model, for every machine.
//
// Programs are in the language of machine/model/text.h: the instructions of a thread with ";"
// between them. Variables x, y, z, w (or a, b, c) are x0, x1, x2, x3.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mazur::litmus {

struct Row {
  const char* name;
  std::vector<std::string> code;
  std::array<std::uint64_t, 4> executions;  // sc, tso, pso, c++20; those that no assume stops
  std::vector<int> initially = {};          // of x0, x1, ...; 0 for what is left out
};
inline constexpr std::uint64_t kUnknown = 0;
// The counts are those of GenMC's own tests for sc and c++20.
const std::vector<Row>& counted();
// The same for larger ones. The largest take seconds.
const std::vector<Row>& larger();
const std::vector<Row>& largest();

// The classic shapes, each with five ways to order its accesses.
struct Shape {
  const char* name;
  std::vector<std::vector<std::string>> code;  // one access each: "W x0 1" or "R r0 x0"
  // The weak outcome: values of r0 and r1 of each thread, -1 for any; then of variables.
  std::vector<std::pair<int, int>> registers;
  std::vector<int> variables;
  // For each way and each model, the number of executions; negative if the outcome is forbidden.
  std::array<std::array<int, 4>, 5> expected;
};
inline constexpr std::array<const char*, 5> kWays = {"relaxed", "release/acquire", "seq_cst",
                                                     "acq_rel fences", "seq_cst fences"};
const std::vector<Shape>& shapes();
// The code of its threads.
std::vector<std::string> in_the_way(const Shape& shape, std::size_t way);

}  // namespace mazur::litmus
