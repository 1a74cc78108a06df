// Random programs.
#pragma once

#include <cstdint>

#include "program.h"

namespace differential {

// The same program for the same numbers, everywhere. `attempt`: another one instead of one that
// turned out to be too large or too dull.
Program generate(std::uint64_t seed, std::uint64_t number, unsigned attempt);

}  // namespace differential
