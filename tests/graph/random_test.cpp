// `graph` on random programs, under every memory model, against the two oracles of
// tests/oracle/weak. MAZUR_PERCENT of the programs are checked.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>
#include <string>

#include "weak_campaign.h"

namespace mazur::model {
namespace {

std::uint64_t percent() {
  const char* value = std::getenv("MAZUR_PERCENT");
  return value == nullptr ? 100 : std::strtoull(value, nullptr, 10);
}

// Every other program has operations that can block.
struct Part {
  const char* name;
  std::uint64_t programs;
  Campaign campaign;
  friend void PrintTo(const Part& part, std::ostream* out) { *out << part.name; }
};

const Part kParts[] = {
    {"Small",
     8'500,
     {.seed = 33, .shape = {.max_threads = 3, .max_operations = 5}, .max_prefixes = 400}},
    {"SmallToo",
     8'500,
     {.seed = 34, .shape = {.max_threads = 3, .max_operations = 5}, .max_prefixes = 400}},
    {"Medium",
     1'250,
     {.seed = 31, .shape = {.max_threads = 3, .max_operations = 6}, .max_prefixes = 1'500}},
    {"MediumToo",
     1'250,
     {.seed = 35, .shape = {.max_threads = 3, .max_operations = 6}, .max_prefixes = 1'500}},
    {"WithMessages",
     1'000,
     {.seed = 36,
      .shape = {.messages = true, .max_threads = 3, .max_operations = 6},
      .max_prefixes = 1'500}},
    {"OfFourThreads", 500, {.seed = 32, .shape = {.max_operations = 7}, .max_prefixes = 2'000}},
};

class RandomGraphs : public testing::TestWithParam<Part> {};

TEST_P(RandomGraphs, AreThoseOfTheModels) {
  Campaign campaign = GetParam().campaign;
  campaign.count = GetParam().programs * percent() / 100 + 1;
  const Findings findings = run_weak(campaign);
  EXPECT_EQ(findings.programs, campaign.count);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
  RecordProperty("executions", std::to_string(findings.classes));
}

INSTANTIATE_TEST_SUITE_P(All, RandomGraphs, testing::ValuesIn(kParts),
                         [](const auto& part) { return std::string(part.param.name); });

}  // namespace
}  // namespace mazur::model
