#include "cli/ledger/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/run/process.h"
#include "report/printable.h"
#include "report/text.h"
#include "report/words.h"

namespace mazur {
namespace {

using Json = nlohmann::ordered_json;

// Executions that one process makes in a second of work; 0: not known yet.
double speed(const Ledger::Totals& totals) {
  return totals.seconds > 0 ? static_cast<double>(totals.tally.total()) / totals.seconds : 0;
}

// And all that work now. A worker has only told how many of its processes wait.
std::uint64_t rate(const Ledger::Overview& overview) {
  std::uint64_t busy = 0;
  for (const WorkerInfo& worker : overview.workers)
    busy += static_cast<std::uint64_t>(worker.claims);
  return static_cast<std::uint64_t>(speed(overview.totals) * static_cast<double>(busy));
}

std::string command_of(const RunTerms& terms) {
  std::vector<std::string> words{terms.program};
  words.insert(words.end(), terms.options.begin(), terms.options.end());
  if (!terms.arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), terms.arguments.begin(), terms.arguments.end());
  return shell_quoted(words);
}

std::string_view state_of(const Ledger::Overview& overview) {
  if (overview.over) return "over";
  return overview.workers.empty() ? "waiting for workers" : "running";
}

std::string part(const Explored& explored) {
  if (!explored.known()) return "not known";
  if (explored.at_least <= 0) return at_most_percent(explored.at_most);
  return range(percent(explored.at_least), percent(explored.at_most));
}

// With as many workers as there are now.
std::string left(const Ledger::Overview& overview, const Explored& explored) {
  const auto speed = static_cast<double>(rate(overview));
  if (!explored.known()) return "not known";
  if (speed <= 0) return "not known, because nobody works";
  const auto done = static_cast<double>(overview.totals.tally.total());
  const auto seconds = [&](double part) { return (done / part - done) / speed; };
  if (explored.at_least <= 0) return at_least_duration(seconds(explored.at_most));
  return range(duration(seconds(explored.at_most)), duration(seconds(explored.at_least)));
}

std::string count(std::int64_t number) {
  return with_commas(static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0)));
}

}  // namespace

std::string overview_text(const Ledger::Overview& overview, const Explored& explored,
                          const RunTerms& terms) {
  const Ledger::Totals& totals = overview.totals;
  std::string text;
  const auto row = [&text](std::string_view name, const std::string& value) {
    text += fmt::format("{:<12} {}\n", name, value);
  };
  row("program", printable(command_of(terms)));
  row("state", fmt::format("{}{}", state_of(overview),
                           totals.beginnings > 1
                               ? fmt::format(", begun again {} times", totals.beginnings - 1)
                               : ""));
  row("executions", fmt::format("{} ({} complete), {}/s now", with_commas(totals.tally.total()),
                                with_commas(totals.tally.complete), with_commas(rate(overview))));
  row("errors", with_commas(totals.tally.failures));
  row("pieces", fmt::format("{} open, {} claimed, {} handed back", with_commas(totals.open),
                            with_commas(totals.claimed), with_commas(totals.pieces)));
  row("work", fmt::format("{} of one process", duration(totals.seconds)));
  row("explored", overview.over ? "all" : part(explored));
  row("left", overview.over ? "nothing" : left(overview, explored));
  row("workers", with_commas(overview.workers.size()));
  for (const WorkerInfo& worker : overview.workers)
    text += fmt::format("  {}: {} of {} processes busy, {} executions in {}, seen {} s ago\n",
                        printable(worker.name), count(worker.claims), with_commas(worker.processes),
                        with_commas(worker.executions), duration(static_cast<double>(worker.since)),
                        worker.seen);
  return text;
}

std::string overview_json(const Ledger::Overview& overview, const Explored& explored,
                          const RunTerms& terms) {
  const Ledger::Totals& totals = overview.totals;
  Json json;
  json["program"] = terms.program;
  json["arguments"] = terms.arguments;
  json["options"] = terms.options;
  json["over"] = overview.over;
  json["beginnings"] = totals.beginnings;
  json["executions"] = {{"total", totals.tally.total()},
                        {"complete", totals.tally.complete},
                        {"blocked", totals.tally.blocked},
                        {"failures", totals.tally.failures}};
  json["events"] = totals.tally.events;
  json["executions_per_second"] = rate(overview);
  json["pieces"] = {
      {"open", totals.open}, {"claimed", totals.claimed}, {"handed_back", totals.pieces}};
  json["seconds_of_work"] = totals.seconds;
  if (overview.over)
    json["explored"] = {{"at_least", 1}, {"at_most", 1}};
  else if (explored.known())
    json["explored"] = {{"at_least", explored.at_least}, {"at_most", explored.at_most}};
  else
    json["explored"] = nullptr;
  json["workers"] = Json::array();
  for (const WorkerInfo& worker : overview.workers)
    json["workers"].push_back({{"name", worker.name},
                               {"processes", worker.processes},
                               {"claims", worker.claims},
                               {"executions", worker.executions},
                               {"since_seconds", worker.since},
                               {"seen_seconds_ago", worker.seen}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mazur
