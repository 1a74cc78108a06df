// The classes of the files that are loaded into a checked program: how far Mazur sees what their
// code does between threads (docs/modules.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "modules/fact_cache.h"

namespace mazur {

enum class ModuleClass : std::uint8_t {
  kInstrumented,  // compiled for Mazur: it calls the runtime's hooks
  kKnown,         // what it does between threads is modelled: the C and C++ libraries, the runtime
  kQuiet,         // its code does nothing between threads that could be found
  kUnseen,        // the rest
};
std::string_view name_of(ModuleClass kind);

struct ModuleFacts {
  ModuleClass kind = ModuleClass::kUnseen;
  std::string soname;  // may be empty
  bool readable = false;
  Instructions instructions;         // none for a known module, which is not looked at
  std::vector<std::string> imports;  // functions that create threads, lock, wait or find functions
};

// What the bytes of a file say about it.
ModuleFacts facts_of_bytes(std::span<const char> bytes, const FactCache& cache);

// The same for a file. A known module is recognised by its name and is not read. A file that cannot
// be read is unseen.
ModuleFacts facts_of(const std::filesystem::path& path, const FactCache& cache);

// "155 atomic instructions, 1 system call": what makes a module unseen.
std::string why_unseen(const ModuleFacts& facts);

// Whether a user who says `given` means this module: by the name of its file or its soname, with or
// without the version behind ".so". A "*" at the end stands for anything.
bool is_named(std::string_view given, const std::filesystem::path& path, std::string_view soname);

}  // namespace mazur
