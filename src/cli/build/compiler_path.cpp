#include "cli/build/compiler_path.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/usage.h"

namespace mazur {
namespace {

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t colon = std::min(list.find(':'), list.size());
    parts.emplace_back(list.substr(0, colon));
    list.remove_prefix(std::min(colon + 1, list.size()));
  }
  return parts;
}

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

bool is_compiler(std::string_view name) {
  return name == "gcc" || name == "g++" || name == "clang" || name == "clang++";
}

}  // namespace

std::vector<std::string> beyond_shims(std::vector<std::string> command, std::string& tried) {
  if (!is_compiler(command[0])) return command;
  const std::string before = variable(kTriedCompilers, "");
  const std::vector<std::string> known = split(before);
  bool skipped = false;
  for (const std::string& folder : split(variable("PATH", "/usr/bin:/bin"))) {
    std::error_code error;
    const auto file = std::filesystem::absolute(std::filesystem::path(folder) / command[0], error);
    if (error || access(file.c_str(), X_OK) != 0 || std::filesystem::is_directory(file, error))
      continue;
    if (std::find(known.begin(), known.end(), file.string()) != known.end()) {
      skipped = true;
      continue;
    }
    tried = before.empty() ? file.string() : before + ":" + file.string();
    if (skipped) command[0] = file.string();
    return command;
  }
  if (skipped)
    throw UsageError(fmt::format(
        "every '{}' in PATH calls 'mazur' again: put the folder of the real compiler into PATH.",
        command[0]));
  return command;
}

}  // namespace mazur
