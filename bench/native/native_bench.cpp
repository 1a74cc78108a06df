// What the native machine costs: executions per second of whole runs, and what a switch, a step and
// a reset are in them.
//
//   <build>/bench/native/native_bench [--benchmark_filter=...]
//
// Each run starts mazur on a program that is compiled once. exec/s is by the clock; exec/cpu_s by
// the processor time of mazur and the program, start included: on a busy machine only that one says
// something.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

extern "C" {
void mazur_enter(void** save_sp, void* load_sp);
void mazur_leave(void** save_sp, void* load_sp);
void mazur_fiber_start();
}

namespace {

struct Program {
  std::string source;  // below the source tree
  std::string flags;
  std::string options;
};

const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "mazur-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return std::filesystem::path(name);
  }();
  return path;
}

std::string built(const Program& program) {
  static std::map<std::string, std::string> known;
  std::string& path = known[program.source + program.flags];
  if (!path.empty()) return path;
  path = (folder() / ("program" + std::to_string(known.size()))).string();
  const bool c = program.source.ends_with(".c");
  const std::string command = std::string(MAZUR_PROGRAM) + (c ? " cc " : " c++ -std=c++20 ") +
                              "-O2 " + program.flags + " " MAZUR_SOURCE_TREE "/" + program.source +
                              " -o " + path;
  if (std::system(command.c_str()) != 0) std::abort();
  return path;
}

// Processor time of the processes that were started and have ended.
double children_cpu() {
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void run(benchmark::State& state, const Program& program) {
  const std::string json = (folder() / "result.json").string();
  const std::string command = std::string(MAZUR_PROGRAM) + " check " + built(program) + " " +
                              program.options + " --quiet --no-trace --json=" + json +
                              " > /dev/null 2>&1";
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
