#include "report/findings/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

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

bool write_file(const std::filesystem::path& path, std::string_view contents) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const bool in_place =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  const std::string part =
      in_place ? path.string() : path.string() + ".part" + std::to_string(getpid());
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
  const bool closed = std::fclose(file) == 0;
  if (in_place) return written && closed;
  if (written && closed && std::rename(part.c_str(), path.c_str()) == 0) return true;
  std::remove(part.c_str());
  return false;
}

}  // namespace mazur
