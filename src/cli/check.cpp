// mazur check: compile, explore, report.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/hash.h"
#include "cli/build/build.h"
#include "cli/build/executable.h"
#include "cli/commands.h"
#include "cli/crew/parallel_run.h"
#include "cli/deliver.h"
#include "cli/dlang_run.h"
#include "cli/findings.h"
#include "cli/ledger/ledger_run.h"
#include "cli/options/check_options.h"
#include "cli/run/program_run.h"
#include "cli/run/temporary_folder.h"
#include "cli/run/unseen_code.h"
#include "cli/svcomp.h"
#include "cli/weaken.h"
#include "report/findings/files.h"
#include "report/orders/order_advice.h"

namespace mazur {
namespace {

// The program to check, and how it was made if we made it.
struct Subject {
  std::filesystem::path program;
  Recipe recipe;  // empty: it was there
  std::unique_ptr<TemporaryFolder> folder;
};

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

// A terminal shows how far it is; a file or a pipe is told only if that was asked for.
Progress progress_of(const CheckOptions& options) {
  if (options.common.quiet) return Progress::kNone;
  if (isatty(STDERR_FILENO) == 1) return Progress::kLine;
  return options.progress ? Progress::kLines : Progress::kNone;
}

// What is checked, in the user's words.
std::string named(const CheckOptions& options) {
  return options.sources.empty() ? options.executable
                                 : fmt::format("{}", fmt::join(options.sources, " "));
}

// What a report must not be written over.
std::vector<std::string> needed_files(const CheckOptions& options) {
  std::vector<std::string> files = options.sources;
  for (const std::string& flag : options.flags)
    if (!flag.starts_with('-')) files.push_back(flag);  // objects and libraries, too
  files.insert(files.end(), {options.executable, options.model, options.ledger, options.witness,
                             options.request.suppressions});
  return files;
}

// Writes a trace file for every finding and notes its name there.
void write_traces(Result& result, const CheckOptions& options, const Subject& subject) {
  const auto bytes = read_file(subject.program);
  TraceFile file;
  file.recipe = subject.recipe;
  file.program =
      subject.recipe.empty() ? subject.program.string() : subject.program.filename().string();
  file.program_hash = bytes ? fnv1a(*bytes) : 0;
  file.arguments = options.arguments;
  file.directory = std::filesystem::current_path().string();
  file.algorithm = result.algorithm;
  file.isolation = options.request.isolation;
  file.memory = options.request.explorer.memory;
  file.races = options.request.races;
  file.loops_wait = options.request.watch_loops != 0;
  file.max_steps = options.request.bounds.max_steps;
  file.suppressions = options.request.suppressions;
  file.timeouts = options.request.timeouts;
  file.nondet_given = options.request.nondet_given != 0;
  file.nondet_lowest = options.request.nondet_lowest;
  file.nondet_highest = options.request.nondet_highest;
  file.property = options.request.property;
  file.property_function = options.request.property_function;
  const std::string prefix = !options.trace_prefix.empty() ? options.trace_prefix
                             : options.model.empty()       ? subject.program.filename().string()
                                                           : subject.program.stem().string();
  const std::filesystem::path folder = options.trace_dir;
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const std::string name = (folder / fmt::format("{}-{}.trace", prefix, i + 1)).string();
    file.finding = result.findings[i];
    if (write_file(name, encode_trace(file))) {
      result.findings[i].trace = name;
    } else {
      fmt::print(stderr, "mazur: the trace file '{}' could not be written.\n", name);
    }
  }
}

int check_model(const CheckOptions& options) {
  const DlangSubject model = load_dlang(options.model);
  Result result = check_dlang(model, options.request, progress_of(options));
  name_subject(result, options.model, options.arguments);
  result.memory = options.request.explorer.memory;
  const Subject subject{.program = model.file, .recipe = {}, .folder = nullptr};
  if (options.write_traces) write_traces(result, options, subject);
  return deliver(result, options.common);
}

}  // namespace

int check_command(const Arguments& arguments) {
  bool help = false;
  const CheckOptions options = parse_check(arguments, help);
  if (help) {
    std::fputs(check_help().c_str(), stdout);
    return 0;
  }
  require_outputs(options.common, needed_files(options));
  if (!options.model.empty()) return check_model(options);
  const Installation installation = find_installation();
  const Subject subject = make_subject(options, installation);
  ProgramRun run{.program = subject.program,
                 .arguments = options.arguments,
                 .directory = {},
                 .request = options.request,
                 .replay = {},
                 .output_to_stderr = options.common.takes_stdout(),
                 .progress = progress_of(options),
                 .trust = options.trust};
  run.request.list_modules = 1;
  LedgerEnd whole;
  if (!options.ledger.empty()) whole = run_with_ledger(run, options, installation);
  ProgramEnd end = !options.ledger.empty() ? std::move(whole.end)
                   : options.jobs > 1
                       ? run_in_parallel(run, options.jobs, options.first, installation)
                       : run_program(run, installation);
  Result result = make_result(end, options.request.algorithm);
  name_subject(result, named(options), options.arguments);
  result.memory = options.request.explorer.memory;
  result.spurious_wakeups = options.request.spurious_wakeups;
  advise_on_orders(result);
  for (const std::string& name : without_module(options.trust, end.modules))
    fmt::print(stderr, "mazur: --trust={} names nothing that is loaded into the program.\n", name);
  consider_modules(result, end.modules);
  if (options.weaken && result.verdict == Verdict::kVerified)
    result.weakening = weaken(run, end, installation);
  result.weakening.asked = options.weaken;
  if (options.write_traces) write_traces(result, options, subject);
  answer_svcomp(result, options);
  const int code = deliver(result, options.common);
  if (!options.ledger.empty() && !whole.over && !options.common.quiet)
    fmt::print(stderr, "mazur: not all is explored yet: the same command goes on.\n");
  return code;
}

}  // namespace mazur
