// Operations whose labels say all about them.
#pragma once

#include "trace/fields.h"
#include "trace/wait_set.h"

namespace mazur {

// One load, store, read-modify-write or compare-exchange of at most 8 bytes that waits for nothing.
inline bool is_single_access(const Label& l) {
  return is_memory(l.kind) && waits_for(l) == 0 && l.size <= 8;
}

}  // namespace mazur
