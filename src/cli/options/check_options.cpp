#include "cli/options/check_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "cli/build/build.h"
#include "cli/dlang_run.h"
#include "cli/options/jobs.h"
#include "cli/options/option_tasks.h"
#include "cli/svcomp.h"
#include "explore/registry.h"
#include "protocol/request.h"

namespace mazur {
namespace {

const std::vector<std::string_view>& algorithms() {
  static const std::vector<std::string_view> names = explorer_names();
  return names;
}

constexpr std::array<std::string_view, 2> kBases = {"source", "optimal"};
constexpr std::array<std::string_view, 2> kRules = {"sound", "published"};
constexpr std::array<std::string_view, 2> kOnOff = {"off", "on"};
constexpr std::array<std::string_view, 2> kIsolations = {"snapshot", "fork"};
constexpr std::array<std::string_view, 3> kRaces = {"report", "explore", "ignore"};
constexpr std::array<std::string_view, 2> kLoops = {"wait", "run"};
constexpr std::array<std::string_view, 3> kTimeouts = {"any", "first", "never"};
constexpr std::array<std::string_view, 2> kCompilers = {"gcc", "clang"};
constexpr std::array<std::string_view, 5> kPicks = {"continue", "lowest", "highest", "round-robin",
                                                    "random"};

std::uint32_t parse_small(std::string_view option, const std::string& value, std::uint64_t least) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(parse_count(option, value, least), 1'000'000'000));
}

void bound_schedules(Request& request, ScheduleBound bound, std::uint32_t most) {
  ScheduleBound& chosen = request.explorer.schedule_bound;
  if (chosen != ScheduleBound::kNone && chosen != bound)
    throw UsageError(
        "--preemption-bound, --delay-bound and --context-bound cannot be combined: give one of "
        "them.");
  chosen = bound;
  request.explorer.most = most;
}

void set_nondet(Request& request, const std::string& value) {
  const char* const end = value.data() + value.size();
  const auto low = std::from_chars(value.data(), end, request.nondet_lowest);
  const bool dots =
      low.ec == std::errc{} && end - low.ptr > 2 && low.ptr[0] == '.' && low.ptr[1] == '.';
  const auto high = dots ? std::from_chars(low.ptr + 2, end, request.nondet_highest) : low;
  if (!dots || high.ec != std::errc{} || high.ptr != end ||
      request.nondet_highest < request.nondet_lowest)
    throw UsageError(fmt::format("--nondet takes a range such as -2..10, not '{}'.", value));
  if (static_cast<std::uint64_t>(request.nondet_highest) -
          static_cast<std::uint64_t>(request.nondet_lowest) >=
      0xffff)
    throw UsageError("--nondet takes a range of at most 65535 values.");
  request.nondet_given = 1;
}

// N, or FILE:LINE=N.
void set_unroll(Request& request, const std::string& value) {
  const std::size_t equals = value.rfind('=');
  if (equals == std::string::npos) {
    request.bounds.unroll = parse_small("unroll", value, 1);
    return;
  }
  const std::size_t colon = value.rfind(':', equals);
  if (colon == std::string::npos || colon == 0)
    throw UsageError(fmt::format(
        "--unroll takes a number, or a line and a number such as queue.cpp:42=3, not '{}'.",
        value));
  const std::string file = value.substr(0, colon);
  Bounds& bounds = request.bounds;
  if (bounds.loop_count == Bounds::kMostLoops)
    throw UsageError(
        fmt::format("--unroll takes at most {} lines.", std::size_t{Bounds::kMostLoops}));
  Request::Line& line = request.loop_lines[bounds.loop_count];
  if (file.size() >= sizeof line.file)
    throw UsageError(fmt::format("the name of the file in --unroll={} is too long.", value));
  std::memcpy(line.file, file.c_str(), file.size() + 1);
  line.line = parse_small("unroll", value.substr(colon + 1, equals - colon - 1), 1);
  bounds.loops[bounds.loop_count++] = parse_small("unroll", value.substr(equals + 1), 1);
}

// Which algorithms keep to a bound on schedules, and which one does if none was asked for.
}  // namespace

void set_algorithm(Request& request, std::string_view name) {
  std::memset(request.algorithm, 0, sizeof request.algorithm);
  std::memcpy(request.algorithm, name.data(), name.size());
}

const std::vector<Option<CheckOptions>>& check_option_table() {
  using Check = CheckOptions;
  static const std::string algorithm_help =
      fmt::format("one of {} (default: {})", fmt::join(algorithms(), ", "), algorithms().front());
  static const std::vector<Option<CheckOptions>> table = [] {
    std::vector<Option<CheckOptions>> rows = {
        {"algorithm", "NAME", algorithm_help,
         [](Check& to, const std::string& value) {
           const std::string_view name =
               algorithms()[parse_one_of("algorithm", value, algorithms())];
           set_algorithm(to.request, name);
           to.algorithm_given = true;
         }},
        {"memory", "sc|tso|pso|c++20",
         "the memory model: what loads may read (default: sc, sequential consistency); the others "
         "are explored by graph",
         [](Check& to, const std::string& value) {
           to.request.explorer.memory =
               static_cast<MemoryModel>(parse_one_of("memory", value, kMemoryNames));
         }},
        {"weaken", "",
         "with --memory=c++20, if the program is verified: find weaker memory orders that suffice",
         [](Check& to, const std::string&) {
           to.weaken = true;
           to.request.note_orders = 1;
         }},
        {"keep-going", "", "go on after an error, to find all of them",
         [](Check& to, const std::string&) { to.request.bounds.keep_going = true; }},
        {"time-limit", "TIME", "stop after 10 (seconds), 5m, 2h; the verdict is then incomplete",
         [](Check& to, const std::string& value) {
           to.request.bounds.time_limit = parse_seconds("time-limit", value);
         }},
        {"jobs", "N", "explore with N processes, also as -j N; 0: one for each core (default: 1)",
         [](Check& to, const std::string& value) { to.jobs = parse_jobs(value); }},
        {"first", "", "with -j or --ledger: report the error that is found first, and stop",
         [](Check& to, const std::string&) { to.first = true; }},
        {"ledger", "FILE|URL",
         "keep all work in this file, or in the PostgreSQL database at postgresql://...; the same "
         "command goes on where it was",
         [](Check& to, const std::string& value) {
           if (value.empty())
             throw UsageError("--ledger takes the name of a file, or postgresql://...");
           to.ledger = value;
         }},
        {"ship", "", "with --ledger: put the program and its libraries into it, for other machines",
         [](Check& to, const std::string&) { to.ship = true; }},
        {"max-executions", "N", "stop after N executions (default: no bound)",
         [](Check& to, const std::string& value) {
           to.request.bounds.max_executions = parse_count("max-executions", value);
         }},
        {"max-steps", "N", "cut an execution after N steps (default: 100000)",
         [](Check& to, const std::string& value) {
           to.request.bounds.max_steps = parse_count("max-steps", value, 1);
         }},
        {"step-limit", "TIME",
         "end with incomplete after so much processor time in one step (default: 30; 0: never)",
         [](Check& to, const std::string& value) {
           to.request.step_limit = parse_seconds("step-limit", value);
         }},
        {"call-limit", "TIME",
         "a system call that blocks for so long is not supported (default: 5; 0: it may)",
         [](Check& to, const std::string& value) {
           to.request.call_limit = parse_seconds("call-limit", value);
         }},
        {"unroll", "N|FILE:LINE=N",
         "stop a thread before iteration N+1 of a loop in which threads race, or of the loop at a "
         "line (repeatable; default: no bound)",
         [](Check& to, const std::string& value) { set_unroll(to.request, value); }},
        {"preemption-bound", "N", "only schedules with at most N preemptions (default: all)",
         [](Check& to, const std::string& value) {
           bound_schedules(to.request, ScheduleBound::kPreemptions,
                           parse_small("preemption-bound", value, 0));
         }},
        {"delay-bound", "N", "only schedules with at most N delays of a round-robin scheduler",
         [](Check& to, const std::string& value) {
           bound_schedules(to.request, ScheduleBound::kDelays,
                           parse_small("delay-bound", value, 0));
         }},
        {"context-bound", "N", "for quasi: only alternatives that need at most N context switches",
         [](Check& to, const std::string& value) {
           bound_schedules(to.request, ScheduleBound::kContexts,
                           parse_small("context-bound", value, 0));
         }},
        {"nondet", "LOW..HIGH", "explore all these values of __VERIFIER_nondet integers",
         [](Check& to, const std::string& value) { set_nondet(to.request, value); }},
        {"races", "report|explore|ignore",
         "data races are errors, explored as schedules, or neither (default: report; explore with "
         "context and context-observers)",
         [](Check& to, const std::string& value) {
           to.request.races = static_cast<Races>(parse_one_of("races", value, kRaces));
           to.races_given = true;
         }},
        {"loops", "wait|run",
         "a loop that changes nothing waits for a write to what it reads, or runs (default: wait)",
         [](Check& to, const std::string& value) {
           to.request.watch_loops = parse_one_of("loops", value, kLoops) == 0 ? 1 : 0;
         }},
        {"timeouts", "any|first|never",
         "a wait with a deadline may time out always, once in a thread at a place, or never "
         "(default: any)",
         [](Check& to, const std::string& value) {
           to.request.timeouts = static_cast<Timeouts>(parse_one_of("timeouts", value, kTimeouts));
         }},
        {"spurious-wakeups", "N",
         "a thread may wake up N times from a condition variable or futex although nobody woke it "
         "(default: 0)",
         [](Check& to, const std::string& value) {
           to.request.spurious_wakeups = parse_small("spurious-wakeups", value, 0);
         }},
        {"spurious-failures", "N",
         "compare_exchange_weak and try_lock may fail N times in a thread for no reason (default: "
         "0)",
         [](Check& to, const std::string& value) {
           to.request.spurious_failures = parse_small("spurious-failures", value, 0);
         }},
        {"svcomp", "", "as SV-COMP means it: only a call of reach_error() is an error",
         [](Check& to, const std::string&) {
           if (to.request.property == Property::kNone)
             set_property(to.request, Property::kUnreachCall, "reach_error");
         }},
        {"property", "FILE.prp", "as SV-COMP means it, with the property of this file",
         [](Check& to, const std::string& value) { read_property(value, to.request); }},
        {"witness", "FILE", "with --svcomp or --property: write a witness in SV-COMP's format",
         [](Check& to, const std::string& value) {
           if (value.empty()) throw UsageError("--witness takes the name of a file.");
           to.witness = value;
         }},
        {"suppressions", "FILE", "races not to report, in ThreadSanitizer's format",
         [](Check& to, const std::string& value) {
           std::error_code error;
           const auto path = std::filesystem::absolute(value, error).string();
           if (error || !std::filesystem::is_regular_file(path, error))
             throw UsageError(fmt::format("there is no file of suppressions '{}'.", value));
           if (path.size() >= sizeof to.request.suppressions)
             throw UsageError("the name of the file of suppressions is too long.");
           std::memcpy(to.request.suppressions, path.c_str(), path.size() + 1);
         }},
        {"trust", "NAME",
         "threads share nothing through this library, although Mazur does not see its code "
         "(repeatable)",
         [](Check& to, const std::string& value) {
           if (value.empty()) throw UsageError("--trust takes the name of a library.");
           to.trust.push_back(value);
         }},
        {"leaks", "", "memory that nobody can reach at the end of an execution is an error",
         [](Check& to, const std::string&) { to.request.leaks = 1; }},
        {"minimise", "TIME",
         "how long to look for a shorter schedule to an error (default: 1 second; 0: not at all)",
         [](Check& to, const std::string& value) {
           to.request.minimise = parse_seconds("minimise", value);
         }},
        {"seed", "N", "the seed of random and pct (default: 1)",
         [](Check& to, const std::string& value) {
           to.request.explorer.seed = parse_count("seed", value);
         }},
        {"pct-depth", "D", "for pct: look for bugs that need D ordered events (default: 3)",
         [](Check& to, const std::string& value) {
           to.request.explorer.pct_depth = static_cast<std::uint32_t>(
               std::min<std::uint64_t>(parse_count("pct-depth", value, 1), 1000));
         }},
        {"k", "N",
         "for quasi: avoid redundant executions by N-partial alternatives (default: 0, all of "
         "them)",
         [](Check& to, const std::string& value) {
           to.request.explorer.quasi_k = static_cast<std::uint32_t>(
               std::min<std::uint64_t>(parse_count("k", value), 1'000'000));
         }},
        {"base", "source|optimal", "for context: the algorithm that it extends (default: source)",
         [](Check& to, const std::string& value) {
           to.request.explorer.base = static_cast<ContextBase>(parse_one_of("base", value, kBases));
         }},
        {"rules", "sound|published",
         "for context and context-observers: published are the rules of the paper, which can miss "
         "bugs; for comparison (default: sound)",
         [](Check& to, const std::string& value) {
           to.request.explorer.published_rules = parse_one_of("rules", value, kRules) == 1;
         }},
        {"stats", "", "for quasi: say what its trees, its alternatives and their search were like",
         [](Check& to, const std::string&) { to.request.explorer.statistics = true; }},
        {"sleep-sets", "on|off", "whether dpor has sleep sets (default: on)",
         [](Check& to, const std::string& value) {
           to.request.explorer.sleep_sets = parse_one_of("sleep-sets", value, kOnOff) == 1;
         }},
        {"stored-states", "on|off",
         "for lazy, on models: every final state instead of every trace (default: off)",
         [](Check& to, const std::string& value) {
           to.request.explorer.stored_states = parse_one_of("stored-states", value, kOnOff) == 1;
         }},
        {"pick", "ORDER",
         "which enabled thread is tried first: continue, lowest, highest, round-robin, random "
         "(default: continue)",
         [](Check& to, const std::string& value) {
           to.request.explorer.pick = static_cast<PickOrder>(parse_one_of("pick", value, kPicks));
         }},
        {"isolation", "snapshot|fork",
         "how the program is reset between executions (default: snapshot)",
         [](Check& to, const std::string& value) {
           to.request.isolation =
               static_cast<Isolation>(parse_one_of("isolation", value, kIsolations));
         }},
        {"check-determinism", "", "run every execution twice and compare",
         [](Check& to, const std::string&) { to.request.bounds.repeat = true; }},
        {"compiler", "gcc|clang", "what compiles sources (default: gcc)",
         [](Check& to, const std::string& value) {
           to.compiler = static_cast<Compiler>(parse_one_of("compiler", value, kCompilers));
         }},
        {"build-dir", "DIR", "compile in DIR and keep what is built there",
         [](Check& to, const std::string& value) {
           if (value.empty()) throw UsageError("--build-dir takes the name of a folder.");
           to.build_dir = value;
         }},
        {"trace-dir", "DIR", "write trace files to DIR (default: the current folder)",
         [](Check& to, const std::string& value) {
           if (value.empty()) throw UsageError("--trace-dir takes the name of a folder.");
           to.trace_dir = value;
         }},
        {"trace", "PREFIX", "name trace files PREFIX-1.trace, ... (default: the program's name)",
         [](Check& to, const std::string& value) {
           if (value.empty() || value.find('/') != std::string::npos)
             throw UsageError("--trace takes a name without slashes; --trace-dir says where.");
           to.trace_prefix = value;
         }},
        {"no-trace", "", "write no trace files",
         [](Check& to, const std::string&) { to.write_traces = false; }},
    };
    rows.push_back({"progress", "", "tell how far it is every 3 seconds, also without a terminal",
                    [](Check& to, const std::string&) { to.progress = true; }});
    add_common_options(rows);
    return rows;
  }();
  return table;
}

}  // namespace mazur
