// Random programs whose execution graphs are explored in pieces that lie in a ledger, under every memory
// model: whatever random workers do, each graph is found once, and in the order of one explorer.
// MAZUR_PROGRAMS: how many programs on each store, for a longer time than CI has.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "base/hash.h"
#include "check/exploration.h"
#include "explore/divisible.h"
#include "graph_census.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"
#include "random_workers.h"
#include "weak_verify.h"

namespace mazur::test {
namespace {

using model::GraphCensus;
using model::ModelMachine;
using model::Program;
using model::WeakGraph;

// A program for RandomWorkers, of whose executions some count as failed.
struct Graphs {
  const Program& program;
  ExplorerOptions options;
  bool keep_going = false;
  std::uint32_t one_fails_of = 1;

  static std::uint64_t place(const std::string& name) { return fnv1a(name); }
  bool fails(const std::string& name) const {
    return RandomSource(options.seed, place(name)).below(one_fails_of) == 0;
  }

  // Nothing: there are more graphs than that, or too few to be shared.
  std::optional<Found> all(std::uint64_t most) const {
    ModelMachine machine(program);
    const auto explorer = make_graph(options);
    GraphCensus census(*explorer, WeakGraph::Arrivals::kOrdered);
    const Bounds bounds{.max_steps = 1000, .max_executions = most + 1, .keep_going = true};
    mazur::explore(machine, *explorer, bounds, census);
    EXPECT_EQ(census.complaint, "");
    if (census.sequence.size() < 10 || census.sequence.size() > most) return std::nullopt;
    Found found;
    for (const std::string& name : census.sequence) {
      ++found.executions;
      if (!fails(name)) continue;
      found.add_error(place(name));
      if (!keep_going) break;
    }
    return found;
  }

  Slice explore(const Offer& offer, RandomSource& random) const {
    ModelMachine machine(program);
    const auto explorer = make_graph(options);
    Divisible& divisible = *explorer->divisible();
    divisible.learn(offer.known.lessons);
    Slice slice;
    SliceEnd& end = slice.end;
    if (!offer.piece.empty() && !divisible.take(offer.piece)) {
      ADD_FAILURE() << "a piece was refused";
      end.refused = true;
      return slice;
    }
    bool paused = false, over = false;
    if (!divisible.is_empty()) {
      GraphCensus census(*explorer, WeakGraph::Arrivals::kOrdered);
      const Bounds bounds{.max_steps = 1000, .slice = 1, .keep_going = true};
      Exploration exploration(machine, *explorer, bounds, census);
      std::size_t looked_at = 0;
      for (std::uint32_t left = 1 + random.below(12);;) {
        paused = exploration.run().paused;
        EXPECT_EQ(census.complaint, "");
        if (census.sequence.size() < looked_at) {  // it has begun again
          slice = {};
          looked_at = 0;
        }
        for (; looked_at < census.sequence.size(); ++looked_at) {
          ++end.tally.complete;
          const std::string& name = census.sequence[looked_at];
          if (!fails(name)) continue;
          slice.add_error(place(name));
          over = !keep_going;
        }
        if (over || !paused) break;
        if (!offer.piece.empty() && divisible.lessons() != offer.known.lessons) break;
        if (left > 1)
          --left;
        else if (divisible.can_divide())
          break;
      }
    }
    end.explored = divisible.explored();
    end.known.lessons = divisible.lessons();
    end.outdated = !offer.piece.empty() && divisible.lessons() != offer.known.lessons;
    end.paused = paused && !over && !end.outdated;
    end.verdict = !slice.errors.empty() ? Verdict::kBug
                  : end.paused          ? Verdict::kIncomplete
                                        : Verdict::kVerified;
    if (end.paused) end.pieces = divisible.divide(1 + random.below(5));
    return slice;
  }
};

class GraphsTest : public RandomWorkers {
 protected:
  unsigned programs() const {
    if (const char* wanted = std::getenv("MAZUR_PROGRAMS"))
      return static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
    return rounds(500);
  }
};

TEST_P(GraphsTest, EachIsFoundOnceAndInOrder) {
  Incidents incidents;
  std::uint64_t executions = 0, runs = 0, disagreements = 0;
  unsigned programs_left = programs();
  for (std::uint64_t number = 0; programs_left > 0; ++number) {
    const Program program =
        model::generate_weak(71, number, {.max_threads = 4, .max_operations = 8});
    if (!model::is_for_graphs(program)) continue;
    bool counts = false;
    for (const MemoryModel memory :
         {MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso, MemoryModel::kCpp20}) {
      RandomSource random(number, 10 + static_cast<std::uint64_t>(memory));
      const auto pick = static_cast<PickOrder>(random.below(5));
      const Graphs graphs{.program = program,
                          .options = {.pick = pick, .seed = number, .memory = memory},
                          .keep_going = random.below(4) != 0,
                          .one_fails_of = random.below(2) == 0 ? 1 : 1 + random.below(60)};
      const auto expected = graphs.all(300);
      if (!expected) continue;
      counts = true;
      ++runs;
      executions += expected->executions;
      const auto ledger = explore(graphs, random, incidents);
      const Found found = found_in(ledger->result());
      // What the pieces weigh adds up to the whole, unless an error has ended the search.
      if (found.first.empty() || graphs.keep_going) {
        EXPECT_NEAR(ledger->overview().totals.explored, 1, 1e-9)
            << "program " << number << " under model " << static_cast<int>(memory)
            << model::print(program);
      }
      if (found == *expected) continue;
      ++disagreements;
      ADD_FAILURE() << "program " << number << " under model " << static_cast<int>(memory) << ": "
                    << found.executions << " executions instead of " << expected->executions << ", "
                    << found.first.size() << " errors instead of " << expected->first.size() << "\n"
                    << model::print(program);
    }
    if (counts && --programs_left % 500 == 0)
      std::printf("%llu programs and models, %llu disagreements\n",
                  static_cast<unsigned long long>(runs),
                  static_cast<unsigned long long>(disagreements));
  }
  std::printf("%llu programs and models, %llu executions, %llu disagreements\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(executions),
              static_cast<unsigned long long>(disagreements));
  EXPECT_GT(incidents.late + incidents.begun_again, 0u);
  EXPECT_EQ(incidents.others > 0, is_durable());
}

INSTANTIATE_TEST_SUITE_P(Stores, GraphsTest, kAllStores, test_name);

}  // namespace
}  // namespace mazur::test
