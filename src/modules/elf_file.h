// Reads an ELF file without believing anything in it: every offset and every count is checked, and
// what does not fit is left out.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mazur {

class ElfFile {
 public:
  // The bytes must live as long as the object. Meaningful only if is_x86_64() says so.
  explicit ElfFile(std::span<const char> bytes);

  bool is_x86_64() const;
  const Elf64_Ehdr& header() const { return header_; }
  bool has_interpreter() const;
  bool mentions(std::string_view word) const;

  std::vector<std::string_view> needed() const;     // sonames of the libraries it asks for
  std::string_view soname() const;                  // may be empty
  std::vector<std::string_view> undefined() const;  // the names it imports
  std::string build_id() const;                     // in hexadecimal; may be empty

  // Executable bytes with the address of the first one, in the file's own addresses and their
  // order. They come from the sections, because a segment may hold constants as well. A file
  // without sections gives its segments.
  struct Code {
    std::uint64_t address;
    std::span<const char> bytes;
  };
  std::vector<Code> code() const;

  // Where functions begin, sorted. Some may be missing. They come from the table that exceptions
  // are unwound with, which a stripped file has as well.
  std::vector<std::uint64_t> function_starts() const;

 private:
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::span<const char> piece(std::uint64_t offset, std::uint64_t size) const;
  std::string_view text(std::uint64_t offset) const;
  std::uint64_t dynamic(Elf64_Sxword tag) const;
  std::string_view dynamic_text(std::uint64_t place) const;
  std::optional<std::uint64_t> file_offset(std::uint64_t address) const;
  std::uint64_t dynamic_symbols() const;

  std::span<const char> bytes_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Dyn> dynamic_;
};

}  // namespace mazur
