// The commands of `mazur`. Each takes the words after its name, returns the exit code and may throw
// UsageError.
#pragma once

#include <string>
#include <vector>

#include "cli/build/toolchain.h"

namespace mazur {

using Arguments = std::vector<std::string>;

int check_command(const Arguments& arguments);
int test_command(const Arguments& arguments);
int replay_command(const Arguments& arguments);
int show_command(const Arguments& arguments);
int compile_command(Language language, const Arguments& arguments);
int worker_command(const Arguments& arguments);
int status_command(const Arguments& arguments);
int watch_command(const Arguments& arguments);
int doctor_command(const Arguments& arguments);

}  // namespace mazur
