// The lines of a file of suppressions, as data: what they say, and what a pattern matches. Any
// bytes are accepted; a line that is no suppression is left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mazur::native {

// In which frames of a call stack a suppression looks for its pattern.
enum class Where : std::uint8_t { kAnyFrame, kTopFrame, kTopLibrary };

struct Suppression {
  Where where;
  std::string pattern;
};

std::vector<Suppression> parse_suppressions(std::string_view lines);

// Whether a pattern matches a name. The time it takes is at most proportional to the product of
// their lengths.
bool matches(std::string_view pattern, std::string_view name);

}  // namespace mazur::native
