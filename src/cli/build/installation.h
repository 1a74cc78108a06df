// Where the parts of Mazur lie. A build folder and an installation look the same:
//   bin/mazur, lib/mazur/libtsan.so.2 (the runtime), include/mazur/ (for programs under test).
#pragma once

#include <filesystem>

namespace mazur {

struct Installation {
  std::filesystem::path binary;   // this program
  std::filesystem::path runtime;  // the folder of libtsan.so.2
  std::filesystem::path include;  // for -I
};

// Found from /proc/self/exe.
Installation find_installation();

inline constexpr char kRuntimeName[] = "libtsan.so.2";
inline constexpr char kVerifierName[] = "libmazur_verifier.a";  // beside the runtime

}  // namespace mazur
