// Compiling the sources that `mazur check` was given.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/build/toolchain.h"
#include "report/findings/trace_file.h"

namespace mazur {

// Commands that make a program. In them, @OUT@ stands for the folder that gets the results.
struct Build {
  std::string directory;  // where they run
  std::vector<std::vector<std::string>> compile;
  std::vector<std::string> link;
  std::string output;  // the program's name
  bool empty() const { return link.empty(); }
};

bool is_source(const std::filesystem::path& file);

// `flags` are compiler flags, and objects and libraries, in the user's order. `directory` is
// absolute; relative names are meant from there.
Build plan_build(Compiler compiler, const std::vector<std::string>& sources,
                 const std::vector<std::string>& flags, const Installation& installation,
                 const std::string& directory);

// What a trace file keeps of a build in the current folder. Reads the files.
Recipe make_recipe(Compiler compiler, const std::vector<std::string>& sources,
                   const std::vector<std::string>& flags);

// The program's path, or nothing if a command failed (it has said why).
std::optional<std::filesystem::path> run_build(const Build& build,
                                               const std::filesystem::path& folder);

}  // namespace mazur
