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

void expect_agreement(Campaign campaign) {
  const std::uint64_t shards = from_environment("MAZUR_SHARDS", 1);
  campaign.first = from_environment("MAZUR_SHARD", 0);
  campaign.step = shards;
  campaign.count = kPrograms / shards;
  const Findings findings = run(campaign);
  EXPECT_EQ(findings.programs, kPrograms / shards);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
  testing::Test::RecordProperty("classes", std::to_string(findings.classes));
  testing::Test::RecordProperty("too_large", std::to_string(findings.too_large));
}

TEST(Agreement, WithBruteForceOnRandomPrograms) {
  expect_agreement({.seed = 2024,
                    .all_subjects = true,
                    .explorers = {"naive", "dpor", "source", "optimal", "lazy"}});
}

// One order of picking, and one base of context, for each program.
TEST(Agreement, OfObserversAndContextWithBruteForceOnRandomPrograms) {
  expect_agreement({.seed = 2026, .explorers = {"observers", "context", "context-observers"}});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsWithObservedAssertions) {
  constexpr std::uint64_t kWithAssertions = 4'000;
  const std::uint64_t shards = from_environment("MAZUR_SHARDS", 1);
  const Campaign campaign{.seed = 2027,
                          .first = from_environment("MAZUR_SHARD", 0),
                          .step = shards,
                          .count = kWithAssertions / shards,
                          .explorers = {"optimal", "observers", "context", "context-observers"},
                          .shape = {.observes = true}};
  const Findings findings = run(campaign);
  EXPECT_EQ(findings.programs, kWithAssertions / shards);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
}

// One order of picking and one k for each program.
TEST(Agreement, OfQuasiWithBruteForceOnRandomPrograms) {
  expect_agreement({.seed = 2025, .explorers = {"quasi"}});
}

void expect_agreement_on_fewer(Campaign campaign) {
  constexpr std::uint64_t kFewer = 4'000;
  const std::uint64_t shards = from_environment("MAZUR_SHARDS", 1);
  campaign.first = from_environment("MAZUR_SHARD", 0);
  campaign.step = shards;
  campaign.count = kFewer / shards;
  const Findings findings = run(campaign);
  EXPECT_EQ(findings.programs, kFewer / shards);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
}

// Atomic blocks, in every order of picking.
TEST(Agreement, WithBruteForceOnRandomProgramsWithAtomicBlocks) {
  expect_agreement_on_fewer({.seed = 7,
                             .all_subjects = true,
                             .explorers = {"naive", "dpor", "source", "optimal", "lazy", "quasi"},
                             .shape = {.blocks = true}});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsWithAtomicBlocks) {
  expect_agreement_on_fewer({.seed = 7,
                             .all_subjects = true,
                             .explorers = {"observers", "context", "context-observers"},
                             .shape = {.blocks = true}});
}

// Accesses overlap without being equal.
TEST(Agreement, WithBruteForceOnRandomProgramsWithPartsOfVariables) {
  expect_agreement_on_fewer({.seed = 8,
                             .explorers = {"naive", "dpor", "source", "optimal", "lazy", "quasi"},
                             .shape = {.parts = true}});
  expect_agreement_on_fewer({.seed = 9,
                             .explorers = {"source", "optimal", "lazy", "quasi"},
                             .shape = {.blocks = true, .parts = true}});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsWithPartsOfVariables) {
  expect_agreement_on_fewer({.seed = 304,
                             .explorers = {"observers", "context", "context-observers"},
                             .shape = {.parts = true}});
}

// Selective, timed and blind receives and tables, with memory and with one other kind of object.
void expect_agreement_on_messages(std::uint64_t programs, bool blocks,
                                  std::vector<std::string> explorers) {
  const std::uint64_t shards = from_environment("MAZUR_SHARDS", 1);
  const Campaign campaign{.seed = 8,
                          .first = from_environment("MAZUR_SHARD", 0),
                          .step = shards,
                          .count = programs / shards,
                          .explorers = std::move(explorers),
                          .shape = {.blocks = blocks, .messages = true}};
  const Findings findings = run(campaign);
  EXPECT_EQ(findings.programs, programs / shards);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
}

// One order of picking, one k and one base of context for each program.
TEST(Agreement, WithBruteForceOnRandomProgramsWithMessages) {
  expect_agreement_on_messages(10'000, false,
                               {"naive", "dpor", "source", "optimal", "lazy", "quasi", "observers",
                                "context", "context-observers"});
}

TEST(Agreement, WithBruteForceOnRandomProgramsWithMessagesAndAtomicBlocks) {
  expect_agreement_on_messages(
      2'000, true, {"source", "optimal", "lazy", "observers", "context", "context-observers"});
}

}  // namespace
}  // namespace mazur::model
