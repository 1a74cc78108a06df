// What the loader has brought into this process: the program first, then its libraries, the runtime
// itself and the kernel's vdso. Allocates nothing: also asked by signal handlers.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>

#include "base/function_ref.h"

namespace mazur::native {

// [begin, end); empty if there is no such thing.
struct LoadedRange {
  std::uintptr_t begin = 0, end = 0;
  bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

// A loaded segment.
struct Segment : LoadedRange {
  std::uintptr_t file_end = 0;  // what lies behind it does not come from the file
  ElfW(Word) flags = 0;         // PF_R, PF_W, PF_X
  bool is_code() const { return (flags & PF_X) != 0; }
  bool is_writable() const { return (flags & PF_W) != 0; }
};

class LoadedObject {
 public:
  LoadedObject(const dl_phdr_info& info, bool is_program) : info_(info), is_program_(is_program) {}

  bool is_program() const { return is_program_; }
  // The path of its file; for the program and the vdso what the loader says.
  const char* name() const { return info_.dlpi_name; }
  bool is_named(const char* part) const;
  // What to add to an address in its file to get the one in memory.
  std::uintptr_t base() const { return info_.dlpi_addr; }

  // From its first segment to its last one.
  LoadedRange extent() const;
  LoadedRange code() const;  // the last segment with code
  LoadedRange dynamic_section() const { return range_of(PT_DYNAMIC); }
  // What the loader made read-only after relocation.
  LoadedRange relro() const { return range_of(PT_GNU_RELRO); }
  // The calling thread's block of its thread-local variables.
  LoadedRange thread_locals() const;

  template <typename Visit>
  void for_each_segment(Visit&& visit) const {
    for (int i = 0; i < info_.dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info_.dlpi_phdr[i];
      const std::uintptr_t begin = info_.dlpi_addr + header.p_vaddr;
      if (header.p_type == PT_LOAD)
        visit(Segment{{begin, begin + header.p_memsz}, begin + header.p_filesz, header.p_flags});
    }
  }

 private:
  LoadedRange range_of(ElfW(Word) type) const;

  const dl_phdr_info& info_;
  bool is_program_;
};

// Calls visit(object) for one after the other, until it returns true.
void visit_loaded_objects(FunctionRef<bool(const LoadedObject&)> visit);

}  // namespace mazur::native
