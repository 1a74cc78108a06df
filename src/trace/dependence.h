// When two operations of different threads depend: in one place, for every explorer and every
// machine.
#pragma once

#include "trace/label.h"

namespace mazur {

// Whether executed operations a and b, of different threads, depend. Symmetric. Two threads'
// arrivals at one phase of a barrier do not; see blocking.h for what an arrival does to those of
// the next phase.
bool dependent(const Label& a, const Label& b);

// The same when at least one of them has not run yet: conservative where the outcome decides (a
// pending kCas writes).
bool may_depend(const Operation& a, const Operation& b);

// Whether the label reads or writes memory bytes, and how.
bool reads_memory(const Label& label);
bool writes_memory(const Label& label);

}  // namespace mazur
