// Bounds, annotations and SV-COMP's names on real programs.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kPrograms = MAZUR_TEST_SOURCES "/native/bounds";

// Builds a program once per test and checks it with several options.
class NativeBounds : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("mazur-bounds-") + info->name() + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path built(const std::string& program, const std::vector<std::string>& flags) {
    return build(kPrograms / program, flags, folder_);
  }
  MazurRun run(const std::filesystem::path& program, std::vector<std::string> options) {
    std::vector<std::string> words{"check", program.string(), "--json=result.json"};
    words.insert(words.end(), options.begin(), options.end());
    return run_mazur(words, folder_);
  }

  std::filesystem::path folder_;
};

using Names = std::vector<std::string>;

TEST_F(NativeBounds, OnSchedules) {
  const auto program = built("counter.cpp", {"-O1"});
  const MazurRun all = run(program, {});
  EXPECT_EQ(all.verdict(), "verified") << all.text;
  for (const std::string option : {"preemption-bound", "delay-bound"}) {
    const MazurRun wide = run(program, {"--" + option + "=100"});
    EXPECT_EQ(wide.verdict(), "verified") << wide.text;
    EXPECT_EQ(wide.complete(), all.complete()) << wide.text;
    EXPECT_EQ(wide.result["algorithm"], "bounded");
    EXPECT_FALSE(wide.result.contains("bounds_reached"));
    const MazurRun narrow = run(program, {"--" + option + "=1"});
    EXPECT_EQ(narrow.verdict(), "incomplete") << narrow.text;
    EXPECT_EQ(narrow.exit_code, 3);
    EXPECT_EQ(narrow.result["bounds_reached"], Names{option});
    EXPECT_NE(narrow.text.find("--" + option), std::string::npos) << narrow.text;
    EXPECT_LT(narrow.complete(), all.complete());
  }
}

// The lost update needs one preemption: none is found without, and one is found with it.
TEST_F(NativeBounds, AFailureIsFoundWithinItsBoundOnly) {
  const auto program = built("counter.cpp", {"-O1", "-DRACY"});
  EXPECT_EQ(run(program, {"--preemption-bound=0"}).verdict(), "incomplete");
  EXPECT_EQ(run(program, {"--preemption-bound=1"}).verdict(), "bug");
  EXPECT_EQ(run(program, {"--delay-bound=0"}).verdict(), "incomplete");
  EXPECT_EQ(run(program, {"--delay-bound=1"}).verdict(), "bug");
}

// At -O0 all loads of a std::atomic<int> are one
// instruction in the library's header: only the calls that lead there tell them apart.
TEST_F(NativeBounds, OnIterations) {
  for (const std::string level : {"-O0", "-O2"}) {
    const auto program = built("loops.cpp", {level});
    for (const std::string algorithm : {"optimal", "naive"}) {
      const MazurRun enough = run(program, {"--unroll=3", "--algorithm=" + algorithm});
      EXPECT_EQ(enough.verdict(), "verified") << level << algorithm << enough.text;
      const MazurRun cut = run(program, {"--unroll=2", "--algorithm=" + algorithm});
      EXPECT_EQ(cut.verdict(), "incomplete") << level << algorithm << cut.text;
      EXPECT_EQ(cut.result["bounds_reached"], Names{"unroll"});
      EXPECT_GT(cut.bounded(), 0);
    }
  }
  // One loop has no end, the other thread's error is found all the same.
  const auto endless = built("loops.cpp", {"-O1", "-DENDLESS"});
  const MazurRun found = run(endless, {"--unroll=5"});
  EXPECT_EQ(found.verdict(), "bug") << found.text;
  EXPECT_EQ(found.result["errors"][0]["kind"], "assertion");
}

// The number of the line with this text.
int line_of(const std::string& program, const std::string& text) {
  std::ifstream in(kPrograms / program);
  int number = 1;
  for (std::string line; std::getline(in, line); ++number)
    if (line.find(text) != std::string::npos) return number;
  return 0;
}

using Lines = std::map<int, std::uint64_t>;

// The lines of the loops that were cut, with how many rounds they had.
Lines cut_loops(const MazurRun& run) {
  Lines lines;
  for (const auto& loop : run.result.value("cut_loops", nlohmann::json::array())) {
    EXPECT_EQ(std::filesystem::path(loop["file"].get<std::string>()).filename(), "slots.cpp");
    EXPECT_GT(loop["times"], 0);
    lines[loop["line"]] = loop["rounds"];
  }
  return lines;
}

TEST_F(NativeBounds, OnIterationsAreForLoopsThatRace) {
  const int constructor = line_of("slots.cpp", "slot.store(1)");
  const int other = line_of("slots.cpp", "// of the other"), main = line_of("slots.cpp", "of main");
  for (const std::string level : {"-O0", "-O1"}) {
    const auto program = built("slots.cpp", {level});
    const MazurRun all = run(program, {});
    EXPECT_EQ(all.verdict(), "verified") << all.text;
    EXPECT_EQ(all.complete(), 20);
    const MazurRun enough = run(program, {"--unroll=3"});
    EXPECT_EQ(enough.verdict(), "verified") << enough.text;
    EXPECT_EQ(enough.complete(), 20);
    const MazurRun cut = run(program, {"--unroll=2"});
    EXPECT_EQ(cut.verdict(), "incomplete") << cut.text;
    EXPECT_EQ(cut.bounded(), 6);  // orders of two and two
    EXPECT_EQ(cut_loops(cut), (Lines{{other, 2}, {main, 2}})) << cut.text;
    EXPECT_NE(cut.text.find("cut after 2 rounds: the loop at "), std::string::npos) << cut.text;
    const std::string at_main = "slots.cpp:" + std::to_string(main);
    const MazurRun one = run(program, {"--unroll=" + at_main + "=1"});
    EXPECT_EQ(one.verdict(), "incomplete") << one.text;
    EXPECT_EQ(one.bounded(), 4);
    EXPECT_EQ(cut_loops(one), (Lines{{main, 1}})) << one.text;
    const MazurRun both = run(program, {"--unroll=2", "--unroll=" + at_main + "=3"});
    EXPECT_EQ(both.bounded(), 10) << both.text;
    EXPECT_EQ(cut_loops(both), (Lines{{other, 2}})) << both.text;
    // Who names a line means it.
    const MazurRun named =
        run(program, {"--unroll=bounds/slots.cpp:" + std::to_string(constructor) + "=4"});
    EXPECT_EQ(cut_loops(named), (Lines{{constructor, 4}})) << named.text;
    EXPECT_FALSE(named.result.contains("unmet_loop_lines")) << named.text;
    const MazurRun unmet =
        run(program, {"--unroll=lots.cpp:" + std::to_string(constructor) + "=4"});
    EXPECT_EQ(unmet.verdict(), "verified");
    EXPECT_EQ(unmet.result["unmet_loop_lines"], Names{"lots.cpp:" + std::to_string(constructor)});
    EXPECT_NE(unmet.text.find("no thread was seen at lots.cpp:"), std::string::npos) << unmet.text;
  }
}

// What is said of a loop that was cut, and at which line.
TEST_F(NativeBounds, ALoopThatDoesNotWaitSaysWhy) {
  const auto program = built("reasons.cpp", {"-std=c++20", "-O1"});
  const std::map<std::string, std::string> reasons = {
      {"update", "in each round, 'update tries "},
      {"write", "each round writes to memory"},
      {"library", "each round writes to memory"},
      {"allocation", "each round allocates or frees memory"},
      {"clock", "each round looks at a clock"},
      {"counter", "a register or a local variable is another one after each round"},
      {"reads", "a round has too many operations"},
      {"wait", "in each round, 'wa"},
      {"stack", "its stack is too deep to be compared"}};
  for (const auto& [which, why] : reasons) {
    const int line = line_of("reasons.cpp", "// " + which);
    for (const std::string bound : {"--max-steps=3000", "--unroll=5"}) {
      if (which == "reads" && bound != "--unroll=5") continue;  // it is at none of them often
      const MazurRun cut = run(program, {bound, "--max-executions=10", "--", which});
      ASSERT_EQ(cut.verdict(), "incomplete") << cut.text;
      auto loops = cut.result.value("cut_loops", nlohmann::json::array());
      if (cut.result.contains("longest_loop")) loops.push_back(cut.result["longest_loop"]);
      bool said = false;
      for (const auto& loop : loops) {
        const auto reason = loop.value("does_not_wait", nlohmann::json::object());
        said |= reason.value("why", "").starts_with(why) &&
                (which == "reads" || reason.value("line", 0) == line);  // any of them
      }
      EXPECT_TRUE(said) << why << ", line " << line << cut.text << loops;
      EXPECT_NE(cut.text.find("not taken for one that waits: " + why), std::string::npos)
          << cut.text;
    }
  }
}

TEST_F(NativeBounds, OnTimeouts) {
  const auto program = built("timeouts.cpp", {"-std=c++20", "-O1"});
  const MazurRun any = run(program, {"--max-steps=300", "--max-executions=50"});
  EXPECT_EQ(any.verdict(), "incomplete") << any.text;
  EXPECT_GT(any.bounded(), 0) << any.text;
  for (const std::string algorithm : {"optimal", "source", "quasi", "lazy", "naive"}) {
    const MazurRun first = run(program, {"--timeouts=first", "--algorithm=" + algorithm});
    EXPECT_EQ(first.verdict(), "incomplete") << first.text;
    EXPECT_EQ(first.result["bounds_reached"], Names{"timeouts"}) << first.text;
    EXPECT_GT(first.complete(), 1) << first.text;
    EXPECT_EQ(first.bounded(), 0) << first.text;
  }
  const MazurRun never = run(program, {"--timeouts=never"});
  EXPECT_EQ(never.result["bounds_reached"], Names{"timeouts"}) << never.text;
  EXPECT_EQ(never.complete(), 2) << never.text;
  // A standstill that only a timeout ends.
  const auto forgotten = built("timeouts.cpp", {"-std=c++20", "-O1", "-DFORGOTTEN"});
  const MazurRun cut = run(forgotten, {"--timeouts=first"});
  EXPECT_EQ(cut.verdict(), "incomplete") << cut.text;
  EXPECT_GT(cut.bounded(), 0) << cut.text;
  EXPECT_GT(cut.complete(), 0) << cut.text;
  const MazurRun lost = run(forgotten, {"--timeouts=never", "--trace=lost"});
  ASSERT_EQ(lost.verdict(), "bug") << lost.text;
  EXPECT_EQ(lost.result["errors"][0]["kind"], "deadlock") << lost.text;
  const MazurRun again = run_mazur(
      {"replay", "lost-1.trace", "--program=" + forgotten.string(), "--json=result.json"}, folder_);
  EXPECT_EQ(again.exit_code, 1) << again.text;
}

TEST_F(NativeBounds, TheOthersAreNamedToo) {
  const auto program = built("counter.cpp", {"-O1"});
  EXPECT_EQ(run(program, {"--max-steps=5"}).result["bounds_reached"], Names{"max-steps"});
  EXPECT_EQ(run(program, {"--max-executions=2"}).result["bounds_reached"], Names{"max-executions"});
  EXPECT_EQ(run(program, {"--time-limit=1ms", "--algorithm=random"}).result["bounds_reached"],
            Names{"time-limit"});
}

TEST_F(NativeBounds, InputsOfSvComp) {
  const auto program = built("inputs.c", {"-O1"});
  const MazurRun some = run(program, {});
  EXPECT_EQ(some.verdict(), "incomplete") << some.text;
  EXPECT_EQ(some.result["bounds_reached"], Names{"nondet"});
  const MazurRun range = run(program, {"--nondet=-3..9"});
  EXPECT_EQ(range.verdict(), "verified") << range.text;
  EXPECT_EQ(range.complete(), 2 * 10) << range.text;  // of 13 values, 10 are not assumed away
  const MazurRun bug = run(program, {"--nondet=-3..10"});
  EXPECT_EQ(bug.verdict(), "bug") << bug.text;
  EXPECT_EQ(bug.result["errors"][0]["kind"], "assertion");
  EXPECT_NE(bug.result["errors"][0]["message"].get<std::string>().find("reach_error"),
            std::string::npos);
  // The schedule is replayed with the same range.
  const MazurRun again = run_mazur({"replay", bug.result["errors"][0]["trace"]}, folder_);
  EXPECT_EQ(again.exit_code, 1) << again.text;
}

TEST_F(NativeBounds, Annotations) {
  for (const char* name : {"annotations.c", "annotations.cpp"}) {
    const auto program = built(name, {"-O1"});
    const MazurRun good = run(program, {});
    EXPECT_EQ(good.verdict(), "verified") << good.text;
    EXPECT_EQ(good.complete() % 9, 0) << good.text;  // mazur_nondet(-4, 4)
    const auto broken = built(name, {"-O1", "-DNDEBUG", "-DBROKEN"});
    const MazurRun bad = run(broken, {});
    ASSERT_EQ(bad.verdict(), "bug") << bad.text;
    const auto& error = bad.result["errors"][0];
    EXPECT_EQ(error["kind"], "assertion");
    EXPECT_NE(error["message"].get<std::string>().find("seen < 3"), std::string::npos);
    EXPECT_EQ(error["thread_names"]["1"], "writer");
    EXPECT_NE(bad.text.find("thread 1 (writer)"), std::string::npos) << bad.text;
    EXPECT_NE(bad.text.find("the seen one"), std::string::npos) << bad.text;
  }
}

}  // namespace
}  // namespace mazur::test
