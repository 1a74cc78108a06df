// How awaits, and the tests of model programs, compare two numbers.
#pragma once

#include <cstdint>

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

}  // namespace mazur
