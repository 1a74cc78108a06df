// The line about progress: on a terminal, and only there unless it is asked for.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "cli/run/progress_line.h"
#include "spawn.h"

namespace mazur {
namespace {

// Lets the program go on (fake_runtime.cpp) when the lines that it waits for were seen.
void tell(const std::string& folder, const std::string& seen) {
  if (contains(seen, "12,346 executions")) std::ofstream(folder + "/seen");
  if (contains(seen, "an error was found")) std::ofstream(folder + "/seen-minimising");
}

// What a terminal of this width gets to see of a command.
std::string on_terminal(const std::vector<std::string>& command, const std::string& folder,
                        unsigned short columns) {
  winsize size{};
  size.ws_row = 50;
  size.ws_col = columns;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(126);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }
  std::string seen;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = read(terminal, buffer, sizeof buffer)) > 0) {
    seen.append(buffer, static_cast<std::size_t>(got));
    tell(folder, seen);
  }
  close(terminal);
  waitpid(child, nullptr, 0);
  return seen;
}

class ProgressTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto built = spawn({FAKE_MAZUR, "c++", "-rdynamic", FIXTURE, "-o", here_ / "program"});
    ASSERT_EQ(built.code, 0) << built.err;
  }
  std::vector<std::string> command(const char* what) const {
    return {FAKE_MAZUR, "check", here_ / "program", "--", what};
  }
  Scratch here_;
};

TEST_F(ProgressTest, ATerminalShowsOneLineThatIsWrittenOver) {
  const std::string seen = on_terminal(command("slow"), here_.path(), 120);
  EXPECT_TRUE(contains(seen, "\r\033[K12,346 executions, ")) << seen;
  EXPECT_TRUE(contains(seen, "/s, depth 31, 0 errors, 25,000 to 49,000 in all, ")) << seen;
  EXPECT_TRUE(contains(seen, " left\r\033[K")) << seen;
  EXPECT_TRUE(contains(seen, "an error was found; looking for a shorter schedule")) << seen;
  // It is gone when the result comes.
  const std::size_t cleared = seen.rfind("\r\033[K");
  EXPECT_LT(cleared, seen.find("verified")) << seen;
  EXPECT_FALSE(contains(seen.substr(cleared), "left")) << seen;
}

TEST_F(ProgressTest, ANarrowTerminalGetsAShorterLine) {
  const std::string seen = on_terminal(command("slow"), here_.path(), 40);
  EXPECT_TRUE(contains(seen, "\r\033[K12,346 executions, ")) << seen;
  EXPECT_FALSE(contains(seen, "in all")) << seen;
}

TEST_F(ProgressTest, WithoutATerminalNothingIsSaid) {
  EXPECT_EQ(spawn(command("unseen"), here_.path()).err, "");
}

TEST_F(ProgressTest, WithoutATerminalLinesAreWrittenWhenAsked) {
  const std::string err = here_ / "err";
  const pid_t child = fork();
  if (child == 0) {
    redirect(STDERR_FILENO, err);
    redirect(STDOUT_FILENO, "/dev/null");
    if (chdir(here_.path().c_str()) != 0) _exit(126);
    execl(FAKE_MAZUR, FAKE_MAZUR, "check", "--progress", (here_ / "program").c_str(), "--", "slow",
          nullptr);
    _exit(126);
  }
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    tell(here_.path(), contents_of(err));
    usleep(10000);
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const std::string told = contents_of(err);
  EXPECT_TRUE(told.starts_with("mazur: 12,346 executions, ")) << told;
  EXPECT_TRUE(contains(told, "25,000 to 49,000 in all")) << told;
  EXPECT_FALSE(contains(told, "\033")) << told;
}

TEST_F(ProgressTest, AProgramThatDiesWhileItsScheduleIsMadeShorterStillHasTheError) {
  const Finished end = spawn(command("dies minimising"), here_.path());
  EXPECT_EQ(end.code, 1) << end.err;
  EXPECT_TRUE(contains(end.out, "counter == 41")) << end.out;
}

TEST(ProgressText, SaysNoMoreThanItKnows) {
  const Tally tally{.complete = 1000, .failures = 1, .depth = 7};
  const std::string start = "1,000 executions, 500/s, depth 7, 1 error";
  EXPECT_EQ(progress_text(tally, {}, 2), start);
  EXPECT_EQ(progress_text(tally, {0.25, 0.5}, 2),
            start + ", 2,000 to 4,000 in all, 2.0 s to 6.0 s left");
  EXPECT_EQ(progress_text(tally, {0, 0.001}, 2),
            start + ", at least 1,000,000 in all, at least 33 min left");
  EXPECT_EQ(progress_text(tally, {0, 1e-20}, 2), start + ", no end in sight");
}

// Once seen: a number with a hundred digits.
TEST(ProgressText, ATimeThatNobodyWaitsForHasNoNumber) {
  EXPECT_EQ(progress_text({.complete = 1000, .depth = 7}, {0, 1e-9}, 2),
            "1,000 executions, 500/s, depth 7, 0 errors, at least 1,000,000,000,000 in all, more "
            "than a year left");
}

// Once seen: 99% of it.
TEST(ProgressText, WithoutACompleteExecutionNothingIsKnown) {
  EXPECT_EQ(progress_text({.bounded = 10, .depth = 7}, {0.5, 0.99}, 5),
            "10 executions, 2/s, depth 7, 0 errors, none of them complete");
}

}  // namespace
}  // namespace mazur
