// --races=explore without looking which memory threads share.
#pragma once

#include <cstdlib>

namespace mazur::test {

// While one lives, every plain access is an event.
class EveryAccess {
 public:
  EveryAccess() { setenv("MAZUR_EVERY_ACCESS", "1", 1); }
  ~EveryAccess() { unsetenv("MAZUR_EVERY_ACCESS"); }
  EveryAccess(const EveryAccess&) = delete;
  EveryAccess& operator=(const EveryAccess&) = delete;
};

}  // namespace mazur::test
