#include "cli/build/own_ground.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

namespace mazur {
namespace {

std::filesystem::path resolved(const std::filesystem::path& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  if (error) return {};
  // What does not exist may be reached over what does.
  const auto real = std::filesystem::weakly_canonical(absolute, error);
  return error ? std::filesystem::path() : real;
}

bool is_below(const std::filesystem::path& path, const std::filesystem::path& folder) {
  if (path.empty() || folder.empty()) return false;
  const auto [at, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return at == folder.end();
}

}  // namespace

OwnGround::OwnGround() {
  std::error_code error;
  root_ = resolved(std::filesystem::current_path(error));
  struct stat status {};
  owner_ = stat(root_.c_str(), &status) == 0 ? status.st_uid : geteuid();
}

bool OwnGround::holds(const std::filesystem::path& path) const {
  const auto real = resolved(path);
  if (!is_below(real, root_)) return false;
  struct stat status {};
  if (stat(real.c_str(), &status) != 0) return true;
  return status.st_uid == geteuid() || status.st_uid == 0 || status.st_uid == owner_;
}

bool OwnGround::holds_or_system(const std::filesystem::path& path) const {
  if (holds(path)) return true;
  const auto real = resolved(path);
  struct stat status {};
  return is_below(real, "/usr") && stat(real.c_str(), &status) == 0 && status.st_uid == 0;
}

}  // namespace mazur
