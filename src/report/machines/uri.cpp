#include "report/machines/uri.h"

#include <fmt/format.h>

#include <filesystem>

namespace mazur {
namespace {

// What a segment of a path may have as it is, but for ':': in a first segment that would end a
// scheme.
bool stays(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
}

std::string encoded(std::string_view path) {
  std::string text;
  for (const char c : path)
    text += stays(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return text;
}

// Exactly one slash at the beginning: two would begin the name of a machine.
std::string absolute_uri(const std::filesystem::path& path) {
  return "file:///" + encoded(path.relative_path().string());
}

bool leads_out(const std::filesystem::path& relative) {
  return relative.empty() || relative.is_absolute() || *relative.begin() == "..";
}

}  // namespace

FileUri file_uri(std::string_view file, std::string_view directory) {
  const std::filesystem::path folder = std::filesystem::path(directory).lexically_normal();
  std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (path.is_absolute() && !folder.empty()) {
    const std::filesystem::path relative = path.lexically_relative(folder);
    if (!leads_out(relative)) path = relative;
  }
  if (path.is_absolute()) return {absolute_uri(path), false};
  if (!leads_out(path)) return {encoded(path.string()), true};
  if (folder.empty()) return {encoded(path.string()), false};
  return {absolute_uri((folder / path).lexically_normal()), false};
}

std::string folder_uri(std::string_view directory) {
  const std::filesystem::path folder = std::filesystem::path(directory).lexically_normal();
  const std::string uri = absolute_uri(folder);
  return uri.ends_with('/') ? uri : uri + "/";
}

}  // namespace mazur
