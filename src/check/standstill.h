// What a state without enabled threads means.
#pragma once

#include <cstdint>

#include "machine/machine.h"

namespace mazur {

enum class Stuck : std::uint8_t {
  kNo,          // the program has ended
  kAssume,      // a thread has stopped that another execution does without, or does not stop
  kNoDeadline,  // somebody waits without the deadline that it has (--timeouts)
  kDeadlock,    // nobody can ever go on
};
// May use up the execution (Machine::stands_still); the frontier stays as it was.
Stuck stuck(Machine& machine, const Frontier& frontier);

}  // namespace mazur
