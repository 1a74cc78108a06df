// What goes wrong before anything is checked: bad usage, a missing file, a program that does not
// build. main() prints the sentence and exits with 2.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mazur {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The candidate that was probably meant, or nothing. Small edit distances and prefixes count.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

// " Did you mean X?" or nothing, with `prefix` (such as "--") before the candidate.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                       std::string_view prefix = "");

}  // namespace mazur
