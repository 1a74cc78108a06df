#include "cli/subject/subject.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/build/build.h"
#include "cli/build/executable.h"

namespace mazur {

Subject make_subject(const CheckOptions& options, const Installation& installation) {
  Subject subject;
  if (!options.executable.empty()) {
    require_checkable(options.executable);
    subject.program = std::filesystem::absolute(options.executable).lexically_normal();
    return subject;
  }
  subject.recipe = make_recipe(options.compiler, options.sources, options.flags);
  const Build build = plan_build(options.compiler, options.sources, options.flags, installation,
                                 subject.recipe.directory);
  std::filesystem::path folder;
  if (options.build_dir.empty()) {
    subject.folder = std::make_unique<TemporaryFolder>();
    folder = subject.folder->path();
  } else {
    folder = std::filesystem::absolute(options.build_dir);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw UsageError(fmt::format("the folder '{}' cannot be made.", options.build_dir));
  }
  const auto program = run_build(build, folder);
  if (!program)
    throw UsageError("the program does not build; the compiler's messages above say why.");
  require_checkable(*program);
  subject.program = *program;
  return subject;
}

std::string named(const CheckOptions& options) {
  return options.sources.empty() ? options.executable
                                 : fmt::format("{}", fmt::join(options.sources, " "));
}

std::vector<std::string> needed_files(const CheckOptions& options) {
  std::vector<std::string> files = options.sources;
  for (const std::string& flag : options.flags)
    if (!flag.starts_with('-')) files.push_back(flag);  // objects and libraries, too
  files.insert(files.end(), {options.executable, options.model, options.ledger, options.witness,
                             options.request.suppressions});
  return files;
}

Progress progress_of(const CheckOptions& options) {
  if (options.common.quiet) return Progress::kNone;
  if (isatty(STDERR_FILENO) == 1) return Progress::kLine;
  return options.progress ? Progress::kLines : Progress::kNone;
}

}  // namespace mazur
