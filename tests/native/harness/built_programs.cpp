#include "built_programs.h"

#include <fstream>
#include <map>

namespace mazur::test {
namespace {

// From the source and its flags, with tabs between them, to the executable.
std::map<std::string, std::string> read_list() {
  std::map<std::string, std::string> programs;
  std::ifstream list(BUILT_PROGRAMS);
  for (std::string line; std::getline(list, line);) {
    const std::size_t tab = line.find('\t');
    programs.emplace(line.substr(tab + 1), line.substr(0, tab));
  }
  return programs;
}

}  // namespace

std::optional<std::filesystem::path> built_program(const std::filesystem::path& source,
                                                   const std::vector<std::string>& flags) {
  static const std::map<std::string, std::string> programs = read_list();
  std::string key = source.lexically_normal().string();
  if (flags.empty()) key += '\t';
  for (const std::string& flag : flags) key += '\t' + flag;
  const auto found = programs.find(key);
  if (found == programs.end() || !std::filesystem::exists(found->second)) return std::nullopt;
  return found->second;
}

}  // namespace mazur::test
