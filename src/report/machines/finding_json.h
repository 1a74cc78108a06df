// An error in the result for programs: docs/use.md, docs/schemas/result.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/findings/finding.h"

namespace mazur {

// Of a schedule with more steps than this, only those that matter are listed, and of these the last
// so many.
inline constexpr std::size_t kMostEvents = 1000;

// `output`: with what the program printed.
nlohmann::ordered_json finding_json(const Finding& finding, bool output);

}  // namespace mazur
