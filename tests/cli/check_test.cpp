// `mazur check`, on a runtime that explores nothing (fake_runtime.cpp).
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "spawn.h"

namespace mazur {
namespace {

using Json = nlohmann::json;

// The fixture, compiled once.
class CheckTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new Scratch;
    program_ = *folder_ / "program";
    const auto built = spawn({FAKE_MAZUR, "c++", "-rdynamic", FIXTURE, "-o", program_});
    ASSERT_EQ(built.code, 0) << built.err;
  }
  static void TearDownTestSuite() { delete folder_; }

  Finished check(std::vector<std::string> words,
                 const std::vector<std::string>& variables = {}) const {
    words.insert(words.begin(), {FAKE_MAZUR, "check", program_});
    return spawn(words, here_.path(), variables);
  }
  // With this argument for the program.
  Finished check(const std::string& argument) const { return check({"--", argument}); }

  static Scratch* folder_;
  static std::string program_;
  Scratch here_;
};

Scratch* CheckTest::folder_ = nullptr;
std::string CheckTest::program_;

TEST_F(CheckTest, VerdictsAndExitCodes) {
  const auto verified = check("verified");
  EXPECT_EQ(verified.code, 0) << verified.err;
  EXPECT_TRUE(
      contains(verified.out, "verified under sequential consistency: every trace was explored"))
      << verified.out;
  EXPECT_TRUE(contains(verified.out, "3 executions (2 complete, 1 blocked), 30 events, 500 ms"))
      << verified.out;
  const auto incomplete = check("incomplete");
  EXPECT_EQ(incomplete.code, 3);
  EXPECT_TRUE(contains(incomplete.out, "--max-executions was reached")) << incomplete.out;
  EXPECT_EQ(check("bug").code, 1);
}

TEST_F(CheckTest, ABugHasLineSourceScheduleOutputAndReplayCommand) {
  const auto bug = check("bug");
  EXPECT_TRUE(contains(bug.out, "Assertion failed in thread 1")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "fixture.cpp:5")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "int failing() {  // the failing line")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "counter == 41")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "update shared_counter 41 -> 42")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "  | printed before")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "mazur replay program-1.trace")) << bug.out;
  EXPECT_TRUE(std::filesystem::exists(here_ / "program-1.trace"));
}

TEST_F(CheckTest, TheSameErrorIsListedOnceWithItsCount) {
  const auto bugs = check({"--json=-", "--", "bugs"});
  EXPECT_EQ(bugs.code, 1);
  const Json json = Json::parse(bugs.out);
  ASSERT_EQ(json["errors"].size(), 2u);
  EXPECT_EQ(json["errors"][0]["kind"], "assertion");
  EXPECT_EQ(json["errors"][0]["count"], 2);
  EXPECT_EQ(json["errors"][0]["trace"], "program-1.trace");
  EXPECT_EQ(json["errors"][1]["kind"], "use-after-free");
  EXPECT_EQ(json["errors"][1]["count"], 7);
  EXPECT_EQ(json["errors"][1]["trace"], "program-2.trace");
  EXPECT_EQ(json["errors"][0]["frames"][0]["function"], "failing");
  EXPECT_EQ(json["errors"][0]["frames"][0]["line"], 5);
  EXPECT_GT(json["peak_rss_kb"].get<int>(), 0);
  EXPECT_TRUE(contains(bugs.err, "Assertion failed")) << bugs.err;
}

TEST_F(CheckTest, JsonToAFile) {
  const auto verified = check({"--json=result.json", "--", "verified"});
  EXPECT_EQ(verified.code, 0);
  EXPECT_EQ(Json::parse(contents_of(here_ / "result.json"))["verdict"], "verified");
  EXPECT_TRUE(contains(verified.out, "verified under sequential consistency:"));
  const auto failed = check({"--json=/nowhere/x", "--", "verified"});
  EXPECT_EQ(failed.code, 2);
  EXPECT_EQ(failed.err,
            "mazur: the result cannot be written to '/nowhere/x' (--json): there is no folder "
            "'/nowhere'.\n");
}

TEST_F(CheckTest, OptionsReachTheRuntime) {
  const auto plain = check({"--json=-", "--", "request"});
  EXPECT_EQ(Json::parse(plain.out)["reason"],
            "algorithm=optimal seed=1 depth=3 sleep=1 pick=0 isolation=0 races=0 going=0 output=0 "
            "repeat=0 steps=100000 executions=0 time=0 bind=1 fixed=1 stdin=0");
  const auto all = check({"--algorithm=random", "--seed=9", "--pct-depth=5", "--sleep-sets=off",
                          "--pick=round-robin", "--isolation=fork", "--races=ignore",
                          "--keep-going", "--output=all", "--check-determinism", "--max-steps=77",
                          "--max-executions=88", "--time-limit=1.5m", "--json=-", "--", "request"});
  const Json json = Json::parse(all.out);
  EXPECT_EQ(json["algorithm"], "random");
  EXPECT_EQ(json["reason"],
            "algorithm=random seed=9 depth=5 sleep=0 pick=3 isolation=1 races=2 going=1 output=1 "
            "repeat=1 steps=77 executions=88 time=90 bind=1 fixed=1 stdin=0");
}

TEST_F(CheckTest, TraceFilesGoWhereTheyAreAsked) {
  check({"--trace-dir=sub/dir", "--trace=failure", "--", "bug"});
  EXPECT_TRUE(std::filesystem::exists(here_ / "sub/dir/failure-1.trace"));
  EXPECT_FALSE(std::filesystem::exists(here_ / "program-1.trace"));
  const auto none = check({"--no-trace", "--", "bug"});
  EXPECT_FALSE(std::filesystem::exists(here_ / "program-1.trace"));
  EXPECT_FALSE(contains(none.out, "mazur replay")) << none.out;
}

TEST_F(CheckTest, QuietAndOutput) {
  const auto quiet = check({"--quiet", "--", "bug"});
  EXPECT_EQ(quiet.code, 1);
  EXPECT_FALSE(contains(quiet.out, "Assertion failed")) << quiet.out;
  EXPECT_TRUE(contains(quiet.out, "bug")) << quiet.out;
  EXPECT_FALSE(contains(check({"--output=none", "--", "bug"}).out, "printed before"));
}

TEST_F(CheckTest, ColoursOnlyWhenAsked) {
  EXPECT_FALSE(contains(check("bug").out, "\033["));
  EXPECT_TRUE(contains(check({"--color=always", "--", "bug"}).out, "\033["));
}

TEST_F(CheckTest, ADeadRuntimeLeavesItsSchedule) {
  const auto crash = check("crash");
  EXPECT_EQ(crash.code, 4);
  EXPECT_TRUE(contains(crash.out, "was killed by SIGSEGV in execution 4")) << crash.out;
  ASSERT_TRUE(std::filesystem::exists(here_ / "program-1.trace"));
  const auto shown = spawn({FAKE_MAZUR, "show", here_ / "program-1.trace"});
  EXPECT_TRUE(contains(shown.out, "thread 1")) << shown.out;
  const auto ended = check("exit");
  EXPECT_EQ(ended.code, 4);
  EXPECT_TRUE(contains(ended.out, "ended with exit status 5")) << ended.out;
}

TEST_F(CheckTest, ARuntimeThatDoesNotStart) {
  const auto silent = check("silent");
  EXPECT_EQ(silent.code, 2);
  EXPECT_TRUE(contains(silent.err,
                       "Mazur's runtime did not start in the program, which ended with "
                       "exit status 0"))
      << silent.err;
  EXPECT_EQ(check("gave-up").code, 2);
}

TEST_F(CheckTest, ALogFullOfGarbageIsSurvived) { EXPECT_EQ(check("garbage").code, 1); }

TEST_F(CheckTest, ControlCStopsTheExploration) {
  const std::string err = here_ / "err";
  const pid_t child = fork();
  if (child == 0) {
    redirect(STDERR_FILENO, err);
    redirect(STDOUT_FILENO, "/dev/null");
    execl(FAKE_MAZUR, FAKE_MAZUR, "check", program_.c_str(), "--", "wait", nullptr);
    _exit(126);
  }
  while (!contains(contents_of(err), "waiting")) usleep(10000);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST_F(CheckTest, ASecondControlCKillsTheProgram) {
  const std::string err = here_ / "err";
  const pid_t child = fork();
  if (child == 0) {
    redirect(STDERR_FILENO, err);
    redirect(STDOUT_FILENO, "/dev/null");
    execl(FAKE_MAZUR, FAKE_MAZUR, "check", program_.c_str(), "--", "hang", nullptr);
    _exit(126);
  }
  // A signal before mazur listens would end it at once, which the exit code below tells apart.
  while (!contains(contents_of(err), "waiting")) usleep(10000);
  int status = 0;
  int signals = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    kill(child, SIGINT);
    ++signals;
    usleep(50000);
  }
  EXPECT_GE(signals, 2);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST_F(CheckTest, SourcesAreCompiled) {
  for (const char* compiler : {"gcc", "clang"}) {
    const auto bug = spawn({FAKE_MAZUR, "check", FIXTURE, "-rdynamic", "-O1",
                            std::string("--compiler=") + compiler, "--", "bug"},
                           here_.path());
    EXPECT_EQ(bug.code, 1) << compiler << bug.err;
    EXPECT_TRUE(contains(bug.out, "fixture.cpp:5")) << compiler << bug.out;
    EXPECT_TRUE(std::filesystem::exists(here_ / "fixture-1.trace")) << compiler;
  }
}

TEST_F(CheckTest, SourcesAreOptimisedAndTraceFilesSayHow) {
  const std::string source = here_.write("prog.c", R"(
#ifndef __OPTIMIZE__
#error
#endif
int main(void) { return 0; })");
  EXPECT_EQ(spawn({FAKE_MAZUR, "check", source, "--", "bug"}, here_.path()).code, 1);
  EXPECT_TRUE(contains(contents_of(here_ / "prog-1.trace"), "\"flags\": [\n   \"-O1\"\n  ]"))
      << contents_of(here_ / "prog-1.trace").substr(0, 1000);
  EXPECT_EQ(spawn({FAKE_MAZUR, "check", source, "-O0", "--", "bug"}, here_.path()).code, 2);
}

TEST_F(CheckTest, SeveralSourcesInTwoLanguages) {
  const std::string c = here_.write("part.c",
                                    "#if __STDC_VERSION__ != 199901L\n#error\n#endif\n"
                                    "int part(void) { return N; }\n");
  const std::string cxx =
      here_.write("whole.cpp",
                  "static_assert(__cplusplus == 202002L);\nextern \"C\" int part();\n"
                  "int main() { return part() - N; }\n");
  for (const char* compiler : {"gcc", "clang"}) {
    const auto both =
        spawn({FAKE_MAZUR, "check", cxx, c, "-DN=3", "-std=c++20", "-std=c99", "-Wall", "-Werror",
               "-lm", std::string("--compiler=") + compiler, "--build-dir=kept", "--", "verified"},
              here_.path());
    EXPECT_EQ(both.code, 0) << compiler << both.err;
    EXPECT_TRUE(std::filesystem::exists(here_ / "kept/whole"));
  }
}

TEST_F(CheckTest, ACompileErrorIsShownAsTheCompilerShowsIt) {
  const auto broken = spawn({FAKE_MAZUR, "check", FIXTURE, "-DBREAK_THE_BUILD"}, here_.path());
  EXPECT_EQ(broken.code, 2);
  EXPECT_TRUE(contains(broken.err, "undeclared_name")) << broken.err;
  EXPECT_TRUE(contains(broken.err, "error:")) << broken.err;
  EXPECT_TRUE(broken.err.ends_with(
      "mazur: the program does not build; the compiler's messages above say why.\n"))
      << broken.err;
}

TEST_F(CheckTest, BadInputIsOneSentence) {
  const auto sentence = [this](const std::vector<std::string>& words) {
    std::vector<std::string> command{FAKE_MAZUR};
    command.insert(command.end(), words.begin(), words.end());
    const auto ended = spawn(command, here_.path());
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    return ended.err;
  };
  EXPECT_EQ(sentence({"check", "nothing"}), "mazur: there is no file 'nothing'.\n");
  here_.write("text", "some text");
  EXPECT_EQ(sentence({"check", "text"}),
            "mazur: 'text' is neither a C or C++ source file nor an executable.\n");
  EXPECT_EQ(sentence({"check", "."}), "mazur: '.' is a folder, not a program.\n");
  spawn({"g++", FIXTURE, "-o", here_ / "plain"});
  EXPECT_EQ(sentence({"check", "plain"}),
            "mazur: 'plain' was built without instrumentation: build it with 'mazur c++' (or 'g++ "
            "-fsanitize=thread -g'; with CMake: -DCMAKE_CXX_COMPILER=mazur-c++), then check it "
            "again.\n");
  spawn({"g++", "-c", "-fsanitize=thread", FIXTURE, "-o", here_ / "object"});
  EXPECT_EQ(sentence({"check", "object"}),
            "mazur: 'object' is an object file or a library, not a program: link it first.\n");
  spawn({"clang++", "-fsanitize=thread", FIXTURE, "-o", here_ / "clangs"});
  EXPECT_TRUE(contains(sentence({"check", "clangs"}), "another sanitizer runtime linked into it"));
  spawn({"g++", "-fsanitize=thread", "-static-libtsan", FIXTURE, "-o", here_ / "static"});
  EXPECT_TRUE(contains(sentence({"check", "static"}), "another sanitizer runtime linked into it"));
  spawn({"g++", "-static", FIXTURE, "-o", here_ / "alone"});
  EXPECT_TRUE(contains(sentence({"check", "alone"}), "built without instrumentation"));
  EXPECT_EQ(sentence({"chekc"}), "mazur: there is no command 'chekc'. Did you mean check?\n");
}

TEST_F(CheckTest, APlainSanitizerBuildIsCheckedAsItIs) {
  const auto built =
      spawn({"g++", "-g", "-rdynamic", "-fsanitize=thread", FIXTURE, "-o", here_ / "plain"});
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(spawn({FAKE_MAZUR, "check", "./plain", "--", "bug"}, here_.path()).code, 1);
}

TEST(Mazur, HelpAndVersion) {
  EXPECT_EQ(spawn({FAKE_MAZUR, "--help"}).code, 0);
  EXPECT_EQ(spawn({FAKE_MAZUR}).code, 2);
  EXPECT_TRUE(spawn({FAKE_MAZUR, "--version"}).out.starts_with("mazur "));
  EXPECT_TRUE(spawn({FAKE_MAZUR, "version"}).out.starts_with("mazur "));
  for (const char* command : {"check", "replay", "show"})
    EXPECT_EQ(spawn({FAKE_MAZUR, command, "--help"}).code, 0) << command;
}

TEST(Mazur, Doctor) {
  const auto doctor = spawn({FAKE_MAZUR, "doctor"});
  EXPECT_EQ(doctor.code, 0) << doctor.out;
  EXPECT_TRUE(contains(doctor.out, "libtsan.so.2")) << doctor.out;
}

}  // namespace
}  // namespace mazur
