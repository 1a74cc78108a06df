// Sentences about deadlocks and divergence, without source lines (report/ adds those).
#pragma once

#include <string>

#include "machine/machine.h"

namespace mazur {

// "thread 1 waits for a mutex held by thread 2; thread 2 waits for ..."
Failure describe_deadlock(const Machine& machine, const Frontier& frontier);

Message describe_divergence(const Event& now, const Event& then, std::size_t at);
std::string describe_impossible(const Step& step, const Pending* pending, std::size_t at);

}  // namespace mazur
