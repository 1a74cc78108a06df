// Which file in PATH a compiler's name stands for.
//
// A script named g++ that calls `mazur c++` may come first in PATH, so that whole builds are
// instrumented. `mazur c++` then finds that script under the name of the compiler it needs. So the
// files that were started on the way here are noted in the environment, and not started again.
#pragma once

#include <string>
#include <vector>

namespace mazur {

// The command with the compiler to start as its first word: as it is if nothing stands in the way,
// else the path of the next file of that name. Other programs are left alone. `tried` becomes the
// value of kTriedCompilers for the started process, or stays empty. Throws UsageError if all files
// of the name lead back here.
std::vector<std::string> beyond_shims(std::vector<std::string> command, std::string& tried);

inline constexpr char kTriedCompilers[] = "MAZUR_TRIED_COMPILERS";

}  // namespace mazur
