#include "explore/registry.h"

#include <algorithm>

#include "explore/context/context.h"
#include "explore/dpor/dpor.h"
#include "explore/dpor/optimal.h"
#include "explore/dpor/source.h"
#include "explore/graph/graph.h"
#include "explore/lazy/lazy.h"
#include "explore/observers/observers.h"
#include "explore/unfolding/quasi.h"
#include "explore/walks/bounded.h"
#include "explore/walks/naive.h"
#include "explore/walks/pct.h"
#include "explore/walks/random.h"

namespace mazur {
namespace {

std::unique_ptr<Explorer> make_every_class(const ExplorerOptions& options) {
  return make_bounded(options, Repeats::kGivenUp);
}

std::unique_ptr<Explorer> make_every_schedule(const ExplorerOptions& options) {
  return options.schedule_bound == ScheduleBound::kNone ? make_naive(options)
                                                        : make_bounded(options, Repeats::kRun);
}

constexpr std::array<ScheduleBound, 2> kSwitches = {ScheduleBound::kPreemptions,
                                                    ScheduleBound::kDelays};

constexpr ExplorerEntry kRegistry[] = {
    {.name = "optimal",
     .help = "each Mazurkiewicz trace exactly once",
     .page = "optimal.md",
     .covers = Covers::kTraces,
     .once = true,
     .never_blocked = true,
     .options = {"pick"},
     .bounds = {},
     .make = make_optimal},
    {.name = "observers",
     .help = "as optimal, but orders of stores that no read tells apart count as one",
     .page = "observers.md",
     .covers = Covers::kObserved,
     .once = true,
     .never_blocked = true,
     .options = {"pick"},
     .bounds = {},
     .make = make_observers},
    {.name = "context",
     .help = "orders that lead to the same memory and the same results are left out; it rests on "
             "tests, not on a proof",
     .page = "context.md",
     .covers = Covers::kStates,
     .options = {"base", "rules", "pick"},
     .bounds = {},
     .make = make_context},
    {.name = "context-observers",
     .help = "both, and without a proof as well",
     .page = "context.md#context-observers",
     .covers = Covers::kObservedStates,
     .options = {"rules", "pick"},
     .bounds = {},
     .make = make_context_observers},
    {.name = "quasi",
     .help = "each trace exactly once, over the program's unfolding",
     .page = "quasi.md",
     .covers = Covers::kTraces,
     .once = true,
     .never_blocked = true,
     .options = {"k", "context-bound", "stats", "pick"},
     .bounds = {ScheduleBound::kContexts},
     .make = make_quasi},
    {.name = "source",
     .help = "source sets; it is sound, and may start redundant executions",
     .page = "source.md",
     .covers = Covers::kTraces,
     .once = true,
     .options = {"pick"},
     .bounds = {},
     .make = make_source},
    {.name = "dpor",
     .help = "persistent sets, likewise",
     .page = "dpor.md",
     .covers = Covers::kTraces,
     .options = {"sleep-sets", "pick"},
     .bounds = {},
     .make = make_dpor},
    {.name = "lazy",
     .help = "plans whole executions from trace constraint systems, each trace exactly once",
     .page = "lazy.md",
     .covers = Covers::kTraces,
     .once = true,
     .never_blocked = true,
     .options = {"stored-states", "pick"},
     .bounds = {},
     .make = make_lazy},
    {.name = "graph",
     .help = "each execution graph (what reads what, in which order stores are) exactly once",
     .page = "graph.md",
     .covers = Covers::kTraces,
     .never_blocked = true,
     .partial = true,
     .options = {"pick"},
     .bounds = {},
     .make = make_graph},
    {.name = "naive",
     .help = "every interleaving",
     .page = "walks.md",
     .covers = Covers::kSchedules,
     .once = true,
     .never_blocked = true,
     .options = {"preemption-bound", "delay-bound"},
     .bounds = kSwitches,
     .make = make_every_schedule},
    {.name = "bounded",
     .help = "every class of prefixes once; the one for bounds on schedules",
     .page = "walks.md#bounded",
     .covers = Covers::kTraces,
     .once = true,
     .options = {"preemption-bound", "delay-bound"},
     .bounds = kSwitches,
     .make = make_every_class},
    {.name = "random",
     .help = "one random schedule after another, never a proof",
     .page = "walks.md#random-and-pct",
     .covers = Covers::kSamples,
     .options = {"seed"},
     .bounds = {},
     .make = make_random},
    {.name = "pct",
     .help = "one schedule with random priorities after another, never a proof",
     .page = "walks.md#random-and-pct",
     .covers = Covers::kSamples,
     .options = {"pct-depth", "seed"},
     .bounds = {},
     .make = make_pct},
};

}  // namespace

std::span<const ExplorerEntry> explorer_registry() { return kRegistry; }

const ExplorerEntry* find_explorer(std::string_view name) {
  const auto found = std::find_if(std::begin(kRegistry), std::end(kRegistry),
                                  [&](const ExplorerEntry& e) { return e.name == name; });
  return found == std::end(kRegistry) ? nullptr : found;
}

bool is_divisible(std::string_view name) {
  const auto explorer = make_explorer(name, {});
  return explorer != nullptr && explorer->divisible() != nullptr;
}

std::vector<std::string_view> divisible_explorers() {
  std::vector<std::string_view> names = explorer_names();
  std::erase_if(names, [](std::string_view name) { return !is_divisible(name); });
  return names;
}

std::vector<std::string_view> explorer_names() {
  std::vector<std::string_view> names;
  for (const ExplorerEntry& entry : kRegistry) names.push_back(entry.name);
  return names;
}

std::vector<std::string> exhaustive_explorers() {
  std::vector<std::string> names;
  for (const ExplorerEntry& entry : kRegistry)
    if (entry.covers != Covers::kSamples && !entry.partial) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Explorer> make_explorer(std::string_view name, const ExplorerOptions& options) {
  const ExplorerEntry* entry = find_explorer(name);
  if (entry == nullptr || !entry->keeps_to(options.schedule_bound)) return nullptr;
  return entry->make(options);
}

}  // namespace mazur
