#include "modules/elf_file.h"

#include <algorithm>

namespace mazur {
namespace {

constexpr std::uint64_t kMostSymbols = 1u << 24;

std::uint64_t rounded_up(std::uint64_t value) { return (value + 3) & ~std::uint64_t{3}; }

}  // namespace

ElfFile::ElfFile(std::span<const char> bytes) : bytes_(bytes) {
  header_ = at<Elf64_Ehdr>(0).value_or(Elf64_Ehdr{});
  for (std::size_t i = 0; i < header_.e_phnum; ++i)
    if (const auto segment = at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)))
      segments_.push_back(*segment);
  if (header_.e_shoff != 0)
    for (std::size_t i = 0; i < header_.e_shnum; ++i)
      if (const auto section = at<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr)))
        sections_.push_back(*section);
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t i = 0; i < segment.p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) break;
      dynamic_.push_back(*entry);
    }
  }
}

bool ElfFile::is_x86_64() const {
  return bytes_.size() >= sizeof header_ && std::memcmp(bytes_.data(), ELFMAG, SELFMAG) == 0 &&
         bytes_[EI_CLASS] == ELFCLASS64 && bytes_[EI_DATA] == ELFDATA2LSB &&
         header_.e_machine == EM_X86_64;
}

bool ElfFile::has_interpreter() const {
  return std::any_of(segments_.begin(), segments_.end(),
                     [](const Elf64_Phdr& segment) { return segment.p_type == PT_INTERP; });
}

bool ElfFile::mentions(std::string_view word) const {
  return std::string_view(bytes_.data(), bytes_.size()).find(word) != std::string_view::npos;
}

std::vector<std::string_view> ElfFile::needed() const {
  std::vector<std::string_view> names;
  for (const Elf64_Dyn& entry : dynamic_)
    if (entry.d_tag == DT_NEEDED) names.push_back(dynamic_text(entry.d_un.d_val));
  return names;
}

std::string_view ElfFile::soname() const {
  for (const Elf64_Dyn& entry : dynamic_)
    if (entry.d_tag == DT_SONAME) return dynamic_text(entry.d_un.d_val);
  return {};
}

// How many entries of the dynamic symbol table can be undefined. GNU's hash table does not say how
// many symbols there are, but it has all defined ones, and they come last.
std::uint64_t ElfFile::dynamic_symbols() const {
  if (const auto table = file_offset(dynamic(DT_HASH)); table && dynamic(DT_HASH) != 0)
    if (const auto chains = at<std::uint32_t>(*table + 4)) return *chains;
  if (const auto table = file_offset(dynamic(DT_GNU_HASH)); table && dynamic(DT_GNU_HASH) != 0)
    if (const auto first_hashed = at<std::uint32_t>(*table + 4)) return *first_hashed;
  return 0;
}

std::vector<std::string_view> ElfFile::undefined() const {
  std::vector<std::string_view> names;
  const auto table = file_offset(dynamic(DT_SYMTAB));
  if (!table) return names;
  const std::uint64_t count = std::min(dynamic_symbols(), kMostSymbols);
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto symbol = at<Elf64_Sym>(*table + i * sizeof(Elf64_Sym));
    if (!symbol) break;
    if (symbol->st_shndx == SHN_UNDEF) names.push_back(dynamic_text(symbol->st_name));
  }
  return names;
}

std::string ElfFile::build_id() const {
  constexpr std::uint32_t kBuildId = 3;  // NT_GNU_BUILD_ID
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_NOTE) continue;
    const auto notes = piece(segment.p_offset, segment.p_filesz);
    for (std::uint64_t here = 0; notes.size() - here >= sizeof(Elf64_Nhdr);) {
      Elf64_Nhdr note;
      std::memcpy(&note, notes.data() + here, sizeof note);
      const std::uint64_t name = here + sizeof note;
      const std::uint64_t contents = name + rounded_up(note.n_namesz);
      const std::uint64_t end = contents + rounded_up(note.n_descsz);
      if (end > notes.size()) break;
      if (note.n_type == kBuildId && note.n_namesz == 4 && note.n_descsz <= 64 &&
          std::memcmp(notes.data() + name, "GNU", 4) == 0) {
        static constexpr char kDigits[] = "0123456789abcdef";
        std::string id;
        for (const char c : notes.subspan(contents, note.n_descsz)) {
          id += kDigits[static_cast<unsigned char>(c) >> 4];
          id += kDigits[static_cast<unsigned char>(c) & 15];
        }
        return id;
      }
      here = end;
    }
  }
  return {};
}

std::vector<ElfFile::Code> ElfFile::code() const {
  std::vector<Code> list;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const std::size_t before = list.size();
    for (const Elf64_Shdr& section : sections_) {
      if ((section.sh_flags & SHF_EXECINSTR) == 0 || section.sh_type == SHT_NOBITS) continue;
      if (section.sh_addr < segment.p_vaddr ||
          section.sh_addr - segment.p_vaddr >= segment.p_filesz)
        continue;
      list.push_back({section.sh_addr, piece(section.sh_offset, section.sh_size)});
    }
    if (list.size() == before)
      list.push_back({segment.p_vaddr, piece(segment.p_offset, segment.p_filesz)});
  }
  std::sort(list.begin(), list.end(),
            [](const Code& a, const Code& b) { return a.address < b.address; });
  // If sections could overlap, a small file could make endless work.
  std::uint64_t end = 0;
  for (Code& code : list) {
    const std::uint64_t twice =
        std::min<std::uint64_t>(end > code.address ? end - code.address : 0, code.bytes.size());
    code.address += twice;
    code.bytes = code.bytes.subspan(twice);
    end = std::max(end, code.address + code.bytes.size());
  }
  return list;
}

std::vector<std::uint64_t> ElfFile::function_starts() const {
  std::vector<std::uint64_t> starts;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_GNU_EH_FRAME) continue;
    // Version 1, and the encodings that linkers use: pointers of 4 bytes, the table's relative to
    // its header.
    constexpr std::uint32_t kEncodings = 0x3b031b01;
    const auto encodings = at<std::uint32_t>(segment.p_offset);
    const auto count = at<std::uint32_t>(segment.p_offset + 8);
    if (!encodings || *encodings != kEncodings || !count) continue;
    const auto table = piece(segment.p_offset + 12, std::uint64_t{*count} * 8);
    for (std::size_t i = 0; i + 8 <= table.size(); i += 8) {
      std::int32_t start = 0;
      std::memcpy(&start, table.data() + i, sizeof start);
      starts.push_back(segment.p_vaddr +
                       static_cast<std::uint64_t>(static_cast<std::int64_t>(start)));
    }
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

std::span<const char> ElfFile::piece(std::uint64_t offset, std::uint64_t size) const {
  if (offset >= bytes_.size()) return {};
  return bytes_.subspan(offset, std::min<std::uint64_t>(size, bytes_.size() - offset));
}

std::string_view ElfFile::text(std::uint64_t offset) const {
  if (offset >= bytes_.size()) return {};
  const char* begin = bytes_.data() + offset;
  return {begin, strnlen(begin, bytes_.size() - offset)};
}

std::uint64_t ElfFile::dynamic(Elf64_Sxword tag) const {
  for (const Elf64_Dyn& entry : dynamic_)
    if (entry.d_tag == tag) return entry.d_un.d_val;
  return 0;
}

std::string_view ElfFile::dynamic_text(std::uint64_t place) const {
  const auto table = file_offset(dynamic(DT_STRTAB));
  return table && place < bytes_.size() ? text(*table + place) : std::string_view{};
}

std::optional<std::uint64_t> ElfFile::file_offset(std::uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

}  // namespace mazur
