#include "weak_verify.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/random_source.h"
#include "check/exploration.h"
#include "check/loop.h"
#include "explore/divisible.h"
#include "explore/graph/graph.h"
#include "graph_census.h"
#include "machine/model/model_machine.h"

namespace mazur::model {
namespace {

constexpr const char* kNames[] = {"sc", "tso", "pso", "c++20"};

std::uint8_t order_of(OpKind kind, RandomSource& random) {
  constexpr std::uint8_t kLoads[] = {__ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_ACQUIRE,
                                     __ATOMIC_SEQ_CST};
  constexpr std::uint8_t kStores[] = {__ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_RELEASE,
                                      __ATOMIC_SEQ_CST};
  constexpr std::uint8_t kUpdates[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE,
                                       __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};
  constexpr std::uint8_t kFences[] = {__ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST};
  switch (kind) {
    case OpKind::kLoad:
      return kLoads[random.below(4)];
    case OpKind::kStore:
      return kStores[random.below(4)];
    case OpKind::kFence:
      return kFences[random.below(5)];
    default:
      return kUpdates[random.below(5)];
  }
}

bool has_loops(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& t) {
    return std::ranges::any_of(t.code, [](const Instruction& in) {
      return in.code == Code::kSpin || in.code == Code::kSpinBoth || in.code == Code::kSpinSwap;
    });
  });
}

std::string compare(const Program& program, const WeakAnswer& answer, ExplorerOptions options) {
  ModelMachine machine(program);
  const auto explorer = make_graph(options);
  // Arrivals at barriers that are not crowded commute.
  GraphCensus census(
      *explorer, answer.crowded ? WeakGraph::Arrivals::kOrdered : WeakGraph::Arrivals::kCommute);
  const std::set<std::string>& expected = answer.crowded ? answer.names : answer.commuting;
  const Bounds bounds{
      .max_steps = 1000, .max_executions = 10 * answer.names.size() + 100, .keep_going = true};
  const Outcome outcome = explore(machine, *explorer, bounds, census);
  if (!census.complaint.empty()) return census.complaint;
  std::size_t missing = 0, unknown = 0, again = 0;
  for (const std::string& name : expected) missing += !census.names.contains(name);
  for (const auto& [name, times] : census.names) {
    unknown += !expected.contains(name);
    again += times > 1;
  }
  if (missing + unknown + again != 0)
    return std::to_string(missing) + " of " + std::to_string(expected.size()) +
           " graphs missing, " + std::to_string(unknown) + " unknown, " + std::to_string(again) +
           " more than once";
  if (outcome.tally.blocked != 0) return "executions in vain";
  if (!outcome.cuts.empty()) return "not finished";
  return {};
}

// Explores in pieces, each by an explorer that knows nothing but its bytes, in the order of a
// depth-first search. Each stops after a few executions and gives the rest away.
std::string explore_divided(const Program& program, ExplorerOptions options, std::size_t most,
                            std::vector<std::string>& sequence, std::vector<double>& explored) {
  RandomSource random(options.seed, 77);
  std::vector<std::string> pieces{""};
  std::uint32_t lessons = 0;
  double before = 0;  // explored in the pieces that are done
  while (!pieces.empty()) {
    const std::string piece = std::move(pieces.back());
    pieces.pop_back();
    ModelMachine machine(program);
    const auto explorer = make_graph(options);
    Divisible& divisible = *explorer->divisible();
    divisible.learn(lessons);
    if (!piece.empty() && !divisible.take(piece)) return "a piece was refused";
    if (divisible.is_empty()) {
      before += divisible.explored();
      continue;
    }
    GraphCensus census(*explorer, WeakGraph::Arrivals::kOrdered);
    const Bounds bounds{.max_steps = 1000, .slice = 1 + random.below(3), .keep_going = true};
    Exploration exploration(machine, *explorer, bounds, census);
    bool paused = exploration.run().paused;
    while (paused && !divisible.can_divide()) paused = exploration.run().paused;
    if (!census.complaint.empty()) return census.complaint;
    const std::uint32_t known = std::exchange(lessons, divisible.lessons());
    if (lessons != known && !piece.empty()) {
      sequence.clear();
      explored.clear();
      before = 0;
      pieces = {""};
      continue;
    }
    std::ranges::move(census.sequence, std::back_inserter(sequence));
    for (const double part : census.explored) explored.push_back(before + part);
    before += divisible.explored();
    if (sequence.size() > most) return "more executions in pieces than in one";
    if (!paused) continue;
    std::vector<std::string> rest = divisible.divide(1 + random.below(5));
    std::move(rest.rbegin(), rest.rend(), std::back_inserter(pieces));
  }
  explored.push_back(before);
  return {};
}

// Whatever the pieces are, the executions are those of one explorer, in the same order. So is what is
// estimated to be explored.
std::string compare_divided(const Program& program, ExplorerOptions options) {
  ModelMachine machine(program);
  const auto explorer = make_graph(options);
  GraphCensus census(*explorer, WeakGraph::Arrivals::kOrdered);
  const Bounds bounds{.max_steps = 1000, .keep_going = true};
  explore(machine, *explorer, bounds, census);
  std::vector<std::string> sequence;
  std::vector<double> explored;
  const std::string what =
      explore_divided(program, options, census.sequence.size(), sequence, explored);
  if (!what.empty()) return "in pieces: " + what;
  if (sequence != census.sequence) return "in pieces: other executions, or in another order";
  census.explored.push_back(1);
  const auto alike = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  return std::ranges::equal(explored, census.explored, alike) ? "" : "in pieces: another estimate";
}

// A few accesses to two or three variables in each thread, as litmus tests have them.
Program generate_litmus(RandomSource& random, const Shape& shape) {
  Program program;
  const unsigned variables = 2 + (random.below(3) == 0 ? 1 : 0);
  program.of(ObjectClass::kVariable).assign(variables, 0);
  program.threads.resize(2 + random.below(shape.max_threads - 1));
  unsigned left = shape.max_operations;
  const auto value = [](unsigned n) { return Value{.constant = static_cast<std::int32_t>(n)}; };
  for (Thread& thread : program.threads)
    for (unsigned n = 2 + random.below(2); n > 0 && left > 0; --n, --left) {
      Instruction in{.reg = static_cast<std::uint8_t>(thread.code.size()),
                     .place = {.base = static_cast<std::uint16_t>(random.below(variables))}};
      const unsigned kind = random.below(10);
      in.code = kind < 4    ? Code::kLoad
                : kind < 8  ? Code::kStore
                : kind == 8 ? Code::kFetchAdd
                            : Code::kCas;
      if (in.code == Code::kStore) in.value = value(1 + random.below(2));
      if (in.code == Code::kFetchAdd) in.value = value(1);
      if (in.code == Code::kCas) in.value = value(random.below(2)), in.value2 = value(2);
      thread.code.push_back(in);
    }
  return program;
}

}  // namespace

Program generate_weak(std::uint64_t seed, std::uint64_t number, const Shape& shape) {
  RandomSource random(seed, number ^ 0x9e3779b97f4a7c15);
  Program program =
      number % 4 == 2 ? generate_litmus(random, shape) : generate(seed, number, shape);
  // In one out of four almost everything is seq_cst, and nothing is a fence.
  const bool strong = random.below(4) == 0;
  for (Thread& thread : program.threads) {
    if (!strong && random.below(100) < 40) {  // one fence, or two
      for (unsigned n = 1 + random.below(2); n > 0; --n) {
        const auto at =
            static_cast<std::uint16_t>(random.below(static_cast<unsigned>(thread.code.size()) + 1));
        for (Instruction& in : thread.code)
          if (has_part(in.code, Part::kTarget) && in.target > at) ++in.target;
        thread.code.insert(thread.code.begin() + at, Instruction{.code = Code::kFence});
      }
    }
    for (Instruction& in : thread.code) {
      const OpKind kind = form(in.code).kind;
      if (kind == OpKind::kLoad || kind == OpKind::kStore || kind == OpKind::kRmw ||
          kind == OpKind::kCas || kind == OpKind::kFence)
        in.order = strong && random.below(100) < 85 ? __ATOMIC_SEQ_CST : order_of(kind, random);
    }
  }
  return program;
}

bool is_for_graphs(const Program& program) {
  return std::ranges::none_of(program.threads, [](const Thread& t) {
    return std::ranges::any_of(t.code, [](const Instruction& in) {
      switch (in.code) {
        case Code::kCondTimedWait:
        case Code::kAwait:
        case Code::kAwaitBoth:
        case Code::kObserve:
        case Code::kSpinBoth:
        case Code::kSpinSwap:
        case Code::kFutexWait:
        case Code::kFutexWake:
          return true;
        default:
          return false;
      }
    });
  });
}

WeakFindings verify_weak(const Program& program, std::uint64_t seed, std::size_t max_graphs) {
  WeakFindings findings;
  std::map<MemoryModel, WeakAnswer> answers;
  for (MemoryModel model :
       {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso, MemoryModel::kCpp20}) {
    // A loop that waits may begin another round after an update that changes nothing, but under sc.
    if (model == MemoryModel::kSc && has_loops(program)) continue;
    const std::string name = kNames[static_cast<std::size_t>(model)];
    WeakAnswer& answer = answers[model] = enumerate_graphs(program, model, max_graphs);
    findings.too_large = !answer.complete;
    if (findings.too_large) return findings;
    findings.executions += answer.names.size();
    const bool buffers = model == MemoryModel::kTso || model == MemoryModel::kPso;
    if (buffers && !has_loops(program)) {
      const WeakAnswer other = enumerate_buffers(program, model, 20 * max_graphs);
      if (other.complete && other.names != answer.names) {
        findings.what = name + ": the oracles disagree: " + std::to_string(answer.names.size()) +
                        " graphs, with buffers " + std::to_string(other.names.size());
        return findings;
      }
    }
    for (PickOrder pick : {PickOrder::kContinue, PickOrder::kLowest, PickOrder::kHighest,
                           PickOrder::kRoundRobin, PickOrder::kRandom}) {
      const std::string what =
          compare(program, answer, {.pick = pick, .seed = seed, .memory = model});
      if (what.empty()) continue;
      findings.what = name + ", pick " + std::to_string(static_cast<int>(pick)) + ": " + what;
      return findings;
    }
    const auto pick = static_cast<PickOrder>(seed % 5);
    findings.what = compare_divided(program, {.pick = pick, .seed = seed, .memory = model});
    if (!findings.what.empty()) {
      findings.what = name + ", pick " + std::to_string(seed % 5) + ", " + findings.what;
      return findings;
    }
  }
  const auto includes = [&](MemoryModel more, MemoryModel less) {
    return !answers.contains(less) ||
           std::ranges::includes(answers.at(more).names, answers.at(less).names);
  };
  if (!includes(MemoryModel::kTso, MemoryModel::kSc) ||
      !includes(MemoryModel::kPso, MemoryModel::kTso) ||
      !includes(MemoryModel::kCpp20, MemoryModel::kSc))
    findings.what = "a weaker model allows less";
  return findings;
}

}  // namespace mazur::model
