// Names of files as URIs (RFC 3986).
#pragma once

#include <string>
#include <string_view>

namespace mazur {

struct FileUri {
  std::string text;
  bool below = false;  // relative to the folder, and does not lead out of it
};

// A file that is named from the folder `directory` (absolute, or "" if it is not known): a relative
// URI if it lies below that folder, else file:///.... Neither has "." or ".." in it, and whatever a
// URI does not have is percent-encoded.
FileUri file_uri(std::string_view file, std::string_view directory);

// file:///home/me/ of a folder; with the slash at its end that relative URIs need.
std::string folder_uri(std::string_view directory);

}  // namespace mazur
