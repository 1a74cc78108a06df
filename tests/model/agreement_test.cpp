// Explorers against brute force on random programs. Several shards of the same test run as tests of
// their own: MAZUR_SHARD says which, of MAZUR_SHARDS. MAZUR_PERCENT of the programs are checked.
#include "agreement.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mazur::model {
namespace {

constexpr std::uint64_t kPrograms = 20'000;
constexpr std::uint64_t kFewer = 4'000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

void expect_agreement(std::uint64_t programs, Campaign campaign) {
  const std::uint64_t shards = from_environment("MAZUR_SHARDS", 1);
  campaign.first = from_environment("MAZUR_SHARD", 0);
  campaign.step = shards;
  campaign.count = programs * from_environment("MAZUR_PERCENT", 100) / 100 / shards + 1;
  const Findings findings = run(campaign);
  EXPECT_EQ(findings.programs, campaign.count);
  for (const Disagreement& d : findings.disagreements) ADD_FAILURE() << d.describe();
  testing::Test::RecordProperty("classes", std::to_string(findings.classes));
  testing::Test::RecordProperty("too_large", std::to_string(findings.too_large));
}

TEST(Agreement, WithBruteForceOnRandomPrograms) {
  expect_agreement(kPrograms, {.seed = 2024,
                               .all_subjects = true,
                               .explorers = {"naive", "dpor", "source", "optimal", "lazy"}});
}

// One order of picking, and one base of context, for each program.
TEST(Agreement, OfObserversAndContextWithBruteForceOnRandomPrograms) {
  expect_agreement(kPrograms,
                   {.seed = 2026, .explorers = {"observers", "context", "context-observers"}});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsWithObservedAssertions) {
  expect_agreement(kFewer, {.seed = 2027,
                            .explorers = {"optimal", "observers", "context", "context-observers"},
                            .shape = {.observes = true}});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsWithAtomicBlocksAndObservedAssertions) {
  expect_agreement(kPrograms, {.seed = 2028,
                               .explorers = {"observers", "context", "context-observers"},
                               .shape = {.blocks = true, .observes = true}});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsInWhichManyOperationsCommute) {
  expect_agreement(kFewer, {.seed = 2029,
                            .explorers = {"observers", "context", "context-observers"},
                            .shape = {.observes = true, .narrow = true}});
  expect_agreement(kFewer, {.seed = 2030,
                            .explorers = {"observers", "context", "context-observers"},
                            .shape = {.blocks = true, .observes = true, .narrow = true}});
}

// One order of picking and one k for each program.
TEST(Agreement, OfQuasiWithBruteForceOnRandomPrograms) {
  expect_agreement(kPrograms, {.seed = 2025, .explorers = {"quasi"}});
}

// It refuses some of the programs that block.
TEST(Agreement, OfGraphWithBruteForceOnRandomPrograms) {
  expect_agreement(kFewer, {.seed = 2031, .all_subjects = true, .explorers = {"graph"}});
}

// Atomic blocks, in every order of picking.
TEST(Agreement, WithBruteForceOnRandomProgramsWithAtomicBlocks) {
  expect_agreement(kFewer, {.seed = 7,
                            .all_subjects = true,
                            .explorers = {"naive", "dpor", "source", "optimal", "lazy", "quasi"},
                            .shape = {.blocks = true}});
}

// All that blocks touch is in one order, so there are many more executions than classes.
TEST(Agreement, OfGraphOnRandomProgramsWithAtomicBlocks) {
  expect_agreement(kFewer, {.seed = 2033,
                            .all_subjects = true,
                            .explorers = {"graph"},
                            .shape = {.blocks = true},
                            .max_prefixes = 400});
  expect_agreement(kFewer, {.seed = 2034,
                            .explorers = {"graph"},
                            .shape = {.blocks = true, .messages = true},
                            .max_prefixes = 400});
  expect_agreement(kFewer, {.seed = 2035,
                            .explorers = {"graph"},
                            .shape = {.blocks = true, .parts = true, .lives = true},
                            .max_prefixes = 400});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsWithAtomicBlocks) {
  expect_agreement(kFewer, {.seed = 7,
                            .all_subjects = true,
                            .explorers = {"observers", "context", "context-observers"},
                            .shape = {.blocks = true}});
}

// Accesses overlap without being equal.
TEST(Agreement, WithBruteForceOnRandomProgramsWithPartsOfVariables) {
  expect_agreement(kFewer, {.seed = 8,
                            .explorers = {"naive", "dpor", "source", "optimal", "lazy", "quasi"},
                            .shape = {.parts = true}});
  expect_agreement(kFewer, {.seed = 9,
                            .explorers = {"source", "optimal", "lazy", "quasi"},
                            .shape = {.blocks = true, .parts = true}});
}

TEST(Agreement, OfObserversAndContextOnRandomProgramsWithPartsOfVariables) {
  expect_agreement(kFewer, {.seed = 304,
                            .explorers = {"observers", "context", "context-observers"},
                            .shape = {.parts = true}});
}

// Objects are initialised and destroyed while others use them.
TEST(Agreement, WithBruteForceOnRandomProgramsThatDestroyWhatOthersUse) {
  expect_agreement(10'000, {.seed = 12,
                            .explorers = {"naive", "dpor", "source", "optimal", "lazy", "quasi",
                                          "observers", "context", "context-observers"},
                            .shape = {.lives = true}});
}

TEST(Agreement, OfGraphOnRandomProgramsThatDestroyWhatOthersUse) {
  expect_agreement(10'000, {.seed = 15, .explorers = {"graph"}, .shape = {.lives = true}});
}

TEST(Agreement, WithBruteForceOnRandomProgramsWithSpuriousWakeups) {
  expect_agreement(6'000, {.seed = 13,
                           .explorers = {"naive", "dpor", "source", "optimal", "lazy", "quasi",
                                         "observers", "context", "context-observers"},
                           .shape = {.spurious = true}});
}

// Selective, timed and blind receives and tables, with memory and with one other kind of object.
// One order of picking, one k and one base of context for each program.
TEST(Agreement, WithBruteForceOnRandomProgramsWithMessages) {
  expect_agreement(10'000, {.seed = 8,
                            .explorers = {"naive", "dpor", "source", "optimal", "lazy", "quasi",
                                          "observers", "context", "context-observers"},
                            .shape = {.messages = true}});
}

TEST(Agreement, OfGraphOnRandomProgramsWithMessages) {
  expect_agreement(10'000, {.seed = 2032, .explorers = {"graph"}, .shape = {.messages = true}});
}

TEST(Agreement, WithBruteForceOnRandomProgramsWithMessagesAndAtomicBlocks) {
  expect_agreement(2'000, {.seed = 8,
                           .explorers = {"source", "optimal", "lazy", "observers", "context",
                                         "context-observers"},
                           .shape = {.blocks = true, .messages = true}});
}

}  // namespace
}  // namespace mazur::model
