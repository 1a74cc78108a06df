#include "cli/build/installation.h"

namespace mazur {

Installation find_installation() {
  const auto binary = std::filesystem::read_symlink("/proc/self/exe");
  const auto root = binary.parent_path().parent_path();
  return {binary, root / "lib" / "mazur", root / "include"};
}

}  // namespace mazur
