// mazur check: compile, explore, report.
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/crew/parallel_run.h"
#include "cli/dlang_run.h"
#include "cli/ledger/ledger_run.h"
#include "cli/options/check_options.h"
#include "cli/result/deliver.h"
#include "cli/result/findings.h"
#include "cli/run/program_run.h"
#include "cli/run/unseen_code.h"
#include "cli/subject/subject.h"
#include "cli/subject/trace_output.h"
#include "cli/svcomp.h"
#include "cli/weaken.h"

namespace mazur {
namespace {

int check_model(const CheckOptions& options) {
  const DlangSubject model = load_dlang(options.model);
  Result result = check_dlang(model, options.request, progress_of(options));
  name_subject(result, options.model, options.arguments);
  result.memory = options.request.explorer.memory;
  const Subject subject{.program = model.file, .recipe = {}, .folder = nullptr};
  if (options.write_traces)
    write_traces(result, options, subject, options.arguments, trace_prefix(options, subject));
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
  Result result = complete_result(end, options.request);
  name_subject(result, named(options), options.arguments);
  for (const std::string& name : without_module(options.trust, end.modules))
    fmt::print(stderr, "mazur: --trust={} names nothing that is loaded into the program.\n", name);
  if (options.weaken && result.verdict == Verdict::kVerified)
    result.weakening = weaken(run, end, installation);
  result.weakening.asked = options.weaken;
  if (options.write_traces)
    write_traces(result, options, subject, options.arguments, trace_prefix(options, subject));
  answer_svcomp(result, options);
  const int code = deliver(result, options.common);
  if (!options.ledger.empty() && !whole.over && !options.common.quiet)
    fmt::print(stderr, "mazur: not all is explored yet: the same command goes on.\n");
  return code;
}

}  // namespace mazur
