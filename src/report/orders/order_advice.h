// Which memory orders would forbid a failing execution that has read old values; and which new
// fences, if no single order does.
#pragma once

#include <string>

#include "report/findings/finding.h"
#include "report/text.h"

namespace mazur {

// Sets finding.orders, if the schedule has such a step: under a weak memory model alone. The finding
// may come from a file. Takes a few seconds at most.
void advise_on_orders(Finding& finding, MemoryModel memory);
// The same for all errors of a result.
void advise_on_orders(Result& result);

// Lines of a report; empty if there is nothing to say.
std::string order_advice(const Finding& finding, const TextStyle& style);

}  // namespace mazur
