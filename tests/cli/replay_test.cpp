// `mazur replay` and `mazur show`, on a runtime that explores nothing (fake_runtime.cpp).
#include <gtest/gtest.h>

#include <filesystem>

#include "spawn.h"

namespace mazur {
namespace {

class ReplayTest : public testing::Test {
 protected:
  void SetUp() override {
    here_.write("bank.cpp", contents_of(FIXTURE));
    const auto bug =
        spawn({FAKE_MAZUR, "check", "bank.cpp", "-rdynamic", "--", "bug"}, here_.path());
    ASSERT_EQ(bug.code, 1) << bug.err;
  }
  Finished replay(const std::vector<std::string>& variables = {}) const {
    return spawn({FAKE_MAZUR, "replay", "bank-1.trace"}, here_.path(), variables);
  }
  Finished rebuild(const std::vector<std::string>& variables = {}) const {
    return spawn({FAKE_MAZUR, "replay", "bank-1.trace", "--rebuild"}, here_.path(), variables);
  }
  Scratch here_;
};

TEST_F(ReplayTest, BuildsTheProgramAgainAndFindsTheSameError) {
  const auto again = replay();
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_TRUE(contains(again.out, "bank.cpp:5")) << again.out;
  EXPECT_TRUE(contains(again.out, "counter == 41")) << again.out;
  // The rebuilt program is the same to the byte.
  EXPECT_EQ(again.err, "");
}

TEST_F(ReplayTest, FromAnotherFolder) {
  const Scratch elsewhere;
  const auto asked = spawn({FAKE_MAZUR, "replay", here_ / "bank-1.trace"}, elsewhere.path());
  EXPECT_EQ(asked.code, 2) << asked.err;
  EXPECT_TRUE(contains(asked.err, "nothing was run, because it was built in")) << asked.err;
  EXPECT_TRUE(contains(asked.err, " && g++ -g ")) << asked.err;
  const auto again =
      spawn({FAKE_MAZUR, "replay", "--rebuild", here_ / "bank-1.trace"}, elsewhere.path());
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_FALSE(contains(again.err, "the program has changed")) << again.err;
}

TEST_F(ReplayTest, OfAnExecutable) {
  ASSERT_EQ(spawn({FAKE_MAZUR, "c++", "-rdynamic", "bank.cpp", "-o", "prog"}, here_.path()).code,
            0);
  ASSERT_EQ(spawn({FAKE_MAZUR, "check", "./prog", "--", "bug"}, here_.path()).code, 1);
  EXPECT_EQ(spawn({FAKE_MAZUR, "replay", "prog-1.trace"}, here_.path()).code, 1);
  // A program that the user names is run wherever it lies and whatever the trace says.
  const Scratch elsewhere;
  const auto named =
      spawn({FAKE_MAZUR, "replay", here_ / "prog-1.trace", "--program", here_ / "prog"},
            elsewhere.path());
  EXPECT_EQ(named.code, 1) << named.err;
  std::filesystem::remove(here_ / "prog");
  const auto gone = spawn({FAKE_MAZUR, "replay", "prog-1.trace"}, here_.path());
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(contains(gone.err, "there is no file '")) << gone.err;
}

TEST_F(ReplayTest, ATraceThatDoesNotFitSaysSo) {
  const auto diverged = replay({"FAKE_DIVERGE=1"});
  EXPECT_EQ(diverged.code, 4);
  EXPECT_TRUE(contains(diverged.out, "the trace does not fit the program: step 0")) << diverged.out;
  const auto nothing = replay({"FAKE_NO_ERROR=1"});
  EXPECT_EQ(nothing.code, 4);
  EXPECT_TRUE(contains(nothing.out, "the schedule ran without the error")) << nothing.out;
}

TEST_F(ReplayTest, AChangedProgramIsNamedSo) {
  here_.write("bank.cpp", "int added;\n" + contents_of(FIXTURE));
  const auto asked = replay();
  EXPECT_EQ(asked.code, 2);
  EXPECT_TRUE(contains(asked.err, "because 'bank.cpp' has changed since the trace was written"))
      << asked.err;
  const auto changed = rebuild({"FAKE_NO_ERROR=1"});
  EXPECT_EQ(changed.code, 4);
  EXPECT_TRUE(contains(changed.err, "the program has changed since")) << changed.err;
  EXPECT_TRUE(contains(changed.out, "the program has changed since")) << changed.out;
}

TEST_F(ReplayTest, SourcesThatAreGoneAreOneSentence) {
  std::filesystem::remove(here_ / "bank.cpp");
  const auto gone = replay();
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(contains(gone.err, "the source 'bank.cpp' is gone")) << gone.err;
}

TEST_F(ReplayTest, ShowNeedsOnlyTheFile) {
  std::filesystem::remove(here_ / "bank.cpp");
  const auto shown = spawn({FAKE_MAZUR, "show", "bank-1.trace"}, here_.path());
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(contains(shown.out, "bank.cpp:5")) << shown.out;
  EXPECT_TRUE(contains(shown.out, "int failing() {  // the failing line")) << shown.out;
  EXPECT_TRUE(contains(shown.out, "update shared_counter 41 -> 42")) << shown.out;
}

TEST_F(ReplayTest, BadTraceFilesAreOneSentence) {
  const std::string good = contents_of(here_ / "bank-1.trace");
  const auto sentence = [this](const std::string& name) {
    std::string text;
    for (const char* command : {"replay", "show"}) {
      const auto ended = spawn({FAKE_MAZUR, command, name}, here_.path());
      EXPECT_EQ(ended.code, 2);
      EXPECT_EQ(ended.out, "");
      text = ended.err;
    }
    return text;
  };
  here_.write("empty.trace", "");
  EXPECT_EQ(sentence("empty.trace"), "mazur: 'empty.trace' is not a trace file of Mazur.\n");
  here_.write("short.trace", good.substr(0, good.size() - 10));
  EXPECT_EQ(sentence("short.trace"), "mazur: 'short.trace' is truncated.\n");
  std::string damaged = good;
  damaged[damaged.size() / 2] ^= 1;
  here_.write("damaged.trace", damaged);
  EXPECT_EQ(sentence("damaged.trace"),
            "mazur: 'damaged.trace' is damaged: its checksum is wrong.\n");
  EXPECT_TRUE(contains(sentence(FAKE_MAZUR), "is not a trace file of Mazur.\n"));
  EXPECT_EQ(sentence("nothing.trace"), "mazur: there is no file 'nothing.trace'.\n");
}

TEST_F(ReplayTest, InGdbWithTheScheduleInTheEnvironment) {
  // The fake runtime ends the program at once: what counts is that it got its channel.
  const auto debugged = spawn({FAKE_MAZUR, "replay", "--gdb", "bank-1.trace"}, here_.path());
  EXPECT_TRUE(contains(debugged.out, "exited normally")) << debugged.out << debugged.err;
}

}  // namespace
}  // namespace mazur
