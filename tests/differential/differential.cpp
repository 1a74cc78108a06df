// Random C programs, compiled and explored by the real mazur, against an enumeration of their
// interleavings that knows nothing of Mazur:
//
//   mazur_differential --programs=200000 --seed=7 --seconds=3600
//
// Prints every disagreement as a small C program, and exits with 1 if there was one.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "campaign.h"
#include "cli/tool.h"

namespace {

using differential::Campaign;

std::vector<std::string_view> explorer_names() {
  std::vector<std::string_view> names;
  for (const auto& explorer : differential::explorers()) names.push_back(explorer.name);
  return names;
}

// The explorers of "A,B,...".
std::vector<std::string> explorers(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    names.push_back(list.substr(at, comma - at));
    mazur::parse_one_of("explorers", names.back(), explorer_names());
    at = comma + 1;
  }
  return names;
}

std::string one_of(std::string_view option, const std::string& value,
                   std::initializer_list<std::string_view> allowed) {
  return std::string(
      allowed.begin()[mazur::parse_one_of(option, value, {allowed.begin(), allowed.size()})]);
}

const std::vector<mazur::Option<Campaign>>& option_table() {
  using mazur::parse_count;
  static const std::vector<mazur::Option<Campaign>> table{
      {"programs", "N", "programs to compare (5000)",
       [](Campaign& c, const std::string& value) { c.count = parse_count("programs", value); }},
      {"seed", "N", "another sequence of programs (1)",
       [](Campaign& c, const std::string& value) { c.seed = parse_count("seed", value); }},
      {"first", "N", "number of the first program (0)",
       [](Campaign& c, const std::string& value) { c.first = parse_count("first", value); }},
      {"seconds", "S", "end after this time",
       [](Campaign& c, const std::string& value) {
         c.seconds = mazur::parse_seconds("seconds", value);
       }},
      {"explorers", "A,B,...",
       "explorers to compare (all but bounded, context-optimal and quasi-1)",
       [](Campaign& c, const std::string& value) { c.explorers = explorers(value); }},
      {"all-outcomes", "", "compare the outcomes in every run, not in every fourth",
       [](Campaign& c, const std::string&) { c.all_outcomes = true; }},
      {"mazur", "PATH", "compare another mazur (that of this build)",
       [](Campaign& c, const std::string& value) { c.build.mazur = value; }},
      {"compiler", "gcc|clang", "what compiles the programs (gcc)",
       [](Campaign& c, const std::string& value) {
         c.build.compiler = one_of("compiler", value, {"gcc", "clang"});
       }},
      {"optimise", "0|1|2|3", "how much the compiler does (1)",
       [](Campaign& c, const std::string& value) {
         c.build.optimise = one_of("optimise", value, {"0", "1", "2", "3"});
       }},
      {"max-traces", "N", "take another program instead of one with more traces (300)",
       [](Campaign& c, const std::string& value) {
         c.max_traces = parse_count("max-traces", value, 2);
       }},
      {"max-interleavings", "N", "do not run naive on programs with more (300)",
       [](Campaign& c, const std::string& value) {
         c.max_interleavings = parse_count("max-interleavings", value, 1);
       }},
  };
  return table;
}

int compare(const Campaign& campaign) {
  const differential::Findings f = differential::run(campaign);
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu programs (%llu with deadlocks), %llu traces, %zu explorers, %llu executions, %.1f s, "
      "%llu disagreements\n",
      number(f.programs), number(f.deadlocking), number(f.traces), campaign.explorers.size(),
      number(f.executions), f.seconds, number(f.disagreements));
  return f.disagreements == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Campaign campaign;
  return mazur::run_tool("mazur_differential", "Random C programs against an enumeration.",
                         option_table(), campaign, argc, argv, [&] { return compare(campaign); });
}
