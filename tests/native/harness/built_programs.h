// The programs that the build has compiled (programs.cmake).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mazur::test {

// The executable made from a source with exactly these flags of the compiler, in this order.
std::optional<std::filesystem::path> built_program(const std::filesystem::path& source,
                                                   const std::vector<std::string>& flags);

}  // namespace mazur::test
