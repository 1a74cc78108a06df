// What is said about a run on one process, on several, and on several machines.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "run_mazur.h"

namespace mazur::test {

// What does not depend on how many processes there are.
nlohmann::json essence(const MazurRun& run);

// The processes of which this program is the executable.
std::vector<pid_t> processes_of(const std::filesystem::path& program);

}  // namespace mazur::test
