// What the native machine costs: executions per second of whole runs, and what a switch, a step and
// a reset are in them.
//
//   <build>/bench/native/native_bench [--benchmark_filter=...]
//
// Each run starts mazur on a program that is compiled once. exec/s is by the clock; exec/cpu_s by
// the processor time of mazur and the program, start included: on a busy machine only that one says
// something.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "../mazur_runs.h"

extern "C" {
void mazur_enter(void** save_sp, void* load_sp);
void mazur_leave(void** save_sp, void* load_sp);
void mazur_fiber_start();
}

namespace {

using mazur::bench::built;
using mazur::bench::children_cpu;
using mazur::bench::folder;

struct Program {
  std::string source;  // below the source tree
  std::string flags;
  std::string options;
};

void run(benchmark::State& state, const Program& program) {
  const std::string json = (folder() / "result.json").string();
  const std::string command = std::string(MAZUR_PROGRAM) + " check " +
                              built(program.source, program.flags) + " " + program.options +
                              " --quiet --no-trace --json=" + json + " > /dev/null 2>&1";
  double seconds = 0, cpu = 0, executions = 0, events = 0, rss = 0;
  for (auto _ : state) {
    const double before = children_cpu();
    (void)!std::system(command.c_str());
    cpu += children_cpu() - before;
    std::ifstream in(json);
    const auto result = nlohmann::json::parse(in);
    state.SetIterationTime(result["seconds"]);
    seconds += result["seconds"].get<double>();
    for (const auto& count : result["executions"]) executions += count.get<double>();
    events += result["events"].get<double>();
    rss = result["peak_rss_kb"].get<double>();
  }
  state.counters["exec/s"] = executions / seconds;
  state.counters["exec/cpu_s"] = executions / cpu;
  state.counters["cpu_ns/event"] = 1e9 * cpu / events;
  state.counters["executions"] = executions / static_cast<double>(state.iterations());
  state.counters["rss_MB"] = rss / 1024;
}

void add(const char* name, const Program& program) {
  benchmark::RegisterBenchmark(name, [program](benchmark::State& state) { run(state, program); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

// ---- one switch to a fiber and back, as a step does

void* fiber_sp;
void* scheduler_sp;

[[noreturn]] void fiber_loop() {
  for (;;) mazur_leave(&fiber_sp, scheduler_sp);
}

void switch_there_and_back(benchmark::State& state) {
  alignas(64) static char stack[64 << 10];
  auto* top = reinterpret_cast<std::uint64_t*>(stack + sizeof stack - 256);
  *--top = 0;
  *--top = 0;
  *--top = reinterpret_cast<std::uint64_t>(&mazur_fiber_start);
  for (int i = 0; i < 2; ++i) *--top = 0;
  *--top = reinterpret_cast<std::uint64_t>(&fiber_loop);  // r12
  for (int i = 0; i < 3; ++i) *--top = 0;
  *--top = 0x0000037f00001f80;
  fiber_sp = top;
  for (auto _ : state) mazur_enter(&scheduler_sp, fiber_sp);
}
BENCHMARK(switch_there_and_back);

}  // namespace

int main(int argc, char** argv) {
  const std::string random = "--algorithm=random --max-executions=";
  const std::string programs = "bench/native/programs/";
  add("random/two", {programs + "two.cpp", "", random + "400000"});
  add("random/two/32MB", {programs + "two.cpp", "-DDATA=33554432", random + "400000"});
  add("random/ten", {programs + "ten.cpp", "", random + "40000"});
  add("random/fork/two", {programs + "two.cpp", "", random + "500 --isolation=fork"});
  // A reset and main alone; then what 100 and 10,000 steps add.
  add("random/steps/0", {programs + "steps.cpp", "-DSTEPS=0", random + "400000"});
  add("random/steps/100", {programs + "steps.cpp", "-DSTEPS=100", random + "100000"});
  add("random/steps/10000", {programs + "steps.cpp", "-DSTEPS=10000", random + "1000"});

  const std::string literature = "tests/literature/";
  add("optimal/ring(14)", {literature + "ring.cpp", "-DN=14", ""});
  add("optimal/readers(15)", {literature + "readers.cpp", "-DN=15", ""});
  add("optimal/lastzero(12)", {literature + "lastzero.c", "-DN=12", ""});
  add("optimal/indexer(15)", {literature + "indexer.c", "-DN=15", ""});
  add("optimal/filesystem(24)", {literature + "filesystem.cpp", "-DN=24", ""});
  add("optimal/inc(5,1)", {literature + "inc.c", "-DN=5 -DK=1", ""});
  for (const char* events : {"100", "1000", "5000", "10000"})
    add((std::string("optimal/races/") + events).c_str(),
        {programs + "races.cpp", std::string("-DEVENTS=") + events, ""});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(folder());
}
