// What can be told about a program from its file.
#pragma once

#include <filesystem>
#include <span>

namespace mazur {

enum class Instrumentation {
  kPresent,       // needs libtsan.so.2: our runtime can take its place
  kNone,          // an executable without instrumentation
  kOtherRuntime,  // instrumented, with a runtime that is linked into it or has another name
  kNotX86,        // an ELF file for another machine
  kNotProgram,    // an ELF file that is no program (an object file, a core dump)
  kNotElf,
};

// Never reads outside of the bytes.
Instrumentation examine_elf(std::span<const char> bytes);

// Throws UsageError with one sentence, which says how to build the program, unless the file is a
// program that can be checked.
void require_checkable(const std::filesystem::path& program);

}  // namespace mazur
