// How many processes work: -j N and --jobs=N.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazur {

// `-j N` and `-jN` as `--jobs=N`, up to a "--". Throws UsageError.
std::vector<std::string> with_long_jobs(const std::vector<std::string>& arguments);

// The value of --jobs: 0 is one for each core. Throws UsageError.
unsigned parse_jobs(const std::string& value);

}  // namespace mazur
