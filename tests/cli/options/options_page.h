// The list of options in docs/use.md is made from the tables of `mazur check`: it stands between
// two markers, and nobody edits it by hand.
#pragma once

#include <string>

namespace mazur {

// The page with the list as it must be now. The page as it is if a marker is missing.
std::string with_options_list(const std::string& page);

}  // namespace mazur
