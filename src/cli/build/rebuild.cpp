#include "cli/build/rebuild.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "base/hash.h"
#include "cli/build/known_flags.h"
#include "cli/build/own_ground.h"
#include "cli/run/process.h"
#include "cli/usage.h"
#include "report/findings/files.h"
#include "report/printable.h"

namespace mazur {
namespace {

constexpr std::string_view kOtherwise =
    "build the program yourself and name it with --program=PATH";

// An argument that can name no file elsewhere.
bool is_plain_argument(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,: ";
  return word.find_first_not_of(kPlain) == std::string_view::npos &&
         word.find("..") == std::string_view::npos && word != ".";
}

class Planner {
 public:
  Planner(const TraceFile& file, const std::string& name) : file_(file), name_(name) {}

  ReplayPlan plan(const Installation& installation) {
    if (file_.has_commands)
      throw UsageError(
          fmt::format("'{}' was written by an older Mazur and lists commands, which are "
                      "not run any more: {}, or check it again.",
                      name_, kOtherwise));
    if (file_.recipe.empty())
      judge_executable();
    else
      judge_recipe(installation);
    judge_run();
    return std::move(plan_);
  }

 private:
  std::filesystem::path built_at(const std::string& path) const {
    return std::filesystem::path(file_.recipe.directory) / path;
  }
  void doubt(std::string clause) { plan_.doubts.push_back(printable(clause)); }

  // A file is the user's own and as it was.
  void judge_file(const std::filesystem::path& path, const std::string& shown, std::uint64_t hash) {
    if (!ground_.holds(path)) {
      doubt(fmt::format("'{}' is not below the current folder, or somebody else's", shown));
      return;
    }
    const auto contents = read_regular_file(path);
    if (!contents)
      doubt(fmt::format("'{}' is gone or no file", shown));
    else if (fnv1a(*contents) != hash)
      doubt(fmt::format("'{}' has changed since the trace was written", shown));
  }

  void judge_executable() {
    std::error_code error;
    plan_.program = std::filesystem::weakly_canonical(file_.program, error);
    if (error || plan_.program.empty()) plan_.program = file_.program;
    if (!std::filesystem::path(file_.program).is_absolute())
      throw UsageError(
          fmt::format("'{}' does not say where its program lies: name it with "
                      "--program=PATH.",
                      name_));
    if (!std::filesystem::exists(plan_.program, error))
      throw UsageError(
          fmt::format("there is no file '{}'; another program can be named with "
                      "--program=PATH.",
                      file_.program));
    judge_file(plan_.program, file_.program, file_.program_hash);
    show_run(plan_.program.string());
  }

  [[noreturn]] void refuse(std::string_view what, std::string_view why) const {
    throw UsageError(fmt::format("nothing is built for '{}': {} {}; {}.", name_,
                                 shell_quoted({std::string(what)}), why, kOtherwise));
  }

  void judge_recipe(const Installation& installation) {
    const Recipe& recipe = file_.recipe;
    if (!std::filesystem::path(recipe.directory).is_absolute() ||
        has_control_characters(recipe.directory))
      refuse(recipe.directory, "is no folder that a program was built in");
    std::error_code error;
    if (!std::filesystem::is_directory(recipe.directory, error))
      throw UsageError(
          fmt::format("the folder '{}', where the program was built, is gone.", recipe.directory));
    if (!ground_.holds(recipe.directory))
      doubt(fmt::format("it was built in '{}', which is not below the current folder",
                        recipe.directory));
    std::vector<std::string> sources;
    for (const RecordedFile& source : recipe.sources) {
      // Words that a compiler takes for something else than a file.
      if (source.path.empty() || source.path[0] == '-' || source.path[0] == '@' ||
          !is_source(source.path) || has_control_characters(source.path))
        refuse(source.path, "is no name of a source file");
      if (!std::filesystem::exists(built_at(source.path), error))
        throw UsageError(fmt::format("the source '{}' is gone: {}.", source.path, kOtherwise));
      judge_file(built_at(source.path), source.path, source.hash);
      sources.push_back(source.path);
    }
    judge_flags();
    const Compiler compiler = recipe.compiler == "clang" ? Compiler::kClang : Compiler::kGcc;
    plan_.build = plan_build(compiler, sources, recipe.flags, installation, recipe.directory);
    for (const auto& command : plan_.build.compile) show(command, recipe.directory);
    show(plan_.build.link, recipe.directory);
    show_run(plan_.build.output);
  }

  void judge_flags() {
    for (const KnownFlag& flag : known_flags(file_.recipe.flags)) {
      switch (flag.kind) {
        case KnownFlag::Kind::kHarmless:
          break;
        case KnownFlag::Kind::kRefused:
          refuse(flag.text, "is a flag that is not known to be harmless");
        case KnownFlag::Kind::kCode:
          doubt(fmt::format("{} can put any code into the program", shell_quoted({flag.text})));
          break;
        case KnownFlag::Kind::kFolder:
          if (!ground_.holds_or_system(built_at(flag.path)))
            doubt(
                fmt::format("the folder of {} is neither below the current folder nor the system's",
                            shell_quoted({flag.text})));
          break;
        case KnownFlag::Kind::kFile:
          judge_input(flag.path);
          break;
      }
    }
  }

  // What is linked, or included before the source.
  void judge_input(const std::string& path) {
    const auto& objects = file_.recipe.objects;
    const auto recorded = std::find_if(objects.begin(), objects.end(),
                                       [&](const RecordedFile& file) { return file.path == path; });
    if (recorded == objects.end())
      doubt(fmt::format("the trace does not say what was in '{}'", path));
    else
      judge_file(built_at(path), path, recorded->hash);
  }

  // How the program would be called.
  void judge_run() {
    std::error_code error;
    if (std::filesystem::is_directory(file_.directory, error) && !ground_.holds(file_.directory))
      doubt(fmt::format("it would run in '{}', which is not below the current folder",
                        file_.directory));
    for (const std::string& word : file_.arguments)
      if (!is_plain_argument(word))
        doubt(fmt::format("it would get the argument {}", shell_quoted({word})));
  }

  void show_run(const std::string& program) {
    std::vector<std::string> command{program};
    command.insert(command.end(), file_.arguments.begin(), file_.arguments.end());
    show(command, file_.directory);
  }
  void show(const std::vector<std::string>& command, const std::string& folder) {
    plan_.commands.push_back(
        printable(fmt::format("cd {} && {}", shell_quoted({folder}), shell_quoted(command))));
  }

  const TraceFile& file_;
  const std::string& name_;
  const OwnGround ground_;
  ReplayPlan plan_;
};

bool somebody_agrees(std::string_view question) {
  fmt::print(stderr, "{} [y/N] ", question);
  std::fflush(stderr);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

ReplayPlan plan_replay(const TraceFile& file, const std::string& name,
                       const Installation& installation) {
  return Planner(file, name).plan(installation);
}

void require_consent(const ReplayPlan& plan, const std::string& name, bool agreed) {
  if (plan.doubts.empty()) return;
  const bool builds = !plan.build.empty();
  fmt::print(stderr, "mazur: '{}' asks for this to be run:\n", printable(name));
  for (const std::string& command : plan.commands) fmt::print(stderr, "    {}\n", command);
  for (const std::string& clause : plan.doubts) fmt::print(stderr, "  - {}\n", clause);
  if (agreed) return;
  const char* const action = builds ? "build and run" : "run";
  if (isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1) {
    if (somebody_agrees(fmt::format("Shall Mazur {} it?", action))) return;
    throw UsageError("nothing was run.");
  }
  throw UsageError(fmt::format("nothing was run, because {}: {} if you trust what is listed above.",
                               plan.doubts.front(),
                               builds ? "say --rebuild" : "name the program with --program=PATH"));
}

}  // namespace mazur
