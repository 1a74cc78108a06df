// Reading and writing whole files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mazur {

// More is never read: what is larger is a device, or not meant well.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

// For a file that the user named: a pipe will do. Nothing if it cannot be read or is too large.
std::optional<std::string> read_file(const std::filesystem::path& path,
                                     std::size_t limit = kLargestFile);

// For a file that some other file named: only an ordinary file, so that reading it ends.
std::optional<std::string> read_regular_file(const std::filesystem::path& path);

// Replaces the file at once: readers see the old contents or the new, never a part. Of a link, the
// file that it leads to. (A pipe or a device is written to as it is, and so is what a descriptor of
// this process leads to, such as /dev/stderr.) False on error.
bool write_file(const std::filesystem::path& path, std::string_view contents);

// Where a chain of links ends, whether or not there is a file; the path itself if it is no link. Still a link if it
// ends at a descriptor of a process, or nowhere.
std::filesystem::path end_of_links(std::filesystem::path path);

// Why write_file would fail now, as the end of a sentence: "there is no folder 'x'". Nothing if it
// would not. The file is not touched.
std::optional<std::string> why_not_writable(const std::filesystem::path& path);

}  // namespace mazur
