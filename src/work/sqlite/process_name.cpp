#include "work/sqlite/process_name.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>

namespace mazur {
namespace {

// What a file of the kernel says: "" if it is not there, or its process ends meanwhile; nothing if it
// cannot be told.
std::optional<std::string> contents(const std::string& path) {
  const auto gone = [](int error) { return error == ENOENT || error == ESRCH; };
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return gone(errno) ? std::optional<std::string>("") : std::nullopt;
  std::string text;
  char buffer[1024];
  ssize_t size = 0;
  do {
    size = read(file, buffer, sizeof buffer);
    if (size > 0) text.append(buffer, static_cast<std::size_t>(size));
  } while (size > 0 || (size < 0 && errno == EINTR));
  const int error = errno;
  close(file);
  if (size == 0) return text;
  return gone(error) ? std::optional<std::string>("") : std::nullopt;
}

std::string boot() {
  std::string id = contents("/proc/sys/kernel/random/boot_id").value_or("");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id.empty() ? "?" : id;
}

std::string space() {
  std::error_code error;
  const auto link = std::filesystem::read_symlink("/proc/self/ns/pid", error);
  return error ? "?" : link.string();
}

// In ticks since boot; "": there is no such process, or it is only waited for.
std::optional<std::string> start_of(const std::string& pid) {
  const auto stat = contents("/proc/" + pid + "/stat");
  if (!stat || stat->empty()) return stat;
  const std::size_t name_end = stat->rfind(')');  // a name may have spaces and brackets
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat->substr(name_end + 1));
  std::string field;
  fields >> field;
  if (field == "Z" || field == "X") return "";
  for (int number = 4; number <= 22; ++number) fields >> field;
  return field;
}

}  // namespace

std::string name_of_this_process() {
  const std::string pid = std::to_string(getpid());
  return boot() + " " + space() + " " + pid + " " + start_of(pid).value_or("");
}

bool may_live(const std::string& name) {
  std::istringstream fields(name);
  std::string its_boot, its_space, pid, start;
  fields >> its_boot >> its_space >> pid >> start;
  if (its_boot == "?" || its_space == "?" || start.empty()) return true;
  if (its_boot != boot()) return boot() == "?";
  if (its_space != space()) return true;
  return start_of(pid).value_or(start) == start;
}

}  // namespace mazur
