#include "cli/ledger/settled_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "cli/ledger/sha256.h"
#include "cli/usage.h"
#include "mazur_version.h"

namespace mazur {
namespace {

// The kernel's own module has no file.
bool is_file(const CheckedModule& module) { return module.path.find('/') != std::string::npos; }

std::string hash_of(int descriptor, const std::string& path) {
  const auto hash = sha256_of_file(descriptor);
  if (!hash) throw UsageError(fmt::format("the file '{}' cannot be read.", path));
  return *hash;
}

std::string hash_of(const FixedPlace& place, const std::string& path) {
  const auto opened = place.libraries().find(std::filesystem::path(path).filename().string());
  if (opened != place.libraries().end()) return hash_of(opened->second, path);
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw UsageError(fmt::format("the file '{}' cannot be read.", path));
  std::string hash = hash_of(descriptor, path);
  close(descriptor);
  return hash;
}

}  // namespace

SettledProgram settle(ProgramRun& run, const std::string& name, const Installation& installation) {
  std::vector<std::filesystem::path> libraries;
  for (const CheckedModule& module : list_modules(run, installation))
    if (is_file(module) && module.path != run.program.string())
      libraries.push_back(std::filesystem::absolute(module.path).lexically_normal());
  run.place = std::make_shared<FixedPlace>(run.program, name, libraries, installation);
  SettledProgram settled;
  std::vector<Part>& parts = settled.parts;
  parts.push_back({Part::Kind::kMazur, "", kVersion});
  parts.push_back({Part::Kind::kProgram, "", hash_of(run.place->program(), run.program.string())});
  std::vector<Part> addresses;
  settled.modules = list_modules(run, installation);
  for (std::size_t i = 0; i < settled.modules.size(); ++i) {
    const CheckedModule& module = settled.modules[i];
    if (!is_file(module)) continue;
    const std::string file =
        i == 0 ? "the program" : std::filesystem::path(module.path).filename().string();
    if (i > 0) parts.push_back({Part::Kind::kLibrary, file, hash_of(*run.place, module.path)});
    addresses.push_back({Part::Kind::kAddress, file, fmt::format("{:#x}", module.base)});
  }
  parts.insert(parts.end(), addresses.begin(), addresses.end());
  return settled;
}

bool is_of_c_library(const std::string& file) {
  constexpr std::array<std::string_view, 13> kNames = {
      "ld-linux", "libc.",   "libm.",      "libmvec.", "libpthread.", "libdl.",       "librt.",
      "libanl.",  "libnsl.", "libresolv.", "libutil.", "libnss_",     "libthread_db."};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return file.starts_with(name); });
}

}  // namespace mazur
