// The words of `mazur check`: files, compiler flags and options, and which options suit each other.
#include <fmt/format.h>

#include <filesystem>

#include "cli/build/build.h"
#include "cli/dlang_run.h"
#include "cli/options/check_options.h"
#include "cli/options/jobs.h"
#include "cli/options/option_tasks.h"
#include "cli/svcomp.h"
#include "explore/registry.h"
#include "protocol/request.h"

namespace mazur {
namespace {

// Orders that lead to the same memory can synchronise differently, so the algorithms that leave
// such orders out cannot report data races.
void suit_algorithm(CheckOptions& options) {
  const std::string_view name = options.request.algorithm;
  const ExplorerEntry& explorer = *find_explorer(name);
  if (explorer.merges_states() && options.request.races == Races::kReport) {
    if (options.races_given)
      throw UsageError(fmt::format(
          "--algorithm={} would miss data races: take --races=explore, or another algorithm.",
          name));
    options.request.races = Races::kExplore;
  }
  const ScheduleBound bound = options.request.explorer.schedule_bound;
  if (bound == ScheduleBound::kNone) return;
  const bool suits = explorer.keeps_to(bound);
  if (bound == ScheduleBound::kContexts) {
    if (!options.algorithm_given)
      set_algorithm(options.request, "quasi");
    else if (!suits)
      throw UsageError(
          fmt::format("--context-bound is for --algorithm=quasi, not {}; for the others there is "
                      "--preemption-bound.",
                      name));
    return;
  }
  if (!options.algorithm_given) {
    set_algorithm(options.request, "bounded");
  } else if (!suits) {
    throw UsageError(fmt::format(
        "--algorithm={} cannot keep to a bound on preemptions or delays without losing schedules: "
        "leave it out, or take bounded or naive.",
        name));
  }
}

// Only execution graphs know other memory models than sequential consistency.
void suit_memory(CheckOptions& options) {
  const MemoryModel memory = options.request.explorer.memory;
  if (memory == MemoryModel::kSc) return;
  const auto refuse = [memory](std::string_view what, std::string_view instead) {
    throw UsageError(fmt::format("--memory={} cannot be combined with {}: {}.", memory_name(memory),
                                 what, instead));
  };
  const std::string_view name = options.request.algorithm;
  if (options.algorithm_given && name != "graph")
    refuse(fmt::format("--algorithm={}", name), "only graph knows other memory models than sc");
  if (options.request.races == Races::kExplore)
    refuse("--races=explore", "a plain access in a race has no value in these models");
  if (options.request.explorer.schedule_bound != ScheduleBound::kNone)
    refuse("a bound on schedules", "graph explores execution graphs, not schedules");
  set_algorithm(options.request, "graph");
}

// Weaker memory orders are looked for where orders are all that counts, and every error counts.
void suit_weakening(const CheckOptions& options) {
  if (!options.weaken) return;
  const MemoryModel memory = options.request.explorer.memory;
  if (memory != MemoryModel::kCpp20)
    throw UsageError(
        fmt::format("--weaken needs --memory=c++20: {}.",
                    memory == MemoryModel::kSc
                        ? "under sc all memory orders mean the same"
                        : fmt::format("{} is about processors, where most orders mean the same",
                                      memory_name(memory))));
  if (!options.model.empty())
    throw UsageError("--weaken is for C and C++ programs, not for dlang programs.");
  if (options.request.property != Property::kNone)
    throw UsageError(
        "--weaken cannot be combined with --svcomp or --property: every error has to count.");
  if (options.request.races == Races::kIgnore)
    throw UsageError(
        "--weaken cannot be combined with --races=ignore: data races show which orders are "
        "needed.");
}

// Only what can be cut into pieces can be shared, or be gone on with later.
void suit_sharing(CheckOptions& options) {
  const bool durable = !options.ledger.empty();
  if (options.ship && !durable)
    throw UsageError("--ship puts the program into a ledger: give --ledger, too.");
  if (options.first && options.jobs == 1 && !durable)
    throw UsageError("--first is about several processes: give -j N or --ledger, too.");
  if (options.jobs == 1 && !durable) return;
  const auto refuse = [durable](std::string_view what, std::string_view why) {
    throw UsageError(
        fmt::format("{} cannot be combined with {}: {}.", durable ? "--ledger" : "-j", what, why));
  };
  const Request& request = options.request;
  if (!options.model.empty()) refuse("a dlang program", "those are explored by one process");
  if (!options.algorithm_given) set_algorithm(options.request, "graph");
  const ExplorerEntry& explorer = *find_explorer(request.algorithm);
  if (!is_divisible(explorer.name))
    refuse(fmt::format("--algorithm={}", explorer.name),
           fmt::format("only the work of {} can be cut into pieces, and graph alone gives a proof",
                       fmt::join(divisible_explorers(), ", ")));
  if (durable && request.property != Property::kNone)
    refuse("--svcomp and --property", "those are checked by one process");
  if (request.races == Races::kExplore)
    refuse("--races=explore", "what threads share is learned by one process");
  if (request.bounds.unroll != 0 || request.bounds.loop_count != 0)
    refuse("--unroll", "the loops that are cut are listed by one process");
  // The executions of walks have numbers.
  if (request.bounds.max_executions != 0 && explorer.covers != Covers::kSamples)
    refuse("--max-executions", "executions are counted by one process; --time-limit can be given");
  if (request.explorer.schedule_bound != ScheduleBound::kNone)
    refuse("a bound on schedules", "graph explores execution graphs, not schedules");
  if (options.weaken) refuse("--weaken", "it explores a program again and again by one process");
}

// Words that are no options: sources, compiler flags, an executable.
void sort_words(const std::vector<std::string>& words, CheckOptions& options) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.empty()) throw UsageError("an empty word is no file to check.");
    if (word.starts_with('-')) {
      options.flags.push_back(word);
      if (takes_next_word(word)) {
        if (i + 1 == words.size())
          throw UsageError(fmt::format("the compiler flag {} needs a value after it.", word));
        options.flags.push_back(words[++i]);
      }
    } else if (is_source(word)) {
      std::error_code error;
      if (!std::filesystem::exists(word, error))
        throw UsageError(fmt::format("there is no file '{}'.", word));
      options.sources.push_back(word);
    } else {
      others.push_back(word);
    }
  }
  if (words.empty()) throw UsageError("nothing to check: give sources or one executable.");
  for (const std::string& other : others) {
    if (!is_dlang(other)) continue;
    if (words.size() > 1)
      throw UsageError(
          fmt::format("the dlang program '{}' is checked alone, without other files "
                      "and without compiler flags.",
                      other));
    options.model = other;
    return;
  }
  if (!options.sources.empty()) {
    // Objects and libraries take part in linking.
    for (const std::string& other : others) {
      const std::string extension = std::filesystem::path(other).extension().string();
      if (extension != ".o" && extension != ".a" && extension.find(".so") == std::string::npos &&
          other.find(".so.") == std::string::npos)
        throw UsageError(
            fmt::format("'{}' is no source file; arguments of the program come after --.", other));
      options.flags.push_back(other);
    }
    return;
  }
  if (others.empty()) throw UsageError("nothing to check: give sources or one executable.");
  if (others.size() > 1)
    throw UsageError(fmt::format(
        "only one executable can be checked at a time; arguments of '{}' come after --.",
        others.front()));
  options.executable = others.front();
  if (!options.flags.empty())
    throw UsageError(fmt::format("the compiler flag {} needs sources to compile; '{}' is none.",
                                 options.flags.front(), options.executable));
}

// Most loops and accesses are simpler when a compiler keeps locals in registers. But it then merges
// plain accesses, and calls that only read: not where each of them may be a scheduling point.
void choose_optimisation(CheckOptions& options) {
  if (options.sources.empty() || chooses_optimisation(options.flags)) return;
  const bool each_counts = options.request.races == Races::kExplore ||
                           options.request.property != Property::kNone ||
                           has_atomic_functions(options.sources, {});
  options.flags.insert(options.flags.begin(), each_counts ? "-O0" : "-O1");
}

}  // namespace

CheckOptions parse_check(const std::vector<std::string>& arguments, bool& help) {
  CheckOptions options;
  Words words =
      parse_options("mazur check", check_option_table(), with_long_jobs(arguments), options);
  help = words.help;
  if (!help) settle_check(std::move(words), options);
  return options;
}

void settle_check(Words words, CheckOptions& options) {
  sort_words(words.words, options);
  suit_property(options);
  suit_weakening(options);
  suit_memory(options);
  suit_sharing(options);
  suit_algorithm(options);
  choose_optimisation(options);
  options.arguments = std::move(words.after);
  if (!options.model.empty() && !options.arguments.empty())
    throw UsageError(fmt::format("the dlang program '{}' takes no arguments.", options.model));
  // Who asks for an algorithm gets that one alone.
  options.request.bounds.portfolio =
      !options.algorithm_given && options.request.algorithm == explorer_names().front() &&
      options.request.explorer.schedule_bound == ScheduleBound::kNone;
  options.request.bounds.portfolio_seed = options.request.explorer.seed;
  options.request.show_output = options.common.output == Shown::kAll ? 1 : 0;
}

std::string check_help() {
  return fmt::format(
      R"(mazur check SOURCES... [compiler flags] [options] [-- program arguments]
mazur check EXECUTABLE [options] [-- program arguments]
mazur check MODEL.dlang [options]

Runs the program under every schedule that matters and reports the first error, with the schedule
that leads to it. Sources (.c .cc .cpp .cxx) are compiled first, with the flags given (-D -I -O
-std= -l ...), and with -O1 if none of them says how to optimise (-O0 with --races=explore, --svcomp
or --property); an executable must have been built with 'mazur c++' or 'g++ -fsanitize=thread -g'.

{}Exit code: 0 verified, 1 bug, 2 error, 3 incomplete, 4 unsupported.
)",
      check_options_by_task());
}

}  // namespace mazur
