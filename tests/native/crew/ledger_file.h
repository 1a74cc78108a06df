// What tests of --ledger share: a folder of their own, and programs whose executions are known.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/spawn.h"
#include "essence.h"
#include "run_mazur.h"
#include "work/postgres_server.h"

namespace mazur::test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Executions of ledger/long.cpp, by its number of threads.
inline constexpr long kFour = 2520, kFive = 113400;

class LedgerFile : public testing::Test {
 public:
  // The lease of a process that was killed ends after half a minute. This does not wait for that.
  static void end_lease(const PostgresServer& server, pid_t process) {
    // It may have been killed before it made the tables.
    server.execute(
        "DO $$ BEGIN IF to_regclass('mazur.worker') IS NOT NULL THEN "
        "UPDATE mazur.worker SET until = '-infinity' WHERE name LIKE '%:" +
        std::to_string(process) + "'; END IF; END $$");
  }

 protected:
  static void SetUpTestSuite() {
    // For all suites of this process: a server has its data there, too.
    static const struct Home {
      Home() { fs::create_directories(path); }
      ~Home() { fs::remove_all(path); }
      const fs::path path =
          fs::temp_directory_path() / ("mazur-ledger-" + std::to_string(getpid()));
    } home;
    home_ = home.path;
    setenv("TMPDIR", home_.c_str(), 1);  // a killed mazur cannot remove its folders
    for (auto [program, name] : {std::pair{&long_, "long.cpp"}, {&count_, "count.cpp"}})
      *program = build(fs::path(MAZUR_TEST_SOURCES) / "native/ledger" / name, {"-O1", "-g"}, home_);
  }
  void SetUp() override {
    unsetenv("MAZUR_SLICE");
    folder_ = home_ / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  void TearDown() override { unsetenv("MAZUR_SLICE"); }

  // Workers hand back their pieces after so many executions.
  static void slices(int executions) {
    setenv("MAZUR_SLICE", std::to_string(executions).c_str(), 1);
  }

  Words command(const fs::path& program, const Words& options) const {
    Words words{"check", program.string(), "--no-trace", "--json=result.json"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }
  MazurRun run(const fs::path& program, const Words& options) const {
    fs::remove(folder_ / "result.json");
    return run_mazur(command(program, options), folder_);
  }
  MazurRun mazur(const Words& words) const {
    fs::remove(folder_ / "result.json");
    return run_mazur(words, folder_);
  }
  std::string mazur_output(Words words) const {
    words.insert(words.begin(), MAZUR_PROGRAM);
    return spawn(words, folder_.string()).out;
  }
  // Starts mazur with these words, without waiting for it.
  pid_t start(const Words& words) const {
    const pid_t child = fork();
    if (child != 0) return child;
    redirect(STDOUT_FILENO, (folder_ / "out").string());
    redirect(STDERR_FILENO, (folder_ / "err").string());
    std::vector<char*> all{const_cast<char*>(MAZUR_PROGRAM)};
    for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
    all.push_back(nullptr);
    if (chdir(folder_.c_str()) == 0) execv(MAZUR_PROGRAM, all.data());
    _exit(127);
  }
  // Its exit code, or -signal.
  static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  void expect_all(const MazurRun& run, long executions = kFour) const {
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.complete(), executions) << run.text;
  }
  // The program is only begun.
  void begin(Words options) const {
    slices(50);  // so that it looks at the clock in time
    options.insert(options.begin(), {"--ledger=run.db", "--time-limit=0.001"});
    const MazurRun begun = run(long_, options);
    EXPECT_EQ(begun.exit_code, 3) << begun.text;
  }
  void expect_refused(const MazurRun& run, const std::string& why) const {
    EXPECT_EQ(run.exit_code, 2) << run.text;
    EXPECT_NE(run.text.find(why), std::string::npos) << run.text;
    EXPECT_EQ(run.text.find("unexpected error"), std::string::npos) << run.text;
  }
  const fs::path& folder() const { return folder_; }
  static const fs::path& home() { return home_; }

  static inline fs::path home_, long_, count_;

 private:
  fs::path folder_;
};

}  // namespace mazur::test
