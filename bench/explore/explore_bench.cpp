// What a trace and a plan cost. `time per event` and `time per execution` are counters; they should
// not depend on the length of the trace, or grow linearly with it.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "../../tests/explore/run_all.h"
#include "explore/explorer.h"
#include "script_machine.h"
#include "trace/trace.h"

namespace mazur {
namespace {

using benchmark::Counter;

constexpr ObjectId kShared = 0x1000;
constexpr ObjectId kPrivate = 0x100000;

Event event(ThreadId thread, OpKind kind, ObjectId object) {
  Event e{.thread = thread, .choice = 0, .ways = 1, .label = {}};
  static_cast<Operation&>(e.label) = access(kind, object);
  return e;
}

// Four threads take turns: mostly their own variables, every eighth event a shared one.
std::vector<Event> mixed_trace(std::size_t size) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < size; ++i) {
    const auto t = static_cast<ThreadId>(i / 3 % 4);
    const bool write = i % 5 == 0;
    events.push_back(event(t, write ? OpKind::kStore : OpKind::kLoad,
                           i % 8 == 0 ? kShared + i % 3 * 8 : kPrivate + t * 512 + i % 40 * 8));
  }
  return events;
}

void append(benchmark::State& state) {
  const auto events = mixed_trace(static_cast<std::size_t>(state.range(0)));
  Trace trace;
  for (auto _ : state) {
    trace.clear();
    for (const Event& e : events) trace.append(e);
  }
  state.counters["time per event"] = Counter(static_cast<double>(events.size()),
                                             Counter::kIsIterationInvariantRate | Counter::kInvert);
}
BENCHMARK(append)->Arg(100)->Arg(1000)->Arg(10000);

// Many reads of one variable between two writes, which all have to be compared with.
void append_hot_variable(benchmark::State& state) {
  std::vector<Event> events;
  for (std::int64_t i = 0; i < state.range(0); ++i)
    events.push_back(event(static_cast<ThreadId>(i % 7),
                           i % 100 == 0 ? OpKind::kStore : OpKind::kLoad, kShared));
  Trace trace;
  for (auto _ : state) {
    trace.clear();
    for (const Event& e : events) trace.append(e);
  }
  state.counters["time per event"] = Counter(static_cast<double>(events.size()),
                                             Counter::kIsIterationInvariantRate | Counter::kInvert);
}
BENCHMARK(append_hot_variable)->Arg(100)->Arg(1000)->Arg(10000);

std::uint64_t explore_all(ScriptMachine& machine, std::string_view explorer_name) {
  return run_all(machine, *make_explorer(explorer_name, {})).total();
}

void count(benchmark::State& state, std::uint64_t executions, std::uint64_t expected) {
  if (executions != expected) throw std::logic_error("another number of executions than expected");
  state.counters["executions"] = static_cast<double>(expected);
  state.counters["time per execution"] =
      Counter(static_cast<double>(expected), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

// 2^4 classes, however long an execution is: four pairs of threads, each with one race in the
// middle of accesses to variables of their own.
void few_races(benchmark::State& state, std::string_view explorer) {
  const std::int64_t own = state.range(0) / 8 - 1;
  std::vector<std::vector<Operation>> threads(8);
  for (ThreadId t = 0; t < 8; ++t) {
    for (std::int64_t i = 0; i <= own; ++i)
      threads[t].push_back(i == own / 2
                               ? access(OpKind::kStore, kShared + t / 2 * 8)
                               : access(i % 3 == 0 ? OpKind::kStore : OpKind::kLoad,
                                        kPrivate + t * 4096u + static_cast<ObjectId>(i % 100) * 8));
  }
  ScriptMachine machine(std::move(threads));
  std::uint64_t executions = 0;
  for (auto _ : state) executions = explore_all(machine, explorer);
  count(state, executions, 16);
}
BENCHMARK_CAPTURE(few_races, optimal, "optimal")->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(few_races, lazy, "lazy")->Arg(100)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(few_races, source, "source")->Arg(100)->Arg(1000)->Arg(10000);

// n! classes: n threads add to a sum under one lock, after k accesses of their own.
void lock_and_add(benchmark::State& state, std::string_view explorer) {
  const auto n = static_cast<ThreadId>(state.range(0));
  std::vector<std::vector<Operation>> threads(n);
  std::uint64_t expected = 1;
  for (ThreadId t = 0; t < n; ++t) {
    expected *= t + 1u;
    for (std::int64_t i = 0; i < state.range(1); ++i)
      threads[t].push_back(access(OpKind::kStore, kPrivate + t * 64u));
    threads[t].push_back(access(OpKind::kLock, 1));
    threads[t].push_back(access(OpKind::kLoad, kShared));
    threads[t].push_back(access(OpKind::kStore, kShared));
    threads[t].push_back(access(OpKind::kUnlock, 1));
  }
  ScriptMachine machine(std::move(threads));
  std::uint64_t executions = 0;
  for (auto _ : state) executions = explore_all(machine, explorer);
  count(state, executions, expected);
}
BENCHMARK_CAPTURE(lock_and_add, optimal, "optimal")->Args({6, 0})->Args({6, 6})->Args({6, 34});

// 2^n classes: one writer, n readers, after k accesses of their own.
void readers(benchmark::State& state, std::string_view explorer) {
  const auto n = static_cast<ThreadId>(state.range(0));
  std::vector<std::vector<Operation>> threads(n + std::size_t{1});
  threads[0].push_back(access(OpKind::kStore, kShared));
  for (ThreadId t = 1; t <= n; ++t) {
    for (std::int64_t i = 0; i < state.range(1); ++i)
      threads[t].push_back(access(OpKind::kLoad, kPrivate + t * 64u));
    threads[t].push_back(access(OpKind::kLoad, kShared));
  }
  ScriptMachine machine(std::move(threads));
  std::uint64_t executions = 0;
  for (auto _ : state) executions = explore_all(machine, explorer);
  count(state, executions, std::uint64_t{1} << n);
}
BENCHMARK_CAPTURE(readers, optimal, "optimal")->Args({12, 1})->Args({12, 4})->Args({12, 20});
BENCHMARK_CAPTURE(readers, lazy, "lazy")->Args({12, 1})->Args({12, 4})->Args({12, 20});

}  // namespace
}  // namespace mazur

BENCHMARK_MAIN();
