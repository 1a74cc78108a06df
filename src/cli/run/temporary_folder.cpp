#include "cli/run/temporary_folder.h"

#include <cstdlib>
#include <string>

#include "cli/usage.h"

namespace mazur {

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  std::string name =
      std::string(base != nullptr && *base != '\0' ? base : P_tmpdir) + "/mazur-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw UsageError("no temporary folder could be made: set TMPDIR to a writable folder.");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace mazur
