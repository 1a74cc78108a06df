#include "cli/executable.h"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/installation.h"
#include "cli/usage.h"
#include "report/files.h"

namespace mazur {
namespace {

// An ELF file of which nothing is believed.
class Elf {
 public:
  explicit Elf(std::span<const char> bytes) : bytes_(bytes) {
    header_ = at<Elf64_Ehdr>(0).value_or(Elf64_Ehdr{});
    for (std::size_t i = 0; i < header_.e_phnum; ++i) {
      if (const auto segment = at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)))
        segments_.push_back(*segment);
    }
  }

  const Elf64_Ehdr& header() const { return header_; }

  std::vector<std::string_view> needed() const {
    std::vector<std::string_view> names;
    const auto table = file_offset(dynamic(DT_STRTAB));
    if (!table) return names;
    for_dynamic([&](const Elf64_Dyn& entry) {
      if (entry.d_tag == DT_NEEDED) names.push_back(text(*table + entry.d_un.d_val));
    });
    return names;
  }

  bool has_interpreter() const {
    return std::any_of(segments_.begin(), segments_.end(),
                       [](const Elf64_Phdr& segment) { return segment.p_type == PT_INTERP; });
  }

  bool mentions(std::string_view word) const {
    return std::string_view(bytes_.data(), bytes_.size()).find(word) != std::string_view::npos;
  }

 private:
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string_view text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const char* begin = bytes_.data() + offset;
    return {begin, strnlen(begin, bytes_.size() - offset)};
  }

  template <typename F>
  void for_dynamic(F&& visit) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      for (std::uint64_t i = 0; i < segment.p_filesz / sizeof(Elf64_Dyn); ++i) {
        const auto entry = at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
        if (!entry || entry->d_tag == DT_NULL) return;
        visit(*entry);
      }
    }
  }

  std::uint64_t dynamic(Elf64_Sxword tag) const {
    std::uint64_t value = 0;
    for_dynamic([&](const Elf64_Dyn& entry) {
      if (entry.d_tag == tag) value = entry.d_un.d_val;
    });
    return value;
  }

  std::optional<std::uint64_t> file_offset(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz)
        return segment.p_offset + (address - segment.p_vaddr);
    }
    return std::nullopt;
  }

  std::span<const char> bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace

Instrumentation examine_elf(std::span<const char> bytes) {
  if (bytes.size() < EI_NIDENT || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    return Instrumentation::kNotElf;
  if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    return Instrumentation::kNotX86;
  const Elf elf(bytes);
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
      throw UsageError(
          fmt::format("'{}' was built without instrumentation: build it with 'mazur c++' (or "
                      "'g++ -fsanitize=thread -g'), then check it again.",
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
