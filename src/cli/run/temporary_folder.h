// A folder that is removed with its contents at the end.
#pragma once

#include <filesystem>

namespace mazur {

class TemporaryFolder {
 public:
  TemporaryFolder();  // throws UsageError
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace mazur
