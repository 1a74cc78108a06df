// Starting other programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mazur {

// The words as a shell would take them, for messages.
std::string shell_quoted(const std::vector<std::string>& words);

// Replaces this process. Returns only on failure: then throws UsageError.
[[noreturn]] void exec_program(const std::vector<std::string>& command);

// Runs the commands, a few at a time, and waits for them. Their output is not touched. False if
// one failed; throws UsageError if one could not be started.
bool run_all(const std::vector<std::vector<std::string>>& commands, const std::string& directory);

// What a command writes to its standard output; nothing if it cannot be run or fails.
std::optional<std::string> output_of(const std::vector<std::string>& command);

// Whether a program of this name is in PATH; its path, or nothing.
std::string find_in_path(const std::string& name);

}  // namespace mazur
