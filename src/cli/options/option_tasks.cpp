#include "cli/options/option_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/options/check_options.h"
#include "explore/registry.h"

namespace mazur {
namespace {

constexpr std::size_t kMarkdownWidth = 120;

const Option<CheckOptions>* find_option(std::string_view name) {
  for (const auto& option : check_option_table())
    if (option.name == name) return &option;
  return nullptr;
}

// One item of a list for every algorithm.
std::string algorithms() {
  std::string text;
  for (const ExplorerEntry& explorer : explorer_registry()) {
    text += fmt::format("\n- `{}`: {} ([page](algorithms/{})).", explorer.name, explorer.help,
                        explorer.page);
    std::string_view separator = " Takes ";
    for (const std::string_view option : explorer.options) {
      if (option.empty()) break;
      text += fmt::format("{}`--{}`", std::exchange(separator, ", "), option);
    }
    text += '.';
  }
  return text;
}

// The help as a sentence, and what follows it.
std::string full_text(const Option<CheckOptions>& option, std::string_view more) {
  std::string text(option.help);
  if (!text.ends_with('.')) text += '.';
  if (!more.empty() && !more.starts_with('\n')) text += ' ';
  text += more;
  return option.name == "algorithm" ? text + algorithms() : text;
}

}  // namespace

const std::vector<OptionTask>& check_option_tasks() {
  static const std::vector<OptionTask> tasks = {
      {"Choosing an algorithm",
       {{"algorithm",
         "Each has a page in [algorithms/](algorithms). Only those that are proven to reach every "
         "outcome can end with *verified*: [what each is worth](#verdicts-and-exit-codes). [What "
         "observers and context keep](algorithms/observers.md#what-is-kept) is less than every "
         "trace."},
        {"memory",
         "[What each of them allows](memory-models.md). None has load buffering. Not with "
         "`--races=explore`, another algorithm, or a bound on schedules."},
        {"weaken",
         "[How, and what it is worth](#weaker-memory-orders). `--time-limit` is for all of it."},
        {"k",
         "N is how many events of the don't-do set an alternative avoids. With N > 0 it looks less "
         "far ahead, and may start redundant executions. With 0 it avoids all, and none is "
         "redundant."},
        {"base", ""},
        {"rules", "With the published rules the verdict is never *verified*."},
        {"sleep-sets", ""},
        {"stored-states",
         "States are remembered. What follows one is not run again where it has nothing to do "
         "with what came before. Every final state and every failure is found, not every trace."},
        {"pick", "`continue` goes on with the thread that ran last."},
        {"seed", ""},
        {"pct-depth", ""},
        {"stats",
         "After the verdict it says how deep its trees are, how far apart the events are that it "
         "asks about, how many alternatives it looked for, and where the time went. The other "
         "algorithms have nothing to say."}}},
      {"What is an error",
       {{"races",
         "With `explore`, plain accesses to memory that threads share are scheduling points like "
         "atomic ones ([how](races.md#plain-accesses-as-events))."},
        {"suppressions", "[Which lines it may have](#data-races-and-memory)."},
        {"leaks", "[What counts as reachable](#data-races-and-memory)."},
        {"keep-going", "Different errors are listed with how often they were seen."},
        {"minimise",
         "The default is 1 second and 10,000 executions for each error, and 4 seconds in all. "
         "With 0 the schedule stays as it was found."},
        {"trust",
         "The name is that of its file or its soname, with or without the version, or with a `*` "
         "at the end. The verdict repeats it ([modules.md](modules.md))."}}},
      {"Several cores, many machines, and going on later",
       {{"jobs",
         "The algorithm is then `graph`, unless `random` or `pct` is asked for: the work of these "
         "can be shared. The result is the same for every N ([cores.md](cores.md)). Not with "
         "`--races=explore`, `--unroll` or `--weaken`, nor `graph` with `--max-executions`; and "
         "without the short portfolio."},
        {"first", ""},
        {"ledger",
         "Nothing but seconds is lost when a process, a machine or the power dies. Other machines "
         "join with `mazur worker` ([many-machines.md](many-machines.md)). What `-j` leaves out is "
         "left out here, too, and the program sees no environment variables."},
        {"ship",
         "Workers run it only if they are told to ([many-machines.md](many-machines.md))."}}},
      {"Limits and bounds",
       {{"time-limit", "What a bound cuts off is never called verified: [Bounds](#bounds)."},
        {"max-executions", ""},
        {"max-steps", ""},
        {"unroll", "[What an iteration is](#bounds)."},
        {"preemption-bound", "[What a preemption is](#bounds)."},
        {"delay-bound", "[What a delay is](#bounds)."},
        {"context-bound", "[What it leaves out](#bounds)."}}},
      {"Loops, waiting and long steps",
       {{"loops", "[How such loops are recognised](#loops-that-wait)."},
        {"timeouts", "[What is left out](#timeouts)."},
        {"spurious-wakeups", "[What is tried](#spurious-wake-ups)."},
        {"spurious-failures", "[What is tried](#spurious-wake-ups)."},
        {"step-limit", "[Steps that take long](#steps-that-take-long)."},
        {"call-limit", "[Steps that take long](#steps-that-take-long)."}}},
      {"Inputs and SV-COMP",
       {{"nondet", ""},
        {"svcomp", "See [svcomp.md](svcomp.md)."},
        {"property", "See [svcomp.md](svcomp.md)."},
        {"witness", ""}}},
      {"Building and running the program",
       {{"compiler", ""},
        {"build-dir", ""},
        {"isolation",
         "With `snapshot` its memory is restored. With `fork` every execution is a process of its "
         "own, for programs that need it; that is slower."},
        {"check-determinism", ""}}},
      {"Trace files", {{"trace-dir", ""}, {"trace", ""}, {"no-trace", ""}}},
      {"What is printed",
       {{"json",
         "If that is standard output, the text goes to standard error. [What it "
         "has](#the-result-as-json)."},
        {"junit", "[What becomes of each verdict](ci.md#junit)."},
        {"sarif", "[What is in it](ci.md#sarif)."},
        {"annotations", "[Where they appear](ci.md#annotations)."},
        {"output", ""},
        {"progress", ""},
        {"verbose", ""},
        {"quiet", ""},
        {"color", ""}}},
  };
  return tasks;
}

std::string check_options_by_task() {
  std::string text;
  for (const OptionTask& task : check_option_tasks()) {
    std::vector<OptionRow> rows;
    for (const OptionNote& note : task.options)
      if (const auto* option = find_option(note.name))
        rows.push_back({option->name, option->value, option->help, {}});
    text += fmt::format("{}\n{}\n", task.title, help_rows(rows));
  }
  return text;
}

std::string check_options_as_markdown() {
  std::string text;
  for (const OptionTask& task : check_option_tasks()) {
    text += fmt::format("{}### {}\n\n", text.empty() ? "" : "\n", task.title);
    for (const OptionNote& note : task.options) {
      const auto* option = find_option(note.name);
      if (option == nullptr) continue;
      const std::string said = full_text(*option, note.more);
      std::string_view rest = said;
      std::string item = fmt::format("- `--{}{}{}`: ", option->name,
                                     option->value.empty() ? "" : "=", option->value);
      std::size_t indent = 0;
      while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        for (const std::string& part : wrapped(item.append(line), kMarkdownWidth - indent - 2))
          text += fmt::format("{:{}}{}{}\n", "", indent, part.starts_with("- ") ? "" : "  ", part);
        item.clear();
        indent = 2;
      }
    }
  }
  return text;
}

}  // namespace mazur
