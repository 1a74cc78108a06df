// Results as workflow commands of GitHub Actions, which shows them at lines of the sources.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/machines/reported.h"

namespace mazur {

// A line for each error, and one for a verdict that is neither verified nor bug; nothing for a
// program that is verified. Files below `workspace` (the folder of the repository, or "") are named
// from there, as GitHub wants it.
std::string github_annotations(std::span<const ReportedResult> results, std::string_view workspace);

}  // namespace mazur
