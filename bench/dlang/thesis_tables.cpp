// Appendix B of the LazyPOR thesis with our figures beside its own, as Markdown.
//
//   <build>/bench/dlang/thesis_tables [--time-limit=S] [--only=PROGRAM]
//
// Our times are processor time. S is the most that one run may take, by the clock (default: 10); an
// algorithm that takes longer is left out from there on. PROGRAM: one of readers-writers, indexer,
// indexer-small, branching.
#include <fmt/format.h>
#include <time.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/loop.h"
#include "cli/tool.h"
#include "dlang/thesis_programs.h"
#include "explore/explorer.h"
#include "machine/dlang/dlang_machine.h"
#include "machine/dlang/parser.h"

namespace mazur::dlang {
namespace {

// What the thesis measured; 0: nothing.
struct ThesisRow {
  int processes;
  double lazy_seconds;
  std::uint64_t lazy;
  double dpor_seconds;
  std::uint64_t dpor;
};

const std::vector<ThesisRow> kReadersWriters = {
    {2, 0.001, 2, 0.002, 3},
    {3, 0.003, 4, 0.027, 26},
    {4, 0.009, 8, 0.657, 493},
    {5, 0.021, 16, 27.463, 16559},
    {6, 0.051, 32, 1750.778, 866697},
    {7, 0.120, 64, 0, 0},
    {8, 0.280, 128, 0, 0},
    {9, 0.629, 256, 0, 0},
    {10, 1.433, 512, 0, 0},
    {11, 3.171, 1024, 0, 0},
    {12, 6.894, 2048, 0, 0},
    {13, 15.153, 4096, 0, 0},
    {14, 33.044, 8192, 0, 0},
    {15, 71.406, 16384, 0, 0},
    {16, 155.865, 32768, 0, 0},
    {17, 334.032, 65536, 0, 0},
    {18, 718.283, 131072, 0, 0},
    {19, 1534.372, 262144, 0, 0},
    {20, 3245.686, 524288, 0, 0},
    {21, 6982.460, 1048576, 0, 0},
};

const std::vector<ThesisRow> kIndexer = {
    {1, 0.001, 1, 0.005, 1},
    {2, 0.001, 1, 0.013, 1},
    {3, 0.001, 1, 0.026, 1},
    {4, 0.001, 1, 0.044, 1},
    {5, 0.001, 1, 0.066, 1},
    {6, 0.001, 1, 0.093, 1},
    {7, 0.001, 1, 0.127, 1},
    {8, 0.001, 1, 0.165, 1},
    {9, 0.001, 1, 0.211, 1},
    {10, 0.002, 1, 0.259, 1},
    {11, 0.002, 1, 0.319, 1},
    {12, 0.048, 9, 9.388, 23},
    {13, 0.455, 64, 266.064, 529},
    {14, 4.344, 513, 7069.726, 12167},
    {15, 39.765, 4096, 190012.311, 279841},
    {16, 361.107, 32769, 0, 0},
    {17, 3283.134, 262144, 0, 0},
    {18, 28764.877, 2097152, 0, 0},
    {19, 253524.515, 16777216, 0, 0},
};

const std::vector<ThesisRow> kIndexerSmall = {
    {1, 0.001, 1, 0.002, 1},
    {2, 0.001, 1, 0.005, 1},
    {3, 0.002, 3, 0.022, 2},
    {4, 0.004, 4, 0.068, 4},
    {5, 0.013, 9, 0.187, 8},
    {6, 0.031, 16, 0.471, 16},
    {7, 0.077, 33, 1.158, 32},
    {8, 0.180, 64, 2.758, 64},
    {9, 0.415, 129, 6.409, 128},
    {10, 0.943, 256, 14.501, 256},
    {11, 2.105, 513, 33.284, 512},
    {12, 4.747, 1024, 74.498, 1024},
    {13, 10.535, 2049, 165.129, 2048},
    {14, 23.056, 4096, 362.931, 4096},
    {15, 51.090, 8194, 800.262, 8192},
    {16, 108.559, 16384, 1751.365, 16384},
    {17, 238.402, 32770, 3796.769, 32768},
    {18, 518.973, 65536, 8147.626, 65536},
    {19, 1100.982, 131073, 17929.869, 131072},
    {20, 2356.374, 262144, 38178.370, 262144},
};

const std::vector<ThesisRow> kBranching = {
    {1, 0.001, 1, 0.001, 1},
    {2, 0.085, 49, 0.031, 23},
    {3, 1.032, 393, 0.773, 299},
    {4, 15.594, 5555, 20.336, 5731},
    {5, 466.504, 124123, 539.520, 112168},
    {6, 9636.756, 2085951, 25774.401, 2407542},
    {7, 188331.801, 33153882, 0, 0},
};

struct Experiment {
  std::string name;
  std::string (*text)(int processes);
  const std::vector<ThesisRow>& thesis;
};

// An explorer, and the machine as it is to see it.
struct Column {
  std::string name;
  std::string algorithm;
  bool as_in_thesis = false;  // no sleep sets, the lowest process first, reads depend on reads
  bool over = false;          // took too long with fewer processes already
};

class Silent final : public Watcher {
  void failed(const Trace&, const Frontier&, const Failure&) override {}
};

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Measured {
  std::uint64_t executions = 0;
  double seconds = 0;
};

std::optional<Measured> measure(const Program& program, const Column& column, double limit) {
  ExplorerOptions options;
  options.sleep_sets = !column.as_in_thesis;
  if (column.as_in_thesis) options.pick = PickOrder::kLowest;
  const auto explorer = make_explorer(column.algorithm, options);
  if (explorer == nullptr) return std::nullopt;
  DlangMachine machine(program, {.reads_conflict = column.as_in_thesis});
  Bounds bounds;
  bounds.time_limit = limit;
  Silent silent;
  const double start = processor_seconds();
  const Outcome outcome = explore(machine, *explorer, bounds, silent);
  if (outcome.verdict != Verdict::kVerified) return std::nullopt;
  return Measured{outcome.tally.total(), processor_seconds() - start};
}

std::string thesis_cell(std::uint64_t executions, double seconds) {
  return executions == 0 ? "-" : fmt::format("{} ({:.3f} s)", executions, seconds);
}

void print(const Experiment& experiment, double limit) {
  std::vector<Column> columns = {{"lazy", "lazy"},
                                 {"optimal", "optimal"},
                                 {"source", "source"},
                                 {"dpor as in the thesis", "dpor", true}};
  fmt::print("### {}\n\n| processes | thesis, LazyPOR | thesis, DPOR |", experiment.name);
  for (const Column& column : columns) fmt::print(" {} |", column.name);
  fmt::print("\n|---|---|---|");
  for (std::size_t i = 0; i < columns.size(); ++i) fmt::print("---|");
  fmt::print("\n");
  for (const ThesisRow& row : experiment.thesis) {
    const Program program = parse(experiment.text(row.processes));
    fmt::print("| {} | {} | {} |", row.processes, thesis_cell(row.lazy, row.lazy_seconds),
               thesis_cell(row.dpor, row.dpor_seconds));
    for (Column& column : columns) {
      const auto measured = column.over ? std::nullopt : measure(program, column, limit);
      column.over = !measured;
      fmt::print(
          " {} |",
          measured ? fmt::format("{} ({:.3f} s)", measured->executions, measured->seconds) : "-");
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all{{"readers-writers", readers_writers, kReadersWriters},
                                           {"indexer", indexer, kIndexer},
                                           {"indexer-small", indexer_small, kIndexerSmall},
                                           {"branching", branching, kBranching}};
  return all;
}

struct Options {
  double time_limit = 10;
  std::string only;
};

const std::vector<Option<Options>>& option_table() {
  static const std::vector<Option<Options>> table{
      {"time-limit", "S", "the most that one run may take, by the clock (10)",
       [](Options& o, const std::string& value) {
         o.time_limit = parse_seconds("time-limit", value);
       }},
      {"only", "PROGRAM", "one of readers-writers, indexer, indexer-small, branching",
       [](Options& o, const std::string& value) {
         std::vector<std::string_view> names;
         for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
         parse_one_of("only", value, names);
         o.only = value;
       }},
  };
  return table;
}

int print(const Options& options) {
  for (const Experiment& experiment : experiments())
    if (options.only.empty() || options.only == experiment.name)
      print(experiment, options.time_limit);
  return 0;
}

}  // namespace
}  // namespace mazur::dlang

int main(int argc, char** argv) {
  using namespace mazur::dlang;
  Options options;
  return mazur::run_tool("thesis_tables", "Appendix B of the LazyPOR thesis, as Markdown.",
                         option_table(), options, argc, argv, [&] { return print(options); });
}
