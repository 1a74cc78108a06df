// Operations whose labels say all about them.
#pragma once

#include "trace/label.h"

namespace mazur {

// One load, store, read-modify-write or compare-exchange of at most 8 bytes that waits for nothing.
inline bool is_single_access(const Label& l) {
  return l.kind >= OpKind::kLoad && l.kind <= OpKind::kCas && l.object2 == 0 && l.size <= 8;
}

}  // namespace mazur
