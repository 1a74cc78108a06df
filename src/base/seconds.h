// The time that has passed, for bounds that are counted in seconds.
#pragma once

#include <time.h>

namespace mazur {

// Seconds since some moment in the past, by a clock that only goes forward.
inline double monotonic_seconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace mazur
