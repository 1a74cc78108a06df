#include "cli/build/executable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "cli/build/installation.h"
#include "cli/usage.h"
#include "modules/elf_file.h"
#include "report/findings/files.h"

namespace mazur {
Instrumentation examine_elf(std::span<const char> bytes) {
  if (bytes.size() < EI_NIDENT || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    return Instrumentation::kNotElf;
  if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    return Instrumentation::kNotX86;
  const ElfFile elf(bytes);
  if (elf.header().e_machine != EM_X86_64) return Instrumentation::kNotX86;
  if (elf.header().e_type != ET_EXEC && elf.header().e_type != ET_DYN)
    return Instrumentation::kNotProgram;
  for (const std::string_view name : elf.needed())
    if (name == kRuntimeName && elf.has_interpreter()) return Instrumentation::kPresent;
  if (elf.mentions("__tsan_func_entry"))
    return elf.has_interpreter() || elf.header().e_type == ET_EXEC ? Instrumentation::kOtherRuntime
                                                                   : Instrumentation::kNotProgram;
  // A position-independent program that is linked statically has no interpreter either.
  return Instrumentation::kNone;
}

void require_checkable(const std::filesystem::path& program) {
  const std::string name = program.string();
  std::error_code error;
  const auto status = std::filesystem::status(program, error);
  if (!std::filesystem::exists(status))
    throw UsageError(fmt::format("there is no file '{}'.", name));
  if (std::filesystem::is_directory(status))
    throw UsageError(fmt::format("'{}' is a folder, not a program.", name));
  const auto bytes = read_file(program);
  if (!bytes) throw UsageError(fmt::format("the file '{}' cannot be read.", name));
  switch (examine_elf(*bytes)) {
    case Instrumentation::kPresent:
      break;
    case Instrumentation::kNone:
      throw UsageError(fmt::format(
          "'{}' was built without instrumentation: build it with 'mazur c++' (or "
          "'g++ -fsanitize=thread -g'; with CMake: -DCMAKE_CXX_COMPILER=mazur-c++), then "
          "check it again.",
          name));
    case Instrumentation::kOtherRuntime:
      throw UsageError(fmt::format(
          "'{}' has another sanitizer runtime linked into it: link it with 'mazur c++ "
          "--compiler=clang' (or with g++ without -static-libtsan), then check it again.",
          name));
    case Instrumentation::kNotX86:
      throw UsageError(fmt::format("'{}' is not a program for x86-64 Linux.", name));
    case Instrumentation::kNotProgram:
      throw UsageError(
          fmt::format("'{}' is an object file or a library, not a program: link it first.", name));
    case Instrumentation::kNotElf:
      throw UsageError(
          fmt::format("'{}' is neither a C or C++ source file nor an executable.", name));
  }
  if (access(program.c_str(), X_OK) != 0)
    throw UsageError(fmt::format("'{}' is not executable: chmod +x it first.", name));
}

}  // namespace mazur
