#include "report/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace mazur {

std::optional<std::string> read_file(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string contents;
  struct stat status {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    contents.reserve(static_cast<std::size_t>(status.st_size));
  char buffer[1 << 16];
  ssize_t got = 0;
  while ((got = read(file, buffer, sizeof buffer)) > 0)
    contents.append(buffer, static_cast<std::size_t>(got));
  close(file);
  if (got < 0) return std::nullopt;
  return contents;
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

std::uint64_t fnv1a(std::span<const char> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace mazur
