// Compiling the sources that `mazur check` was given.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/toolchain.h"
#include "report/trace_file.h"

namespace mazur {

// In the commands of a recipe, the word @OUT@ stands for the folder that gets the results.

bool is_source(const std::filesystem::path& file);

// `flags` are compiler flags, and objects and libraries, in the user's order.
Recipe plan_build(Compiler compiler, const std::vector<std::string>& sources,
                  const std::vector<std::string>& flags, const Installation& installation);

// The program's path, or nothing if a command failed (it has said why).
std::optional<std::filesystem::path> run_build(const Recipe& recipe,
                                               const std::filesystem::path& folder);

}  // namespace mazur
