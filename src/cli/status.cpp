// mazur status and mazur watch: how far an exploration with a ledger is.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/crew/run_estimate.h"
#include "cli/ledger/ledger_run.h"
#include "cli/ledger/overview.h"
#include "cli/options/options.h"
#include "cli/run/interrupts.h"

namespace mazur {
namespace {

struct StatusOptions {
  bool json = false;
};

const std::vector<Option<StatusOptions>>& status_option_table() {
  static const std::vector<Option<StatusOptions>> table = {
      {"json", "", "as JSON", [](StatusOptions& to, const std::string&) { to.json = true; }}};
  return table;
}

const std::string& only_ledger(std::string_view command, const Words& words) {
  if (words.words.size() + words.after.size() != 1 || words.words.empty())
    throw UsageError(fmt::format(
        "'mazur {}' takes one ledger: a file, or postgresql://user@server/database.", command));
  return words.words.front();
}

}  // namespace

int status_command(const Arguments& arguments) {
  StatusOptions options;
  const Words words = parse_options("mazur status", status_option_table(), arguments, options);
  if (words.help) {
    fmt::print(
        "mazur status LEDGER [options]\n\nHow far the exploration with this ledger is, and who "
        "works "
        "on it.\n\nOptions\n{}",
        option_help(status_option_table()));
    return 0;
  }
  OpenLedger open = open_ledger(only_ledger("status", words), /*reads=*/true);
  const Ledger::Overview overview = open.ledger->overview();
  const Explored explored = RunEstimate(*open.ledger).told(overview.totals.tally);
  const std::string text = options.json ? overview_json(overview, explored, open.terms)
                                        : overview_text(overview, explored, open.terms);
  std::fputs(text.c_str(), stdout);
  return 0;
}

int watch_command(const Arguments& arguments) {
  struct None {
  } none;
  const Words words = parse_options("mazur watch", std::vector<Option<None>>{}, arguments, none);
  if (words.help) {
    fmt::print(
        "mazur watch LEDGER\n\nShows what 'mazur status' says, until all is explored or Ctrl-C is "
        "pressed.\n");
    return 0;
  }
  const InterruptGuard guard;
  OpenLedger open = open_ledger(only_ledger("watch", words), /*reads=*/true);
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  while (interrupts() == 0) {
    const Ledger::Overview overview = open.ledger->overview();
    const Explored explored = RunEstimate(*open.ledger).told(overview.totals.tally);
    // On a terminal always at the same place.
    fmt::print("{}{}{}", terminal ? "\033[H\033[J" : "",
               overview_text(overview, explored, open.terms), terminal ? "" : "\n");
    std::fflush(stdout);
    if (overview.over) return 0;
    const timespec moment{2, 0};
    nanosleep(&moment, nullptr);
  }
  return 3;
}

}  // namespace mazur
