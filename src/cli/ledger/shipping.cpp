#include "cli/ledger/shipping.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/ledger/settled_program.h"
#include "cli/ledger/sha256.h"
#include "cli/run/start_program.h"
#include "cli/usage.h"
#include "report/findings/files.h"

namespace mazur {
namespace {

std::string name_of(const std::string& hash) { return "file/" + hash; }

// The parts that are files of the run's own.
bool is_shipped(const Part& part) {
  if (part.kind == Part::Kind::kProgram) return true;
  return part.kind == Part::Kind::kLibrary && part.name != kRuntimeName &&
         !is_of_c_library(part.name);
}

std::string contents_of(int descriptor, const std::string& name) {
  std::string contents;
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && status.st_size >= 0 &&
      static_cast<std::size_t>(status.st_size) <= kLargestFile)
    contents.resize(static_cast<std::size_t>(status.st_size));
  for (std::size_t at = 0; at < contents.size();) {
    const ssize_t got =
        pread(descriptor, contents.data() + at, contents.size() - at, static_cast<off_t>(at));
    if (got <= 0) throw UsageError(fmt::format("'{}' cannot be read, so it is not shipped.", name));
    at += static_cast<std::size_t>(got);
  }
  return contents;
}

}  // namespace

void ship(Ledger& ledger, const RunTerms& terms, const ProgramRun& run) {
  for (const Part& part : terms.parts) {
    if (!is_shipped(part)) continue;
    const bool is_program = part.kind == Part::Kind::kProgram;
    const std::string name = is_program ? terms.program : part.name;
    const auto& libraries = run.place->libraries();
    const auto library = libraries.find(part.name);
    if (!is_program && library == libraries.end()) continue;
    const std::string contents =
        contents_of(is_program ? run.place->program() : library->second, name);
    if (sha256(contents) != part.value)
      throw UsageError(fmt::format("'{}' was changed while it was read.", name));
    ledger.put(name_of(part.value), contents);
  }
}

std::filesystem::path unpack(Ledger& ledger, const RunTerms& terms,
                             const std::filesystem::path& folder) {
  std::filesystem::path program;
  for (const Part& part : terms.parts) {
    if (!is_shipped(part)) continue;
    const bool is_program = part.kind == Part::Kind::kProgram;
    const std::string name = is_program ? terms.program : part.name;
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos || !is_sha256(part.value))
      throw UsageError("what the ledger says about the shipped files makes no sense.");
    const auto contents = ledger.get(name_of(part.value));
    if (!contents)
      throw UsageError(
          fmt::format("the ledger does not have '{}': 'mazur check --ship' puts it there.", name));
    if (sha256(*contents) != part.value)
      throw UsageError(
          fmt::format("'{}' in the ledger is damaged, or not what it should be.", name));
    // A library may be called as the program is.
    const std::filesystem::path place =
        is_program ? folder / "program" / name : folder / "libraries" / name;
    std::error_code error;
    std::filesystem::create_directories(place.parent_path(), error);
    if (error || !write_file(place, *contents) || chmod(place.c_str(), 0700) != 0)
      throw UsageError(fmt::format("the shipped file '{}' cannot be written.", place.string()));
    if (is_program) program = place;
  }
  if (program.empty()) throw UsageError("the ledger names no program.");
  return program;
}

}  // namespace mazur
