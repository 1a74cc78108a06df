// What `mazur check` and `mazur test` are about: a program that is there, or one that they build.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/build/installation.h"
#include "cli/options/check_options.h"
#include "cli/run/progress_line.h"
#include "cli/run/temporary_folder.h"
#include "report/findings/trace_file.h"

namespace mazur {

// The program to check, and how it was made if we made it.
struct Subject {
  std::filesystem::path program;
  Recipe recipe;  // empty: it was there
  std::unique_ptr<TemporaryFolder> folder;
};

// Builds it if it has to. Throws UsageError unless the program can be checked.
Subject make_subject(const CheckOptions& options, const Installation& installation);

// What is checked, in the user's words.
std::string named(const CheckOptions& options);

// Files of the user's that the run needs, and that a report must not be written over.
std::vector<std::string> needed_files(const CheckOptions& options);

// A terminal shows how far it is; a file or a pipe is told only if that was asked for.
Progress progress_of(const CheckOptions& options);

}  // namespace mazur
