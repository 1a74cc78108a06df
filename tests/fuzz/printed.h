// What every report must keep to, whoever made up what it tells.
#pragma once

#include "report/findings/finding.h"

namespace mazur {

// Renders the result in all ways; aborts if something reaches the reader that must not: control
// characters in text, tags in a page.
void print_in_all_ways(const Result& result);

}  // namespace mazur
