#include "machine/native/hooks/atomic_functions.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstring>

#include "machine/native/engine/atomic_block.h"
#include "machine/native/memory/raw.h"
#include "machine/native/system/property.h"

namespace mazur::native {

bool has_atomic_functions = false;

namespace {

constexpr std::size_t kMost = 256;
struct Range {
  std::uint64_t begin, end;
};
Range ranges[kMost];
std::size_t count = 0;

bool is_atomic_name(const char* name) {
  const char* found = std::strstr(name, "__VERIFIER_atomic_");
  return found != nullptr && std::strcmp(found, "__VERIFIER_atomic_begin") != 0 &&
         std::strcmp(found, "__VERIFIER_atomic_end") != 0;
}

void look_through(const char* file, std::size_t size, std::uint64_t load_address) {
  const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(file);
  if (size < sizeof header || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_shoff + std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr) > size)
    return;
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(file + header.e_shoff);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr& table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum ||
        table.sh_offset + table.sh_size > size)
      continue;
    const Elf64_Shdr& names = sections[table.sh_link];
    if (names.sh_offset + names.sh_size > size) continue;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(file + table.sh_offset);
    for (std::size_t k = 0; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
      const Elf64_Sym& s = symbols[k];
      if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || s.st_size == 0 || s.st_name >= names.sh_size)
        continue;
      const char* name = file + names.sh_offset + s.st_name;
      note_function(name, load_address + s.st_value);
      if (!is_atomic_name(name)) continue;
      if (count == kMost) die("the program has more than 256 functions __VERIFIER_atomic_*");
      const std::uint64_t at = load_address + s.st_value;
      ranges[count++] = {at, at + s.st_size};
    }
  }
}

}  // namespace

void find_atomic_functions(std::uint64_t load_address) {
  const long fd =
      raw_syscall(SYS_open, reinterpret_cast<long>("/proc/self/exe"), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat status {};
  if (raw_syscall(SYS_fstat, fd, reinterpret_cast<long>(&status)) == 0 && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    const long file =
        raw_syscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ, MAP_PRIVATE, fd, 0);
    if (file > 0 || file < -4096) {
      look_through(reinterpret_cast<const char*>(file), size, load_address);
      raw_syscall(SYS_munmap, file, static_cast<long>(size));
    }
  }
  raw_syscall(SYS_close, fd);
  has_atomic_functions = count != 0;
  all_functions_noted();
}

void function_entered(const void* pc) {
  if (note_call_in_block()) return;
  const auto at = reinterpret_cast<std::uint64_t>(pc);
  for (std::size_t i = 0; i < count; ++i)
    if (ranges[i].begin <= at && at < ranges[i].end) return begin_function_block(pc);
}

void function_left() { note_return_in_block(); }

}  // namespace mazur::native
