// Tables 1 and 2 of "Optimal dynamic partial order reduction with context-sensitive independence
// and observers", measured natively: complete executions and seconds of source, optimal, observers,
// context and context-observers, and the paper's numbers of executions beside them.
//
//   context_table [--time-limit=S] [--only=PREFIX]     the two tables
//   context_table --ratios [--runs=R]                  time per execution, against optimal
//
// A cell that takes longer than the limit (20 seconds, if nothing is said) is TO; one whose program
// the explorer refuses is "-". With --ratios the explorers run alternately, and the smallest of R
// times (15) counts; a time is the exploration's own, less that of a run of one execution. Where
// optimal has more executions to run, it is stopped after as many. For context plain accesses are
// events; the last column compares it with optimal when they are events there, too.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "../mazur_runs.h"
#include "cli/tool.h"
#include "paper_rows.h"

namespace {

using mazur::bench::built;
using mazur::bench::folder;

struct Cell {
  bool refused = true;
  bool finished = false;
  long complete = 0;
  long blocked = 0;
  double seconds = 0;  // by the clock, without the start of the process
};

Cell run(const std::string& program, const std::string& options, double time_limit) {
  const std::string json = (folder() / "result.json").string();
  std::filesystem::remove(json);
  const std::string command = std::string(MAZUR_PROGRAM) + " check " + program + " " + options +
                              " --keep-going --quiet --no-trace --json=" + json +
                              " --time-limit=" + std::to_string(time_limit) + " > /dev/null 2>&1";
  Cell cell;
  (void)!std::system(command.c_str());
  std::ifstream in(json);
  if (!in) return cell;
  const auto result = nlohmann::json::parse(in);
  const std::string verdict = result["verdict"];
  cell.refused = verdict == "unsupported" || verdict == "error";
  cell.finished =
      verdict == "verified" || verdict == "bug" ||
      result.value("reason", "") == "this algorithm is not proven to reach every outcome";
  cell.complete = result["executions"]["complete"];
  cell.blocked = result["executions"]["blocked"];
  cell.seconds = result["seconds"];
  return cell;
}

// ---- the tables

struct Column {
  const char* title;
  long PaperRow::*paper;  // or null
};

constexpr Column kColumns[] = {{"source", nullptr},
                               {"optimal", &PaperRow::optimal},
                               {"observers", &PaperRow::observers},
                               {"context", &PaperRow::context},
                               {"context-observers", &PaperRow::context_observers}};

std::string in_brackets(long count) {
  std::string text = "(";
  text.append(count == 0 ? "-" : std::to_string(count));
  return text.append(")");
}

void print_heading(int table) {
  std::printf("\nTable %d (E: complete executions, T: seconds; the paper's E in brackets)\n",
              table);
  std::printf("%-23s", "");
  for (const Column& c : kColumns)
    std::printf(c.paper == nullptr ? " | %-16s" : " | %-24s", c.title);
  std::printf("\n%-23s", "program");
  for (const Column& c : kColumns) {
    std::printf(" | %8s", "E");
    if (c.paper != nullptr) std::printf(" %7s", "(E)");
    std::printf(" %7s", "T");
  }
  std::printf("\n");
}

// Returns whether there was a row to print.
bool print_tables(double time_limit, const std::string& only) {
  int table = 0;
  for (const PaperRow& row : paper_rows()) {
    if (!row.name.starts_with(only)) continue;
    if (row.table != table) print_heading(table = row.table);
    std::printf("%-23s", row.name.c_str());
    const std::string program = built("tests/literature/" + std::string(row.source), row.flags);
    for (const Column& column : kColumns) {
      const Cell cell = run(program, std::string("--algorithm=") + column.title, time_limit);
      std::printf(" | %8s", cell.refused     ? "-"
                            : !cell.finished ? "TO"
                                             : std::to_string(cell.complete).c_str());
      if (column.paper != nullptr) std::printf(" %7s", in_brackets(row.*column.paper).c_str());
      if (cell.finished)
        std::printf(" %7.3f", cell.seconds);
      else
        std::printf(" %7s", "");
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  return table != 0;
}

// ---- the time of an execution

struct Comparison {
  const char* name;
  const char* source;
  const char* flags;
  const char* algorithm;
  double limit;  // of the ratio
};

// Of many runs the fastest counts: most are too short to be disturbed each time. For observers
// first programs in which nothing can be skipped, then some in which it skips most; for context
// only such in which nothing can be skipped.
constexpr Comparison kComparisons[] = {
    {"readers(12)", "readers.cpp", "-DN=12", "observers", 1.3},
    {"readers_writers(12)", "readers_writers.c", "-DN=12", "observers", 1.3},
    {"lastzero(10)", "lastzero.c", "-DN=10", "observers", 1.3},
    {"lastzero(12)", "lastzero.c", "-DN=12", "observers", 1.3},
    {"indexer(15)", "indexer.c", "-DN=15", "observers", 1.3},
    {"filesystem(22)", "filesystem.cpp", "-DN=22", "observers", 1.3},
    {"ring(12)", "ring.cpp", "-DN=12", "observers", 1.3},
    {"mpat(5)", "mpat.cpp", "-DK=5", "observers", 1.3},
    {"pi(7), mutex", "pi.cpp", "-DN=7", "observers", 1.3},
    {"pi(7), blocks", "context/pi_atomic.cpp", "-DN=7", "observers", 1.3},
    {"floatingread(7)", "context/floatingread.c", "-DN=7", "observers", 1.3},
    {"floatingread(8)", "context/floatingread.c", "-DN=8", "observers", 1.3},
    {"floatingread(10)", "context/floatingread.c", "-DN=10", "observers", 1.3},
    {"floatingread-2phases(5)", "context/floatingread.c", "-DN=5 -DPHASES=2", "observers", 1.3},
    {"lastwrite-2phases(8)", "context/lastwrite.c", "-DN=8 -DPHASES=3", "observers", 1.3},
    {"abs-2phases(5)", "context/abs.cpp", "-DN=5 -DPHASES=2", "observers", 1.3},
    {"lastwrite-dif(7)", "context/lastwrite.c", "-DN=7 -DDIF=1", "context", 2},
    {"lastwrite-dif(8)", "context/lastwrite.c", "-DN=8 -DDIF=1", "context", 2},
    {"floatingread-dif(6)", "context/floatingread.c", "-DN=6 -DDIF=1", "context", 2},
    {"floatingread-dif(7)", "context/floatingread.c", "-DN=7 -DDIF=1", "context", 2},
    {"abs-dif(4)", "context/abs.cpp", "-DN=4 -DDIF=1", "context", 2},
    {"abs-dif(5)", "context/abs.cpp", "-DN=5 -DDIF=1", "context", 2},
    {"lastwrite-dif(8)", "context/lastwrite.c", "-DN=8 -DDIF=1", "context --base=optimal", 2},
    {"floatingread-dif(7)", "context/floatingread.c", "-DN=7 -DDIF=1", "context --base=optimal", 2},
    {"abs-dif(5)", "context/abs.cpp", "-DN=5 -DDIF=1", "context --base=optimal", 2},
};

// Returns whether there was a row to print.
bool print_ratios(std::uint64_t runs, const std::string& only) {
  std::printf("%-23s %-22s %10s %8s %10s %7s %12s\n", "program", "", "executions", "us",
              "optimal's", "ratio", "same events");
  bool any = false;
  for (const Comparison& c : kComparisons) {
    if (!std::string(c.name).starts_with(only)) continue;
    any = true;
    const std::string program = built("tests/literature/" + std::string(c.source), c.flags);
    const bool is_context = std::string(c.algorithm).starts_with("context");
    Cell mine, optimal, same, start;
    mine.seconds = optimal.seconds = same.seconds = start.seconds = 1e9;
    const auto measure = [&](Cell& best, const std::string& options) {
      const Cell cell = run(program, "--algorithm=" + options, 60);
      if (cell.refused || cell.seconds < best.seconds) best = cell;
    };
    for (std::uint64_t i = 0; i < runs; ++i) {
      measure(mine, c.algorithm);
      if (mine.refused) break;
      const std::string as_many = " --max-executions=" + std::to_string(mine.complete);
      measure(optimal, "optimal" + as_many);
      if (is_context) measure(same, "optimal --races=explore" + as_many);
      measure(start, "optimal --max-executions=1");
    }
    std::printf("%-23s %-22s ", c.name, c.algorithm);
    if (mine.refused) {
      std::printf("%10s\n", "-");
      continue;
    }
    const auto per_execution = [&](const Cell& cell) {
      return 1e6 * (cell.seconds - start.seconds) / static_cast<double>(cell.complete);
    };
    const double ratio = per_execution(mine) / per_execution(optimal);
    std::printf("%10ld %8.2f %10.2f %7.2f", mine.complete, per_execution(mine),
                per_execution(optimal), ratio);
    if (is_context)
      std::printf(" %12.2f", per_execution(mine) / per_execution(same));
    else
      std::printf(" %12s", "");
    std::printf("%s\n", ratio > c.limit ? "  over the limit" : "");
    std::fflush(stdout);
  }
  return any;
}

struct Options {
  double time_limit = 20;
  std::uint64_t runs = 15;
  std::string only;
  bool ratios = false;
};

const std::vector<mazur::Option<Options>>& option_table() {
  static const std::vector<mazur::Option<Options>> table{
      {"time-limit", "S", "the most that one cell of a table may take (20)",
       [](Options& o, const std::string& value) {
         o.time_limit = mazur::parse_seconds("time-limit", value);
       }},
      {"only", "PREFIX", "the programs whose names begin so",
       [](Options& o, const std::string& value) { o.only = value; }},
      {"ratios", "", "time per execution, against optimal, instead of the tables",
       [](Options& o, const std::string&) { o.ratios = true; }},
      {"runs", "R", "with --ratios: the fastest of so many runs counts (15)",
       [](Options& o, const std::string& value) { o.runs = mazur::parse_count("runs", value, 1); }},
  };
  return table;
}

int print(const Options& options) {
  const bool any = options.ratios ? print_ratios(options.runs, options.only)
                                  : print_tables(options.time_limit, options.only);
  std::filesystem::remove_all(folder());
  mazur::require_rows(any, options.only);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  return mazur::run_tool("context_table", "Tables 1 and 2 of the context-sensitive paper.",
                         option_table(), options, argc, argv, [&] { return print(options); });
}
