// --memory on compiled programs: what the machine has to keep in mind, refusals, replay.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "run_mazur.h"

namespace mazur::test {
namespace {

class Weak : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::filesystem::temp_directory_path() / ("mazur-weak-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    traps_ = build(kTraps, {"-O1", "-g", "-latomic"}, folder_);
    bugs_ = build(kBugs, {"-O1", "-g"}, folder_);
    waits_ = build(kWaits, {"-O1", "-g"}, folder_);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

  static MazurRun trap(const std::string& name, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"check", traps_, "--json=result.json", "--trace=" + name});
    if (options.end() == std::find_if(options.begin(), options.end(), [](const auto& each) {
          return each.starts_with("--memory");
        }))
      options.push_back("--memory=c++20");
    options.insert(options.end(), {"--", name});
    return run_mazur(options, folder_);
  }
  static void expect_clean(const std::string& name) {
    for (const char* memory : {"sc", "tso", "pso", "c++20"}) {
      const MazurRun run = trap(name, {"--algorithm=graph", std::string("--memory=") + memory});
      EXPECT_TRUE(run.finished()) << name << ", " << memory << "\n" << run.text;
    }
  }
  static void expect_error(const std::string& name, const std::string& kind) {
    const MazurRun run = trap(name);
    ASSERT_EQ(run.verdict(), "bug") << name << "\n" << run.text;
    EXPECT_EQ(run.result["errors"][0]["kind"], kind) << name << "\n" << run.text;
  }

  // Each program of a source has an error if its name says so, and none otherwise.
  static void expect_all(const std::string& file, const std::string& program, std::size_t least) {
    std::ifstream source(file);
    std::size_t programs = 0;
    for (std::string line; std::getline(source, line);) {
      const std::size_t at = line.find("name == \"");
      if (at == std::string::npos) continue;
      const std::string name = line.substr(at + 9, line.find('"', at + 9) - at - 9);
      const MazurRun run = run_mazur(
          {"check", program, "--memory=c++20", "--json=result.json", "--no-trace", "--", name},
          folder_);
      EXPECT_EQ(run.verdict(), name.ends_with("-weak") ? "bug" : "verified") << name << "\n"
                                                                             << run.text;
      ++programs;
    }
    EXPECT_GE(programs, least);
  }

  static inline const std::string kTraps = MAZUR_TEST_SOURCES "/native/weak/traps.cpp";
  static inline const std::string kBugs = MAZUR_TEST_SOURCES "/native/weak/bugs.cpp";
  static inline const std::string kWaits = MAZUR_TEST_SOURCES "/native/weak/waits.cpp";
  static inline std::filesystem::path folder_;
  static inline std::string traps_, bugs_, waits_;
};

// Dekker and Peterson, publication, locks, queues, stacks: with the orders that they need, and with
// weaker ones.
TEST_F(Weak, KnownBugsAreFoundAndWhatIsRepairedIsVerified) { expect_all(kBugs, bugs_, 20); }

// Futexes, deadlines, objects that begin and end.
TEST_F(Weak, WhatWaitsIsVerifiedOrHasItsError) {
  expect_all(kWaits, waits_, 21);
  // The store before the look at whether anybody waits is still in the buffer.
  const auto verdict = [](const char* memory) {
    return run_mazur({"check", waits_, std::string("--memory=") + memory, "--algorithm=graph",
                      "--json=result.json", "--no-trace", "--", "notify-weak"},
                     folder_)
        .verdict();
  };
  EXPECT_EQ(verdict("sc"), "verified");
  EXPECT_EQ(verdict("tso"), "bug");
}

// The numbers are what one counts by hand: in which order the parts under the futex's lock come, how many of those
// that look before the first wake still find 0, which is the first ones, and whom a wake then chooses.
TEST_F(Weak, AWakeReachesThoseWhoseMaskItMeets) {
  const std::pair<const char*, int> expected[] = {
      {"one-bitset", 4}, {"bitset", 20}, {"chosen-by-bitset", 224}, {"bitset-deadline", 6}};
  for (const char* memory : {"sc", "tso", "pso", "c++20"}) {
    const auto wait = [&](const char* name) {
      return run_mazur({"check", waits_, std::string("--memory=") + memory, "--algorithm=graph",
                        "--json=result.json", "--no-trace", "--", name},
                       folder_);
    };
    for (const auto& [name, executions] : expected) {
      const MazurRun run = wait(name);
      EXPECT_EQ(run.verdict(), "verified") << name << ", " << memory << "\n" << run.text;
      EXPECT_EQ(run.complete(), executions) << name << ", " << memory << "\n" << run.text;
    }
    for (const char* name : {"bitset-weak", "chosen-by-bitset-weak"})
      EXPECT_EQ(wait(name).verdict(), "bug") << name << ", " << memory;
  }
}

TEST_F(Weak, WhatIsReleasedBelongsToTheStoreThatIsRead) {
  expect_clean("old");
  expect_clean("passes-on");
  expect_error("newer", "data-race");
}

TEST_F(Weak, AConstructorBeginsANewLocation) {
  expect_clean("constructed");
  expect_clean("stack");
}

TEST_F(Weak, DifferentSizesAreRefusedWithBothLines) {
  const MazurRun run = trap("mixed");
  ASSERT_EQ(run.exit_code, 4) << run.text;
  EXPECT_NE(run.text.find("different sizes"), std::string::npos) << run.text;
  EXPECT_NE(run.text.find("whole.store(1"), std::string::npos) << run.text;
  EXPECT_NE(run.text.find(".store(2"), std::string::npos) << run.text;
}

TEST_F(Weak, PlainCodeFindsTheNewestStore) {
  expect_clean("plain");
  // Two orders of the stores, and six ways to load twice in each.
  EXPECT_EQ(trap("plain").complete(), 12);
}

TEST_F(Weak, ACompareExchangeThatFailsHasItsFailureOrder) {
  expect_clean("fails-acquire");
  expect_error("fails-relaxed", "assertion");
}

TEST_F(Weak, StoresOfAllSizesAreKept) {
  for (const char* name : {"wide-8", "wide-16", "wide-24"}) {
    expect_error(name, "assertion");
    const MazurRun all = trap(name, {"--keep-going"});
    EXPECT_EQ(all.complete(), 4) << name << "\n" << all.text;
  }
}

TEST_F(Weak, LongCompareExchangesAreToldApart) {
  for (const char* memory : {"sc", "tso", "pso", "c++20"}) {
    const std::vector<std::string> options{"--algorithm=graph", std::string("--memory=") + memory};
    const int executions = trap("exchange-8", options).complete();
    EXPECT_GT(executions, 3);
    for (const char* name : {"exchange-16", "exchange-24"}) {
      const MazurRun run = trap(name, options);
      EXPECT_EQ(run.verdict(), "verified") << name << ", " << memory << "\n" << run.text;
      // Under sc a failed one counts as a write.
      if (memory != std::string("sc")) {
        EXPECT_EQ(run.complete(), executions) << name << ", " << memory << "\n" << run.text;
      }
    }
  }
  expect_clean("counted-stack");
  expect_error("counted-stack-relaxed", "data-race");
}

TEST_F(Weak, AWildPointerIsACrash) { expect_error("wild", "crash"); }

TEST_F(Weak, LoopsThatWaitEndOrStandStill) {
  expect_clean("loop");
  expect_error("for-ever", "livelock");
}

TEST_F(Weak, AScheduleWithStaleLoadsCanBeReplayed) {
  const MazurRun found = trap("wide-8");
  ASSERT_EQ(found.verdict(), "bug") << found.text;
  const MazurRun again = run_mazur({"replay", "wide-8-1.trace", "--times=3"}, folder_);
  EXPECT_EQ(again.exit_code, 1) << again.text;
}

TEST_F(Weak, OperationsInPartsCanBeReplayed) {
  for (const char* memory : {"sc", "tso"}) {
    for (const char* name : {"futex-mutex-weak", "deadline-weak"}) {
      run_mazur({"check", waits_, "--algorithm=graph", std::string("--memory=") + memory,
                 "--trace=parts", "--", name},
                folder_);
      const MazurRun again = run_mazur({"replay", "parts-1.trace"}, folder_);
      EXPECT_EQ(again.exit_code, 1) << memory << ", " << name << "\n" << again.text;
    }
  }
}

TEST_F(Weak, AReportTellsWhichValuesAreOld) {
  const MazurRun run = trap("wide-8");
  EXPECT_NE(run.text.find(" = 0 (older than store "), std::string::npos) << run.text;
  EXPECT_NE(run.text.find(", not visible yet: relaxed)"), std::string::npos) << run.text;
  EXPECT_NE(run.text.find("0 preemptions, 1 old value, the fewest possible"), std::string::npos)
      << run.text;
  const MazurRun page = run_mazur({"show", "wide-8-1.trace", "--html=page.html"}, folder_);
  ASSERT_EQ(page.exit_code, 0) << page.text;
  std::ifstream file(folder_ / "page.html");
  const std::string html(std::istreambuf_iterator<char>(file), {});
  for (const char* part : {"class=\"box old\"", "class=\"unseen\"", ", not visible yet: relaxed)"})
    EXPECT_NE(html.find(part), std::string::npos) << part << "\n" << html;
}

TEST_F(Weak, AVerdictSaysThatMessagesAreSequentiallyConsistent) {
  const auto check_actors = [](const std::string& memory) {
    return run_mazur(
        {"check", MAZUR_TEST_SOURCES "/literature/actors/two_sends.cpp", "-std=c++20", "-O1",
         "--algorithm=graph", "--memory=" + memory, "--json=result.json", "--no-trace"},
        folder_);
  };
  const std::string words = "with sequentially consistent mailboxes and tables:";
  const MazurRun weak = check_actors("c++20");
  EXPECT_EQ(weak.verdict(), "verified") << weak.text;
  EXPECT_NE(weak.text.find(words), std::string::npos) << weak.text;
  EXPECT_EQ(weak.result["sequential_objects"], true);
  const MazurRun strong = check_actors("sc");
  EXPECT_EQ(strong.text.find(words), std::string::npos) << strong.text;
  EXPECT_EQ(trap("old").text.find(words), std::string::npos);
}

TEST_F(Weak, ForkedExecutionsAreTheSame) {
  const MazurRun run = trap("wide-8", {"--isolation=fork", "--keep-going"});
  EXPECT_EQ(run.complete(), 4) << run.text;
  EXPECT_EQ(run.verdict(), "bug") << run.text;
}

TEST_F(Weak, WhatCannotBeCombinedIsRefused) {
  for (const char* other : {"--algorithm=optimal", "--races=explore", "--preemption-bound=2"}) {
    const MazurRun run = trap("old", {other});
    EXPECT_EQ(run.exit_code, 2) << other << "\n" << run.text;
    EXPECT_NE(run.text.find("cannot be combined with"), std::string::npos) << run.text;
  }
}

}  // namespace
}  // namespace mazur::test
