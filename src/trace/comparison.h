// How awaits, and the tests of model programs, compare two numbers.
#pragma once

#include <cstdint>

#include "trace/fields.h"
#include "trace/label.h"

namespace mazur {

inline bool compare(std::int64_t a, Comparison comparison, std::int64_t b) {
  switch (comparison) {
    case Comparison::kEqual:
      return a == b;
    case Comparison::kNotEqual:
      return a != b;
    case Comparison::kLess:
      return a < b;
    case Comparison::kGreaterEqual:
      return a >= b;
  }
  return false;
}

inline bool is_observed_assertion(const Operation& op) {
  return op.kind == OpKind::kLoad && (op.order == kObservedSigned || op.order == kObservedUnsigned);
}

// Whether an observed assertion holds for these bytes, of which there are at most 8.
inline bool holds(const Operation& assertion, std::uint64_t bytes) {
  const unsigned unused = assertion.size < 8 ? 64 - 8 * assertion.size : 0;
  auto a = static_cast<std::int64_t>(bytes << unused >> unused);
  auto b = static_cast<std::int64_t>(compared_with(assertion));
  if (assertion.order == kObservedSigned) {
    a = static_cast<std::int64_t>(bytes << unused) >> unused;
  } else if (unused == 0) {  // the order of unsigned numbers
    a = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) ^ std::uint64_t{1} << 63);
    b = static_cast<std::int64_t>(static_cast<std::uint64_t>(b) ^ std::uint64_t{1} << 63);
  }
  return compare(a, assertion.comparison, b);
}

}  // namespace mazur
