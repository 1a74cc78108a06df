// Explorers against brute force on random programs. Several shards of the same test run as tests of
// their own: MAZUR_SHARD says which, of MAZUR_SHARDS.
#include "agreement.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mazur::model {
namespace {

constexpr std::uint64_t kPrograms = 20'000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

TEST(Agreement, WithBruteForceOnRandomPrograms) {
  const std::uint64_t shards = from_environment("MAZUR_SHARDS", 1);
  const Campaign campaign{.seed = 2024,
                          .first = from_environment("MAZUR_SHARD", 0),
                          .step = shards,
                          .count = kPrograms / shards,
                          .all_subjects = true,
                          .explorers = {"naive", "dpor", "source", "optimal", "lazy"}};
  const Findings findings = run(campaign);
  EXPECT_EQ(findings.programs, kPrograms / shards);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
  RecordProperty("classes", std::to_string(findings.classes));
  RecordProperty("too_large", std::to_string(findings.too_large));
}

}  // namespace
}  // namespace mazur::model
