// Whole runs side by side: algorithms, memory models and two builds of Mazur on the same programs, in turns, so that
// a machine that is now fast and now slow favours nobody.
//
//   <build>/bench/native/compare [--runs=N] [--against=MAZUR] [--only=WORD] [--json=FILE]
//
// A row is a program with options. Each of N rounds (default 7) runs all rows of a program, with this build and with
// the other one if there is one. What counts is the least processor time of mazur and the program together, start
// included. `to optimal`: that time divided by that of the program's row with optimal. `to the other`: divided by that
// of the other build. With --json the same figures as an array.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../mazur_runs.h"

namespace {

using mazur::bench::built;
using mazur::bench::children_cpu;
using mazur::bench::folder;

struct Row {
  const char* options;
  const char* name;
};

struct Program {
  const char* name;
  const char* source;  // below the source tree
  const char* flags;
  std::vector<Row> rows;
};

const Row kOptimal = {"--algorithm=optimal", "optimal"};
const Row kGraph = {"--algorithm=graph --memory=sc", "graph, sc"};
const Row kWeak = {"--memory=c++20", "graph, c++20"};
const Row kTwo = {"--algorithm=random --max-executions=400000", "random"};
const Row kTen = {"--algorithm=random --max-executions=40000", "random"};

#define RELAXED "-include " MAZUR_SOURCE_TREE "/bench/native/programs/relaxed.h "

const std::vector<Program> kPrograms = {
    {"two threads", "bench/native/programs/two.cpp", "", {kTwo}},
    {"two threads, 32 MB", "bench/native/programs/two.cpp", "-DDATA=33554432", {kTwo}},
    {"ten threads", "bench/native/programs/ten.cpp", "", {kTen}},
    {"empty main", "bench/native/programs/steps.cpp", "-DSTEPS=0", {kTwo}},
    {"ring(14)", "tests/literature/ring.cpp", "-DN=14", {kOptimal, kGraph}},
    {"readers(15)", "tests/literature/readers.cpp", "-DN=15", {kOptimal, kGraph}},
    {"lastzero(12)", "tests/literature/lastzero.c", "-DN=12", {kOptimal, kGraph}},
    {"indexer(15)", "tests/literature/indexer.c", "-DN=15", {kOptimal, kGraph}},
    {"filesystem(24)", "tests/literature/filesystem.cpp", "-DN=24", {kOptimal, kGraph}},
    {"inc(5,1)", "tests/literature/inc.c", "-DN=5 -DK=1", {kOptimal, kGraph}},
    {"5,000 events", "bench/native/programs/races.cpp", "-DEVENTS=5000", {kOptimal, kGraph, kWeak}},
    {"ring(14), relaxed", "tests/literature/ring.cpp", RELAXED "-DN=14", {kWeak}},
    {"readers(15), relaxed", "tests/literature/readers.cpp", RELAXED "-DN=15", {kWeak}},
    {"inc(5,1), relaxed", "tests/literature/inc.c", RELAXED "-DN=5 -DK=1", {kWeak}},
};

struct Run {
  double cpu = 0, executions = 0, events = 0;
};

Run run(const std::string& mazur, const std::string& program, const std::string& options) {
  const std::string json = (folder() / "result.json").string();
  const std::string command = mazur + " check " + program + " " + options +
                              " --quiet --no-trace --json=" + json + " > /dev/null 2>&1";
  std::filesystem::remove(json);
  const double before = children_cpu();
  (void)!std::system(command.c_str());
  Run result;
  result.cpu = children_cpu() - before;
  std::ifstream in(json);
  const auto found = nlohmann::json::parse(in, nullptr, false);
  if (found.is_discarded()) return {};  // a build that does not know these options
  for (const auto& count : found["executions"]) result.executions += count.get<double>();
  result.events = found["events"].get<double>();
  return result;
}

struct Best {
  Run run;
  void note(const Run& other) {
    if (other.cpu != 0 && (run.cpu == 0 || other.cpu < run.cpu)) run = other;
  }
};

void measure(const Program& program, int rounds, const std::string& against,
             nlohmann::json& figures) {
  const std::string path = built(program.source, program.flags);
  std::vector<std::array<Best, 2>> best(program.rows.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < program.rows.size(); ++i)
      for (std::size_t turn = 0; turn < 2; ++turn) {
        const std::size_t which = (turn + static_cast<std::size_t>(round)) % 2;
        if (which == 1 && against.empty()) continue;
        best[i][which].note(
            run(which == 0 ? MAZUR_PROGRAM : against, path, program.rows[i].options));
      }
  const bool has_optimal = program.rows[0].options == std::string_view(kOptimal.options);
  const double optimal = has_optimal ? best[0][0].run.cpu : 0;
  for (std::size_t i = 0; i < program.rows.size(); ++i) {
    const Run& own = best[i][0].run;
    const double rate = own.executions / own.cpu, event = 1e9 * own.cpu / own.events;
    nlohmann::json row = {{"program", program.name},
                          {"options", program.rows[i].options},
                          {"executions", own.executions},
                          {"executions_per_second", rate},
                          {"nanoseconds_per_event", event}};
    std::printf("%-21s %-13s %10.0f %12.0f %10.0f", program.name, program.rows[i].name,
                own.executions, rate, event);
    if (i > 0 && optimal > 0) row["to_optimal"] = own.cpu / optimal;
    if (row.contains("to_optimal"))
      std::printf(" %11.2f", own.cpu / optimal);
    else
      std::printf(" %11s", "");
    if (best[i][1].run.cpu != 0) {
      row["to_the_other"] = own.cpu / best[i][1].run.cpu;
      std::printf(" %13.3f", own.cpu / best[i][1].run.cpu);
    }
    std::printf("\n");
    std::fflush(stdout);
    figures.push_back(std::move(row));
  }
}

[[noreturn]] void usage() {
  std::fprintf(stderr, "usage: compare [--runs=N] [--against=MAZUR] [--only=WORD] [--json=FILE]\n");
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 7;
  std::string against, only, json;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&](std::string_view name, std::string& to) {
      if (!argument.starts_with(name)) return false;
      to = argument.substr(name.size());
      return true;
    };
    std::string number;
    if (value("--runs=", number))
      rounds = std::atoi(number.c_str());
    else if (!value("--against=", against) && !value("--only=", only) && !value("--json=", json))
      usage();
  }
  if (rounds < 1) usage();
  std::printf("%-21s %-13s %10s %12s %10s %11s%s\n", "program", "", "executions", "exec/cpu s",
              "ns/event", "to optimal", against.empty() ? "" : "  to the other");
  nlohmann::json figures = nlohmann::json::array();
  for (const Program& program : kPrograms)
    if (std::string_view(program.name).find(only) != std::string_view::npos)
      measure(program, rounds, against, figures);
  if (!json.empty()) std::ofstream(json) << figures.dump(2) << '\n';
  std::filesystem::remove_all(folder());
}
