// The value of expressions, and what can go wrong with them.
#pragma once

#include <cstdint>
#include <string>

#include "machine/dlang/program.h"

namespace mazur::dlang {

// Why a statement could not be carried out.
struct Fault {
  enum class Kind : std::uint8_t { kNone, kDivision, kIndex };
  Kind kind = Kind::kNone;
  Position at;
  std::uint32_t array = 0;  // kIndex
  std::int64_t index = 0;   // kIndex

  std::string describe(const Program& program) const;
};

// The variables as a process sees them.
struct Variables {
  std::int64_t* globals;
  std::int64_t* locals;
};

// left op right. Numbers are 64 bits wide and wrap around, and division rounds towards 0. It must
// not be a division by 0.
std::int64_t calculate(NodeKind op, std::int64_t left, std::int64_t right);

// Returns false if something goes wrong; then `fault` says what.
bool evaluate(const Program& program, Expression expression, Variables variables,
              std::int64_t& value, Fault& fault);
// Finds which element of its storage the place is. Returns false like evaluate().
bool locate(const Program& program, const Place& place, Variables variables, std::uint32_t& element,
            Fault& fault);

}  // namespace mazur::dlang
