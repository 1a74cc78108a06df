#include "work/sqlite/process_name.h"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace mazur {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string boot() {
  std::string id = contents("/proc/sys/kernel/random/boot_id");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id.empty() ? "?" : id;
}

std::string space() {
  std::error_code error;
  const auto link = std::filesystem::read_symlink("/proc/self/ns/pid", error);
  return error ? "?" : link.string();
}

// In ticks since boot; "": there is no such process, or it is only waited for.
std::string start_of(const std::string& pid) {
  const std::string stat = contents("/proc/" + pid + "/stat");
  const std::size_t name_end = stat.rfind(')');  // a name may have spaces and brackets
  if (name_end == std::string::npos) return {};
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return {};
  for (int number = 4; number <= 22; ++number) fields >> field;
  return field;
}

}  // namespace

std::string name_of_this_process() {
  const std::string pid = std::to_string(getpid());
  return boot() + " " + space() + " " + pid + " " + start_of(pid);
}

bool may_live(const std::string& name) {
  std::istringstream fields(name);
  std::string its_boot, its_space, pid, start;
  fields >> its_boot >> its_space >> pid >> start;
  if (its_boot == "?" || its_space == "?" || start.empty()) return true;
  if (its_boot != boot()) return boot() == "?";
  if (its_space != space()) return true;
  return start_of(pid) == start;
}

}  // namespace mazur
