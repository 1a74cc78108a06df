// Running `mazur` on programs of this source tree: what the tables of whole runs share.
#pragma once

#include <stdlib.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace mazur::bench {

// Where compiled programs and results go.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "mazur-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return std::filesystem::path(name);
  }();
  return path;
}

// The program (`source`: below the source tree), compiled once for each set of flags.
inline std::string built(const std::string& source, const std::string& flags) {
  static std::map<std::string, std::string> known;
  std::string& path = known[source + flags];
  if (!path.empty()) return path;
  path = (folder() / ("program" + std::to_string(known.size()))).string();
  const std::string compiler = source.ends_with(".c") ? " cc " : " c++ -std=c++20 ";
  const std::string command = MAZUR_PROGRAM + compiler + "-O2 " + flags +
                              " " MAZUR_SOURCE_TREE "/" + source + " -o " + path;
  if (std::system(command.c_str()) != 0) std::abort();
  return path;
}

// Processor time, in seconds, of the processes that were started and have ended.
inline double children_cpu() {
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace mazur::bench
