// When two errors are the same error: what --keep-going counts together, and what a shorter
// schedule must still show.
#pragma once

#include <cstdint>

#include "machine/machine.h"

namespace mazur {

// A number for the kind of the failure and where it is. `frontier` is that after the failing step.
//  - a standstill (no thread is enabled): where the waiting threads are, whichever waits where;
//  - a data race: both sides, whichever came first;
//  - an exit code: the code;
//  - others: the call stack (for a leak: that of the allocation) and, if there is another side, its
//    place.
std::uint64_t failure_place(const Failure& failure, const Frontier& frontier);

}  // namespace mazur
