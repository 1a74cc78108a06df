// SHA-256: the name of what somebody else may have written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mazur {

// In hexadecimal.
std::string sha256(std::span<const char> bytes);

// Of all that is in an opened file, wherever it is read otherwise. Nothing if it cannot be read.
std::optional<std::string> sha256_of_file(int descriptor);

// Whether a text has the form of such a hash.
bool is_sha256(std::string_view text);

}  // namespace mazur
