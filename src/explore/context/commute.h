// Context-sensitive independence of two single operations, computed from what their labels say:
// nothing is executed.
#pragma once

#include "trace/label.h"

namespace mazur {

// Whether e then f, as they were executed, give the same memory and the same results for both
// threads as f then e would in the same state: two stores of one value, a load beside a store of
// the value that is there already, or an observed assertion beside a store that makes no difference
// to it. Between the two came only events that depend on neither, or that f but not e depends on.
// Returns false when the labels do not tell.
bool same_either_way(const Event& e, const Event& f);

}  // namespace mazur
