// Random programs against brute force, for as long as wished:
//
//   mazur_soak --programs=2000000 --seed=7 --explorers=optimal,source,dpor,naive --seconds=3600
//
// Prints every disagreement, made small, and exits with 1 if there was one.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "agreement.h"
#include "cli/tool.h"
#include "explore/registry.h"
#include "weak_campaign.h"

namespace {

using mazur::model::Campaign;

// The explorers of "A,B,...".
std::vector<std::string> explorers(const std::string& list) {
  std::vector<std::string> known = mazur::exhaustive_explorers();
  known.emplace_back("graph");
  const std::vector<std::string_view> allowed(known.begin(), known.end());
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    names.push_back(list.substr(at, comma - at));
    mazur::parse_one_of("explorers", names.back(), allowed);
    at = comma + 1;
  }
  return names;
}

const std::vector<mazur::Option<Campaign>>& option_table() {
  using mazur::parse_count;
  static const std::vector<mazur::Option<Campaign>> table{
      {"programs", "N", "programs to check (100000)",
       [](Campaign& c, const std::string& value) { c.count = parse_count("programs", value); }},
      {"seed", "N", "another sequence of programs (1)",
       [](Campaign& c, const std::string& value) { c.seed = parse_count("seed", value); }},
      {"first", "N", "number of the first program (0)",
       [](Campaign& c, const std::string& value) { c.first = parse_count("first", value); }},
      {"seconds", "S", "end after this time",
       [](Campaign& c, const std::string& value) {
         c.seconds = mazur::parse_seconds("seconds", value);
       }},
      {"explorers", "A,B,...", "explorers to check (naive,dpor,source,optimal,lazy)",
       [](Campaign& c, const std::string& value) { c.explorers = explorers(value); }},
      {"all-orders", "", "every order of picking for every program, instead of one each",
       [](Campaign& c, const std::string&) { c.all_subjects = true; }},
      {"blocks", "", "with atomic blocks",
       [](Campaign& c, const std::string&) { c.shape.blocks = true; }},
      {"lives", "", "objects are initialised and destroyed",
       [](Campaign& c, const std::string&) { c.shape.lives = true; }},
      {"spurious", "", "with spurious wake-ups and failures",
       [](Campaign& c, const std::string&) { c.shape.spurious = true; }},
      {"observes", "", "with observed assertions",
       [](Campaign& c, const std::string&) { c.shape.observes = true; }},
      {"narrow", "", "no branches, few values: many operations commute",
       [](Campaign& c, const std::string&) { c.shape.narrow = true; }},
      {"messages", "", "with messages",
       [](Campaign& c, const std::string&) { c.shape.messages = true; }},
      {"memory", "", "graph alone, under all memory models, against axioms and store buffers",
       [](Campaign& c, const std::string&) { c.memory = true; }},
      {"parts", "", "with accesses to parts of a variable",
       [](Campaign& c, const std::string&) { c.shape.parts = true; }},
      {"threads", "N", "threads at most",
       [](Campaign& c, const std::string& value) {
         c.shape.max_threads = static_cast<unsigned>(parse_count("threads", value, 1));
       }},
      {"operations", "N", "operations of a thread at most",
       [](Campaign& c, const std::string& value) {
         c.shape.max_operations = static_cast<unsigned>(parse_count("operations", value, 1));
       }},
      {"max-prefixes", "N", "leave out programs with more prefixes of executions (4000)",
       [](Campaign& c, const std::string& value) {
         c.max_prefixes = parse_count("max-prefixes", value, 1);
       }},
      {"max-schedules", "N", "do not run naive on programs with more schedules (1000)",
       [](Campaign& c, const std::string& value) {
         c.max_schedules = parse_count("max-schedules", value, 1);
       }},
  };
  return table;
}

int soak(const Campaign& campaign) {
  const mazur::model::Findings f =
      campaign.memory ? mazur::model::run_weak(campaign) : mazur::model::run(campaign);
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu programs (%llu with deadlocks, %llu more were too large), %llu classes, %llu "
      "schedules,\n"
      "%.1f s, %zu disagreements\n",
      number(f.programs), number(f.blocking), number(f.too_large), number(f.classes),
      number(f.schedules), f.seconds, f.disagreements.size());
  return f.disagreements.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Campaign campaign{.count = 100'000,
                    .explorers = {"naive", "dpor", "source", "optimal", "lazy"},
                    .progress = true};
  return mazur::run_tool("mazur_soak", "Random programs against brute force.", option_table(),
                         campaign, argc, argv, [&] { return soak(campaign); });
}
