// examples/waiting: loops that end by themselves, as the programs' own heads say.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

std::string verdict_of_example(const std::string& name, const std::string& memory) {
  const Scratch folder;
  const std::filesystem::path program = build(MAZUR_TEST_SOURCES "/../examples/waiting/" + name,
                                              {"-std=c++20", "-O1"}, folder.path());
  const MazurRun run = run_mazur({"check", program.string(), "--memory=" + memory,
                                  "--json=result.json", "--no-trace", "--quiet"},
                                 folder.path());
  return run.verdict();
}

TEST(WaitingExamples, AreVerifiedWithoutABound) {
  for (const char* name : {"cached_ring.cpp", "poll.cpp", "seqlock.cpp", "spin_then_sleep.cpp",
                           "ticket_backoff.cpp", "timed_mutex.cpp", "try_both.cpp"})
    for (const char* memory : {"sc", "tso"})
      EXPECT_EQ(verdict_of_example(name, memory), "verified") << name << ", " << memory;
}

TEST(WaitingExamples, AreVerifiedWithTheOrdersOfTheLanguage) {
  for (const char* name : {"cached_ring.cpp", "poll.cpp", "seqlock.cpp", "ticket_backoff.cpp",
                           "timed_mutex.cpp", "try_both.cpp"})
    EXPECT_EQ(verdict_of_example(name, "c++20"), "verified") << name;
  EXPECT_EQ(verdict_of_example("spin_then_sleep.cpp", "c++20"), "bug");
}

}  // namespace
}  // namespace mazur::test
