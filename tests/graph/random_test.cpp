// `graph` on random programs, under every memory model, against the two oracles of
// tests/oracle/weak. MAZUR_PERCENT of the programs are checked.
#include <gtest/gtest.h>

#include <cstdlib>

#include "weak_campaign.h"

namespace mazur::model {
namespace {

std::uint64_t percent() {
  const char* value = std::getenv("MAZUR_PERCENT");
  return value == nullptr ? 100 : std::strtoull(value, nullptr, 10);
}

void expect_agreement(std::uint64_t programs, Campaign campaign) {
  campaign.count = programs * percent() / 100 + 1;
  const Findings findings = run_weak(campaign);
  EXPECT_EQ(findings.programs, campaign.count);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
  testing::Test::RecordProperty("executions", std::to_string(findings.classes));
}

// Every other program has operations that can block.
TEST(RandomGraphs, AreThoseOfTheModels) {
  expect_agreement(
      1'000, {.seed = 31, .shape = {.max_threads = 3, .max_operations = 6}, .max_prefixes = 1'500});
}

TEST(RandomGraphs, OfFourThreadsAreThoseOfTheModels) {
  expect_agreement(500, {.seed = 32, .shape = {.max_operations = 7}, .max_prefixes = 2'000});
}

}  // namespace
}  // namespace mazur::model
