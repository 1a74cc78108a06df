// What causality and conflict between two events cost, by how deep they are (Quasi-Optimal POR,
// section 5): the time should grow with the logarithm of the depth.
#include <benchmark/benchmark.h>

#include "explore/unfolding/structure/causality.h"
#include "explore/unfolding/structure/configuration.h"

namespace mazur::unfolding {
namespace {

// Two threads, each with a chain of `depth` writes to its own variable, in two branches that part
// at the start, so that answers need a walk over the whole depth.
EventStructure two_branches(std::uint32_t depth) {
  EventStructure structure;
  Label label;
  label.kind = OpKind::kStore;
  label.size = 8;
  for (std::uint16_t branch = 0; branch < 2; ++branch)
    for (ThreadId thread = 0; thread < 2; ++thread) {
      EventId last = kBottom;
      label.object = 0x1000 + thread * 0x1000;
      for (std::uint32_t i = 0; i < depth; ++i)
        last = structure.add({thread, i == 0 ? branch : std::uint16_t{0}, last, {}, &label},
                             [&](ObjectIndex) { return last; });  // one touch each
    }
  return structure;
}

void causes(benchmark::State& state) {
  const auto depth = static_cast<std::uint32_t>(state.range(0));
  const EventStructure structure = two_branches(depth);
  const Causality causality(structure, static_cast<std::uint32_t>(state.range(1)));
  const EventId deepest = depth - 1;
  EventId e = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(causality.causes(e, deepest));
    e = (e * 5 + 1) % depth;
  }
}

void conflict(benchmark::State& state) {
  const auto depth = static_cast<std::uint32_t>(state.range(0));
  const EventStructure structure = two_branches(depth);
  const Causality causality(structure, static_cast<std::uint32_t>(state.range(1)));
  EventId e = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(causality.conflict(e, 3 * depth - 1));
    e = (e * 5 + 1) % depth;
  }
}

void arguments(benchmark::internal::Benchmark* b) {
  for (std::int64_t step : {2, 4, 8})
    for (std::int64_t depth : {10, 1'000, 100'000}) b->Args({depth, step});
}
BENCHMARK(causes)->Apply(arguments);
BENCHMARK(conflict)->Apply(arguments);

}  // namespace
}  // namespace mazur::unfolding

BENCHMARK_MAIN();
