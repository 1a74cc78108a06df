// Memory that nobody has written is the same in every execution, and so is what a thread begins
// with.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kMemory = MAZUR_TEST_SOURCES "/native/memory";

// The different lines that say what the program saw.
std::set<std::string> seen(const MazurRun& run) {
  std::set<std::string> lines;
  std::istringstream text(run.text);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("contents")) lines.insert(line);
  return lines;
}

class FreshMemory : public testing::TestWithParam<const char*> {};

TEST_P(FreshMemory, KeepsNothingOfTheLastExecution) {
  const std::filesystem::path source = kMemory / GetParam();
  const MazurRun run = check(source, {"-O1", "--check-determinism", "--output=all"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(seen(run).size(), 1u) << run.text;
  const MazurRun explored = check(source, {"-O1", "--races=explore", "--output=all"});
  EXPECT_EQ(explored.verdict(), "verified") << explored.text;
  EXPECT_EQ(seen(explored).size(), 1u) << explored.text;
}

INSTANTIATE_TEST_SUITE_P(All, FreshMemory, testing::Values("blocks.c", "stacks.c"));

TEST(FreshBlocks, OfTheHeapIsTheSameInAProcessOfItsOwn) {
  const MazurRun run = check(kMemory / "blocks.c", {"-O1", "--output=all"});
  const MazurRun forks = check(kMemory / "blocks.c", {"-O1", "--isolation=fork", "--output=all"});
  EXPECT_EQ(forks.verdict(), "verified") << forks.text;
  EXPECT_EQ(seen(forks), seen(run)) << forks.text;
}

TEST(MemoryOfThreads, CancelStateOfTheLastExecutionIsGone) {
  const MazurRun run = check(kMemory / "cancel_state.c", {"-O1"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
}

TEST(MemoryOfThreads, MappedAddressesDoNotDependOnTheSchedule) {
  const MazurRun run = check(kMemory / "mapped_addresses.c", {"-O1", "--algorithm=naive"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
}

TEST(MemoryOfThreads, HeapAddressesDoNotDependOnTheSchedule) {
  const MazurRun run = check(kMemory / "heap_names.c", {"-O1", "--algorithm=naive"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_GT(run.complete(), 70) << run.text;
}

TEST(MemoryOfThreads, MoreThan256ThreadsAllocate) {
  const MazurRun run = check(kMemory / "many_heaps.c", {"-O1"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
}

}  // namespace
}  // namespace mazur::test
