// The compilers, and what has to be added to their command lines so that our runtime sees every
// access of the program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/build/installation.h"

namespace mazur {

enum class Compiler { kGcc, kClang };
enum class Language { kC, kCxx };

// "g++", "clang", ...: looked up in PATH.
std::string driver_name(Compiler compiler, Language language);

// The command that runs the real compiler on these arguments with instrumentation. Questions to the
// compiler (--version, -v, -print-..., no input at all) pass unchanged, because build systems
// examine a compiler by them. `directory`: where it will run; empty: here.
std::vector<std::string> compiler_command(Compiler compiler, Language language,
                                          std::span<const std::string> arguments,
                                          const Installation& installation,
                                          const std::filesystem::path& directory = {});

// Whether a source among the arguments has functions that are atomic blocks (__VERIFIER_atomic_*,
// SV-COMP). Reads the sources.
bool has_atomic_functions(std::span<const std::string> arguments,
                          const std::filesystem::path& directory);

// Whether a flag among them says how to optimise.
bool chooses_optimisation(std::span<const std::string> flags);

// Whether a compiler flag takes its value as the next word (-I dir).
bool takes_next_word(std::string_view flag);

}  // namespace mazur
