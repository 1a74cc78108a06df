// mazur replay: run the schedule of a trace file again.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

#include "base/hash.h"
#include "cli/build/executable.h"
#include "cli/build/rebuild.h"
#include "cli/commands.h"
#include "cli/dlang_run.h"
#include "cli/options/common_options.h"
#include "cli/result/deliver.h"
#include "cli/result/findings.h"
#include "cli/run/program_run.h"
#include "cli/run/temporary_folder.h"
#include "cli/trace_argument.h"
#include "protocol/request.h"
#include "report/findings/files.h"
#include "report/findings/names.h"
#include "report/orders/order_advice.h"

namespace mazur {
namespace {

struct ReplayOptions {
  CommonOptions common;
  bool gdb = false;
  std::uint64_t times = 1;
  bool rebuild = false;  // also from sources that have changed or lie elsewhere
  std::string program;   // replaces that of the trace; empty: none was named
};

const std::vector<Option<ReplayOptions>>& option_table() {
  static const std::vector<Option<ReplayOptions>> table = [] {
    std::vector<Option<ReplayOptions>> rows = {
        {"gdb", "", "run it in gdb, which stops before the failing step",
         [](ReplayOptions& to, const std::string&) { to.gdb = true; }},
        {"times", "N", "run it N times in one process: the error must show each time (default: 1)",
         [](ReplayOptions& to, const std::string& value) {
           to.times = parse_count("times", value, 1);
         }},
        {"rebuild", "", "build and run it without asking, also from sources that have changed",
         [](ReplayOptions& to, const std::string&) { to.rebuild = true; }},
        {"program", "PATH", "run the schedule on this program, in the current folder",
         [](ReplayOptions& to, const std::string& value) {
           if (value.empty()) throw UsageError("--program takes the name of an executable.");
           to.program = value;
         }}};
    add_common_options(rows);
    return rows;
  }();
  return table;
}

// The program of the trace: the one that the user names, the one that lies there, or one that is
// built again. Nothing is run that only the trace file asks for (cli/build/rebuild.h).
std::filesystem::path find_program(const TraceFile& file, const std::string& name,
                                   const ReplayOptions& options, const Installation& installation,
                                   const std::filesystem::path& folder) {
  if (!options.program.empty()) {
    require_checkable(options.program);
    return std::filesystem::absolute(options.program).lexically_normal();
  }
  const ReplayPlan plan = plan_replay(file, name, installation);
  require_consent(plan, name, options.rebuild && !plan.build.empty());
  std::filesystem::path program = plan.program;
  if (!plan.build.empty()) {
    const auto built = run_build(plan.build, folder);
    if (!built)
      throw UsageError("the program does not build any more; the compiler's messages say why.");
    program = *built;
  }
  require_checkable(program);
  return program;
}

// The failing step shows the same error at the same line.
bool same_error(const Finding& now, const Finding& then) {
  return now.record.kind == then.record.kind &&
         now.places.where(now.record.stack).line == then.places.where(then.record.stack).line;
}

void say_if_changed(bool changed, const std::string& name) {
  if (changed) fmt::print(stderr, "mazur: the program has changed since '{}' was written.\n", name);
}

// Whether the replay showed what the trace is about; prints it. Returns the exit code.
int judge(Result result, const TraceFile& file, const std::string& name, bool changed,
          const CommonOptions& options) {
  for (Finding& finding : result.findings) {
    finding.trace = name;
    finding.hint = file.finding.hint;
  }
  name_subject(result, name, file.arguments);
  result.memory = file.memory;
  advise_on_orders(result);
  if (result.verdict == Verdict::kBug) {
    if (!result.findings.empty() && !same_error(result.findings.front(), file.finding)) {
      result.verdict = Verdict::kUnsupported;
      result.reason = fmt::format("the schedule leads to another error ({}) than the recorded {}",
                                  kind_name(result.findings.front().record.kind),
                                  kind_name(file.finding.record.kind));
    }
  } else if (result.verdict == Verdict::kVerified || result.verdict == Verdict::kIncomplete) {
    result.verdict = Verdict::kUnsupported;
    result.reason = "the trace does not fit the program: the schedule ran without the error";
  }
  if (result.verdict == Verdict::kUnsupported && changed)
    result.reason += " (the program has changed since the trace was written)";
  return deliver(result, options);
}

int replay_model(const TraceFile& file, const std::string& name, const ReplayOptions& options) {
  if (!options.program.empty())
    throw UsageError("--program is for executables; this is the trace of a dlang program.");
  if (options.gdb)
    throw UsageError("gdb cannot run a dlang program; 'mazur show' prints the steps.");
  const DlangSubject model = load_dlang(file.program);
  const bool changed = fnv1a(model.program.source) != file.program_hash;
  say_if_changed(changed, name);
  Request request;
  request.bounds.max_steps = file.max_steps;
  Result result = replay_dlang(model, file.finding.record.events, request);
  for (std::uint64_t n = 1; n < options.times && result.verdict == Verdict::kBug; ++n)
    result = replay_dlang(model, file.finding.record.events, request);
  return judge(std::move(result), file, name, changed, options.common);
}

}  // namespace

int replay_command(const Arguments& arguments) {
  ReplayOptions options;
  const Words words = parse_options("mazur replay", option_table(), arguments, options);
  if (words.help) {
    fmt::print(
        "mazur replay FILE.trace [options]\n\nRuns the failing schedule again. What the file asks "
        "for is shown first and has to be\nagreed to, unless the sources (or the executable) lie "
        "below the current folder and have not\nchanged.\n\n"
        "Options\n{}\nExit code: 1 the same error, 4 the trace does not fit the program.\n",
        option_help(option_table()));
    return 0;
  }
  const std::string name = only_trace_argument("replay", words);
  const TraceFile file = read_trace_argument(name);
  require_outputs(options.common, {name, options.program});
  if (options.gdb && options.common.has_reports())
    throw UsageError(
        "--gdb shows the run to you alone: for --json, --junit, --sarif or --annotations, replay "
        "it without.");
  if (is_dlang(file.program)) return replay_model(file, name, options);
  const Installation installation = find_installation();
  const auto folder = std::make_unique<TemporaryFolder>();
  ProgramRun run;
  run.program = find_program(file, name, options, installation, folder->path());
  run.arguments = file.arguments;
  std::error_code error;
  if (options.program.empty() && std::filesystem::is_directory(file.directory, error))
    run.directory = file.directory;
  run.request.isolation = file.isolation;
  run.request.races = file.races;
  run.request.explorer.memory = file.memory;
  // Its operations come in parts, under sc, too.
  if (file.algorithm == "graph") std::strcpy(run.request.algorithm, "graph");
  run.request.watch_loops = file.loops_wait ? 1 : 0;
  run.request.bounds.max_steps = file.max_steps;
  run.request.timeouts = file.timeouts;
  run.request.nondet_given = file.nondet_given ? 1 : 0;
  run.request.nondet_lowest = file.nondet_lowest;
  run.request.nondet_highest = file.nondet_highest;
  set_property(run.request, file.property, file.property_function);
  run.request.failed_checks = file.failed_checks ? 1 : 0;
  run.request.leaks = file.finding.record.kind == FailureKind::kLeak ? 1 : 0;
  // A race that was left out then must not end the replay now.
  if (std::filesystem::is_regular_file(file.suppressions, error) &&
      file.suppressions.size() < sizeof run.request.suppressions)
    file.suppressions.copy(run.request.suppressions, sizeof run.request.suppressions - 1);
  run.request.show_output = options.common.output == Shown::kAll ? 1 : 0;
  run.request.replay_times = options.gdb ? 1 : options.times;
  run.replay = encode(file.finding.record);
  run.output_to_stderr = options.common.takes_stdout();

  const auto bytes = read_file(run.program);
  const bool changed = !bytes || fnv1a(*bytes) != file.program_hash;
  say_if_changed(changed, name);
  if (options.gdb) return debug_program(run, installation);

  ProgramEnd end = run_program(run, installation);
  return judge(make_result(end, "replay"), file, name, changed, options.common);
}

}  // namespace mazur
