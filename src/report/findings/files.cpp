#include "report/findings/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace mazur {

namespace {

std::optional<std::string> read_opened(int file, bool only_regular, std::size_t limit) {
  if (file < 0) return std::nullopt;
  std::string contents;
  struct stat status {};
  const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  bool good = regular || !only_regular;
  if (good && regular)
    contents.reserve(std::min<std::size_t>(static_cast<std::size_t>(status.st_size), limit));
  char buffer[1 << 16];
  while (good) {
    const ssize_t got = read(file, buffer, sizeof buffer);
    if (got == 0) break;
    if (got > 0) contents.append(buffer, static_cast<std::size_t>(got));
    good = got > 0 && contents.size() <= limit;
  }
  close(file);
  if (!good) return std::nullopt;
  return contents;
}

}  // namespace

std::optional<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  return read_opened(open(path.c_str(), O_RDONLY | O_CLOEXEC), false, limit);
}

std::optional<std::string> read_regular_file(const std::filesystem::path& path) {
  // A pipe without a writer would be waited for.
  return read_opened(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), true,
                     kLargestFile);
}

namespace {

// Where the bytes go: links are followed.
struct Target {
  std::filesystem::path path;
  bool in_place = false;  // it is no ordinary file that another one could replace

  std::string part() const { return path.string() + ".part" + std::to_string(getpid()); }
};

Target target_of(const std::filesystem::path& named) {
  const std::filesystem::path path = end_of_links(named);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return {path, std::filesystem::is_symlink(path, error) ||
                    (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))};
}

std::string because(int error) { return std::strerror(error); }

}  // namespace

std::filesystem::path end_of_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as the kernel
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i) {
    // What the kernel makes up there (also as /dev/fd) is no name that something could be renamed to.
    const auto folder = std::filesystem::weakly_canonical(path.parent_path(), error);
    if (folder.native().starts_with("/proc/")) break;
    const std::filesystem::path link = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / link;
  }
  return path;
}

bool write_file(const std::filesystem::path& path, std::string_view contents) {
  const Target target = target_of(path);
  const std::string part = target.in_place ? target.path.string() : target.part();
  std::FILE* file = std::fopen(part.c_str(), target.in_place ? "ab" : "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
  const bool closed = std::fclose(file) == 0;
  if (target.in_place) return written && closed;
  if (written && closed && std::rename(part.c_str(), target.path.c_str()) == 0) return true;
  std::remove(part.c_str());
  return false;
}

std::optional<std::string> why_not_writable(const std::filesystem::path& path) {
  const Target target = target_of(path);
  std::error_code error;
  if (std::filesystem::is_directory(target.path, error)) return "that is a folder";
  if ((target.in_place || std::filesystem::exists(target.path, error)) &&
      access(target.path.c_str(), W_OK) != 0)
    return because(errno);
  if (target.in_place) return std::nullopt;
  const std::filesystem::path folder = target.path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    return "there is no folder '" + folder.string() + "'";
  // Only the attempt says whether a file can be made there.
  const std::string part = target.part();
  const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return because(errno);
  close(file);
  std::remove(part.c_str());
  return std::nullopt;
}

}  // namespace mazur
