// The schedule of an error as a table: a row per step, a column per thread.
#pragma once

#include <string>

#include "report/findings/finding.h"
#include "report/text.h"

namespace mazur {

// "lock account", "load flag = 1": what an event did.
std::string describe_operation(const Operation& op, const Places& places);  // "lock account"
std::string describe_event(const Event& event, const Places& places);

// "account" or "0x7f...": an object by its name, if it has one.
std::string object_name(std::uint64_t address, const Places& places);

// "The schedule: 12 steps, 1 preemption, the fewest possible; found with ..."
std::string schedule_heading(const Record& record);

// Without `verbose`, only the steps that matter (report/findings/relevant.h): the others are
// folded. In a terminal that is too narrow for a column per thread, all threads share one.
std::string schedule_table(const Finding& finding, const TextStyle& style);

}  // namespace mazur
