// Table 1 of the quasi-optimal paper, its Figure 1, and a program with a barrier, measured: for
// every program the number of maximal configurations, and for quasi with k = 1, 2, 3 and optimal (k
// = 0), for optimal and for source: seconds of processor time, blocked executions, and the peak
// memory of the process in MB.
//
//   quasi_table [--time-limit=S] [--only=PREFIX] [--small] [--columns=TITLE,...] [--stats]
//
// --only: the programs whose names begin so; --small: those that do not take long; --columns: of
// "quasi k=1", "quasi k=2", "quasi k=3", "quasi k=0", "optimal", "source".
// With --stats, what quasi says about itself after every cell (sections 6.2 and 6.4); its times are
// then those with the measurements.
//
// The machine is the model machine, whose steps cost next to nothing, so the times are those of the
// explorers. Every cell is a process of its own. A cell that takes more processor time than the
// limit (60 seconds, if nothing is said) is TO, with the memory it had by then.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "check/loop.h"
#include "cli/tool.h"
#include "explore/explorer.h"
#include "literature_programs.h"
#include "machine/model/model_machine.h"

namespace {

using namespace mazur;

struct Row {
  std::string name;
  std::function<model::Program()> program;
  bool small = true;
  PickOrder pick = PickOrder::kContinue;
};

struct Column {
  const char* title;
  const char* explorer;
  unsigned k;
};

constexpr Column kColumns[] = {{"quasi k=1", "quasi", 1}, {"quasi k=2", "quasi", 2},
                               {"quasi k=3", "quasi", 3}, {"quasi k=0", "quasi", 0},
                               {"optimal", "optimal", 0}, {"source", "source", 0}};

std::vector<Row> rows() {
  namespace lit = model::literature;
  std::vector<Row> all;
  const auto add = [&](std::string name, auto program, bool small) {
    all.push_back({std::move(name), program, small});
  };
  for (int r = 2; r <= 5; ++r)
    add(
        "DISP(5," + std::to_string(r) + ")", [r] { return lit::disp(5, r); }, r <= 4);
  for (int k = 4; k <= 7; ++k)
    add(
        "MPAT(" + std::to_string(k) + ")", [k] { return lit::mpat(k); }, k <= 6);
  for (int p = 2; p <= 4; ++p)
    add(
        "MPC(" + std::to_string(p) + ",5)", [p] { return lit::mpc(p, 5); }, p <= 3);
  for (int n = 5; n <= 8; ++n)
    add(
        "PI(" + std::to_string(n) + ")", [n] { return lit::pi(n); }, true);
  for (int n = 7; n <= 12; ++n)
    add(
        "POKE(" + std::to_string(n) + ",3)", [n] { return lit::poke(n, 3); }, n <= 9);
  // Figure 1: what k is good for. The order of picking is one that `source` does badly with.
  for (int n = 3; n <= 15; n += 3)
    all.push_back({"entangled(" + std::to_string(n) + ")", [n] { return lit::entangled(n); },
                   n <= 9, PickOrder::kLowest});
  // Not in the paper.
  for (int n = 7; n <= 8; ++n)
    add(
        "wakeup(" + std::to_string(n) + ")", [n] { return lit::wakeup_stress(n); }, true);
  return all;
}

struct Cell {
  bool left_out = false;
  bool finished = false;
  double seconds = 0;
  std::uint64_t complete = 0;
  std::uint64_t blocked = 0;
  double megabytes = 0;
};

class Silent final : public Watcher {
 public:
  void failed(const Trace&, const Frontier&, const Failure&) override {}
};

Cell run(const Row& row, const Column& column, bool statistics) {
  Cell cell;
  const model::Program program = row.program();
  model::ModelMachine machine(program);
  const auto explorer = make_explorer(
      column.explorer, {.pick = row.pick, .quasi_k = column.k, .statistics = statistics});
  Silent observer;
  const Outcome outcome = explore(machine, *explorer, {.keep_going = true}, observer);
  cell.finished = outcome.explored.at_least == 1;
  cell.complete = outcome.tally.complete;
  cell.blocked = outcome.tally.blocked;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  for (const timeval& t : {usage.ru_utime, usage.ru_stime})
    cell.seconds += static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  if (const std::string text = explorer->statistics(); statistics && !text.empty())
    std::fprintf(stderr, "%s:\n%s", column.title, text.c_str());
  return cell;
}

// In a process of its own, for its peak memory.
Cell measure(const Row& row, const Column& column, unsigned time_limit, bool statistics) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{time_limit, time_limit + 1};
    setrlimit(RLIMIT_CPU, &limit);
    const Cell cell = run(row, column, statistics);
    _exit(write(ends[1], &cell, sizeof cell) == sizeof cell ? 0 : 1);
  }
  close(ends[1]);
  Cell cell;
  if (read(ends[0], &cell, sizeof cell) != sizeof cell) cell = {};
  close(ends[0]);
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  cell.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return cell;
}

// Of a list with commas.
bool is_in(std::string_view list, std::string_view title) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == title) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

struct Options {
  unsigned time_limit = 60;
  std::string only;
  bool small = false;
  bool statistics = false;
  std::string columns;
};

const std::vector<mazur::Option<Options>>& option_table() {
  static const std::vector<mazur::Option<Options>> table{
      {"time-limit", "S", "the most processor time that one cell may take (60)",
       [](Options& o, const std::string& value) {
         o.time_limit = static_cast<unsigned>(mazur::parse_count("time-limit", value, 1));
       }},
      {"only", "PREFIX", "the programs whose names begin so",
       [](Options& o, const std::string& value) { o.only = value; }},
      {"small", "", "only the programs that do not take long",
       [](Options& o, const std::string&) { o.small = true; }},
      {"columns", "TITLE,...", "only these columns, such as 'quasi k=1,optimal'",
       [](Options& o, const std::string& value) { o.columns = value; }},
      {"stats", "", "what quasi says about itself after every cell",
       [](Options& o, const std::string&) { o.statistics = true; }},
  };
  return table;
}

int print(const Options& options) {
  std::printf("%-13s %8s", "program", "confs");
  for (const Column& c : kColumns) std::printf(" | %9s %8s %4s", c.title, "blocked", "MB");
  std::printf(" | quasi/optimal\n");
  bool any = false;
  for (const Row& row : rows()) {
    if (!row.name.starts_with(options.only) || (options.small && !row.small)) continue;
    any = true;
    std::vector<Cell> cells;
    for (const Column& column : kColumns)
      cells.push_back(options.columns.empty() || is_in(options.columns, column.title)
                          ? measure(row, column, options.time_limit, options.statistics)
                          : Cell{.left_out = true});
    std::uint64_t configurations = 0;
    for (const Cell& c : cells)
      if (c.finished) configurations = c.complete;
    std::printf("%-13s %8llu", row.name.c_str(), static_cast<unsigned long long>(configurations));
    for (const Cell& c : cells) {
      if (c.finished)
        std::printf(" | %9.3f %8llu %4.0f", c.seconds, static_cast<unsigned long long>(c.blocked),
                    c.megabytes);
      else
        std::printf(" | %9s %8s %4.0f", c.left_out ? "-" : "TO", "-", c.megabytes);
      if (c.finished && c.complete != configurations)
        std::printf(" WRONG %llu", static_cast<unsigned long long>(c.complete));
    }
    if (cells[3].finished && cells[4].finished)
      std::printf(" | %.2f\n", cells[3].seconds / cells[4].seconds);
    else
      std::printf(" | -\n");
    std::fflush(stdout);
  }
  mazur::require_rows(any, options.only);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return mazur::run_tool("quasi_table", "Table 1 of the quasi-optimal paper.", option_table(),
                         options, argc, argv, [&] { return print(options); });
}
