// --spurious-wakeups and --spurious-failures on real programs.
#include <gtest/gtest.h>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kSpurious = MAZUR_TEST_SOURCES "/native/spurious";

// With everything that is printed.
MazurRun check_aloud(const std::filesystem::path& source, const std::vector<std::string>& flags) {
  return check(source, flags, /*quiet=*/false);
}

bool says(const MazurRun& run, const std::string& words) {
  return run.text.find(words) != std::string::npos;
}

TEST(Spurious, AWaitWithoutALoopIsFoundOnlyIfAsked) {
  for (const char* program : {"wait_once.c", "futex_once.c"}) {
    const MazurRun without = check(kSpurious / program, {"-O1"});
    EXPECT_EQ(without.verdict(), "verified") << without.text;
    EXPECT_TRUE(says(without, "sequential consistency, without spurious wake-ups:"))
        << without.text;
    EXPECT_EQ(without.result["spurious_wakeups"]["left_out"], true);
    const MazurRun with = check_aloud(kSpurious / program, {"-O1", "--spurious-wakeups=1"});
    ASSERT_EQ(with.verdict(), "bug") << with.text;
    EXPECT_EQ(with.result["errors"][0]["kind"], "assertion");
    EXPECT_TRUE(says(with, "spurious wake-up from")) << with.text;
    EXPECT_FALSE(says(with, "no spurious wake-up")) << with.text;
  }
}

TEST(Spurious, AWaitInALoopIsVerifiedWithEveryAlgorithm) {
  for (const char* program : {"wait_once.c", "futex_once.c"}) {
    const MazurRun run = check(kSpurious / program, {"-O1", "-DLOOP", "--spurious-wakeups=2"});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_TRUE(says(run, ", with at most 2 spurious wake-ups in a thread:")) << run.text;
    EXPECT_EQ(run.blocked(), 0);
    for (const char* algorithm : {"source", "observers", "quasi", "lazy"}) {
      const MazurRun other = check(kSpurious / program, {"-O1", "-DLOOP", "--spurious-wakeups=2",
                                                         std::string("--algorithm=") + algorithm});
      EXPECT_EQ(other.verdict(), "verified") << algorithm << "\n" << other.text;
      EXPECT_EQ(other.complete(), run.complete()) << algorithm << "\n" << other.text;
    }
  }
  const MazurRun standard =
      check(kSpurious / "atomic_wait.cpp", {"-std=c++20", "-O1", "--spurious-wakeups=1"});
  EXPECT_EQ(standard.verdict(), "verified") << standard.text;
}

TEST(Spurious, AProgramWithoutWaitsSaysNothingAboutThem) {
  const MazurRun run = check(kSpurious / "weak_once.cpp", {"-std=c++20", "-O1"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_FALSE(says(run, "spurious wake")) << run.text;
  EXPECT_FALSE(run.result.contains("spurious_wakeups"));
}

TEST(Spurious, AWeakCompareExchangeWithoutALoopFails) {
  const auto with = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"-std=c++20", "-O1", "--spurious-failures=1"});
    return check_aloud(kSpurious / "weak_once.cpp", flags);
  };
  const MazurRun weak = with({});
  ASSERT_EQ(weak.verdict(), "bug") << weak.text;
  EXPECT_TRUE(says(weak, "spurious failure at leader")) << weak.text;
  EXPECT_EQ(with({"-DSTRONG"}).verdict(), "verified");
  // The loop waits while another one is the leader, and is known to.
  const MazurRun loop = with({"-DLOOP"});
  EXPECT_EQ(loop.verdict(), "verified") << loop.text;
  const MazurRun tried = with({"-DTRY_LOCK"});
  ASSERT_EQ(tried.verdict(), "bug") << tried.text;
  EXPECT_TRUE(says(tried, "spurious failure at m")) << tried.text;
}

// The trace file says how many there were: the schedule can be run again, also without the options.
TEST(Spurious, AreReplayed) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("mazur-spurious-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto program = build(kSpurious / "wait_once.c", {"-O1"}, folder);
  const MazurRun found = run_mazur(
      {"check", program.string(), "--spurious-wakeups=3", "--trace=once", "--json=result.json"},
      folder);
  ASSERT_EQ(found.verdict(), "bug") << found.text;
  const MazurRun again = run_mazur(
      {"replay", "once-1.trace", "--program=" + program.string(), "--json=result.json"}, folder);
  EXPECT_EQ(again.exit_code, 1) << again.text;
  EXPECT_EQ(again.result["errors"][0]["kind"], "assertion") << again.text;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mazur::test
