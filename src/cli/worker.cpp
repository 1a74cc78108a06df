// mazur worker: takes part in an exploration whose ledger is elsewhere.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "cli/build/executable.h"
#include "cli/commands.h"
#include "cli/crew/crew.h"
#include "cli/ledger/ledger_run.h"
#include "cli/ledger/settled_program.h"
#include "cli/ledger/shipping.h"
#include "cli/options/jobs.h"
#include "cli/options/options.h"
#include "cli/run/interrupts.h"
#include "cli/run/start_program.h"
#include "cli/run/temporary_folder.h"
#include "report/text.h"

namespace mazur {
namespace {

// Exit codes: all is explored; it left before that, and somebody else should go on.
constexpr int kOver = 0, kLeft = 3;

struct WorkerOptions {
  std::string ledger;
  unsigned jobs = 1;
  double time_limit = 0;
  bool shipped = false;
  bool progress = false;
  bool quiet = false;
};

const std::vector<Option<WorkerOptions>>& worker_option_table() {
  using Worker = WorkerOptions;
  static const std::vector<Option<Worker>> table = {
      {"ledger", "FILE|URL", "the ledger of the exploration, as it was given to mazur check",
       [](Worker& to, const std::string& value) { to.ledger = value; }},
      {"jobs", "N", "work with N processes, also as -j N; 0: one for each core (default: 1)",
       [](Worker& to, const std::string& value) { to.jobs = parse_jobs(value); }},
      {"time-limit", "TIME", "leave after 10 (seconds), 5m, 2h (default: when all is explored)",
       [](Worker& to, const std::string& value) {
         to.time_limit = parse_seconds("time-limit", value);
       }},
      {"shipped", "",
       "run the program that lies in the ledger: whoever can write to the ledger can then run any "
       "program here, as you",
       [](Worker& to, const std::string&) { to.shipped = true; }},
      {"progress", "", "tell how far it is every 3 seconds, also without a terminal",
       [](Worker& to, const std::string&) { to.progress = true; }},
      {"quiet", "", "say nothing unless something is wrong",
       [](Worker& to, const std::string&) { to.quiet = true; }},
  };
  return table;
}

// The program that is to be run: the user's own, or what the ledger has.
std::filesystem::path find_program(const WorkerOptions& options, const Words& words,
                                   OpenLedger& open, const TemporaryFolder& folder) {
  if (!options.shipped) {
    require_checkable(words.words.front());
    return std::filesystem::absolute(words.words.front()).lexically_normal();
  }
  std::filesystem::path program = unpack(*open.ledger, open.terms, folder.path());
  require_checkable(program);
  // The loader looks there first.
  const std::string libraries = (folder.path() / "libraries").string();
  const char* old = std::getenv("LD_LIBRARY_PATH");
  setenv("LD_LIBRARY_PATH",
         (old != nullptr && *old != '\0' ? libraries + ":" + old : libraries).c_str(), 1);
  return program;
}

void require_words(const WorkerOptions& options, const Words& words) {
  if (options.ledger.empty())
    throw UsageError("'mazur worker' needs a ledger: --ledger=postgresql://user@server/database.");
  if (!words.after.empty())
    throw UsageError("the program's arguments are those in the ledger, so none are given here.");
  if (options.shipped && !words.words.empty())
    throw UsageError("--shipped runs the program in the ledger, so no other one is given.");
  if (!options.shipped && words.words.empty())
    throw UsageError(
        "'mazur worker' needs the program that is explored; or --shipped, which runs the one that "
        "lies in the ledger.");
  if (words.words.size() > 1)
    throw UsageError(
        fmt::format("'mazur worker' takes one program, and '{}' is another.", words.words[1]));
}

}  // namespace

int worker_command(const Arguments& arguments) {
  WorkerOptions options;
  const Words words =
      parse_options("mazur worker", worker_option_table(), with_long_jobs(arguments), options);
  if (words.help) {
    fmt::print(
        "mazur worker --ledger=FILE|URL PROGRAM [options]\n"
        "mazur worker --ledger=FILE|URL --shipped [options]\n\n"
        "Takes part in an exploration that 'mazur check --ledger=...' has begun: the same program, "
        "on any\nmachine. Its arguments and the options come from the ledger. Workers may come and "
        "go at any time.\n\nOptions\n{}\nExit code: 0 all is explored, 3 it left before that, 2 "
        "error.\n",
        option_help(worker_option_table()));
    return 0;
  }
  require_words(options, words);
  const Installation installation = find_installation();
  require_runtime(installation);
  const InterruptGuard guard;
  OpenLedger open = open_ledger(options.ledger, /*reads=*/false);
  const CheckOptions check = options_of(open.terms);
  const TemporaryFolder folder;
  ProgramRun run{.program = find_program(options, words, open, folder),
                 .arguments = check.arguments,
                 .directory = {},
                 .request = check.request,
                 .replay = {},
                 .output_to_stderr = false,
                 .progress = options.quiet                ? Progress::kNone
                             : isatty(STDERR_FILENO) == 1 ? Progress::kLine
                             : options.progress           ? Progress::kLines
                                                          : Progress::kNone,
                 .trust = check.trust};
  run.request.list_modules = 1;
  run.request.bounds.time_limit = options.time_limit;
  const Suppressions suppressions(open.terms, run.request);
  SettledProgram settled = settle(run, open.terms.program, installation);
  RunTerms mine = open.terms;
  mine.parts = std::move(settled.parts);
  require_fit(open, mine);
  Crew crew(run, installation, *open.ledger);
  crew.expect(std::move(settled.modules));
  const bool over = open.ledger->is_over() || crew.run(options.jobs);
  if (!options.quiet)
    fmt::print("{} executions here; {}\n", with_commas(crew.executions()),
               over ? "all is explored, and 'mazur check' with this ledger says with what result"
                    : "not all is explored yet");
  return over ? kOver : kLeft;
}

}  // namespace mazur
