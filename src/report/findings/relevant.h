// Which steps of a failing schedule a reader has to see, and who holds what at its end.
#pragma once

#include <map>
#include <vector>

#include "protocol/record.h"

namespace mazur {

// One flag per event: whether it is in the failure's causal past and another thread takes part in
// it: a thread is created or joined, a way is chosen, or an event of another thread in that past,
// or what a waiting thread is about to do, depends on it. Steps before a second thread comes
// in do not count; the last step always does. The causal past is that of the last step, of the
// other side's last step and, at a standstill, of every waiting thread's last step.
std::vector<bool> steps_that_matter(const Record& record);

// The locks that each thread holds after the last event, in the order in which it took them.
std::map<ThreadId, std::vector<ObjectId>> held_at_end(const Record& record);

}  // namespace mazur
