// random and pct by several processes: the executions are those of one, and so is what they find.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "essence.h"
#include "explore/registry.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Threads that few executions have, in any order; who is woken, and what loops wait for. The numbers
// of threads must not depend on who has met one first.
constexpr char kRare[] = R"(
#include <mazur/mazur.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
std::atomic<int> x{0}, ended{0};
std::mutex m;
std::condition_variable changed;
int turn = 0;
void work(int id) {
  x.store(id);
  std::unique_lock l(m);
  if (turn == 0) changed.wait_for(l, std::chrono::milliseconds(1));
  ++turn;
  changed.notify_one();
}
void start(int id) {
  if (mazur_choose(16) == 5) std::thread(work, id).join();
  ended.fetch_add(1);
}
int main(int argc, char**) {
  std::thread a(start, 1), b(start, 2), c(start, 3);
  std::thread d([] { while (ended.load() < 3) std::this_thread::yield(); });
  a.join(); b.join(); c.join(); d.join();
  assert(argc == 1 || turn != 2);
}
)";

constexpr char kWalks[][20] = {"--algorithm=random", "--algorithm=pct"};

class Walks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    home_ = fs::temp_directory_path() / ("mazur-walks-" + std::to_string(getpid()));
    fs::create_directories(home_);
    std::ofstream(home_ / "rare.cpp") << kRare;
    rare_ = test::build(home_ / "rare.cpp", {"-std=c++20", "-O1", "-g"}, home_);
  }
  static void TearDownTestSuite() { fs::remove_all(home_); }
  void SetUp() override {
    unsetenv("MAZUR_SLICE");
    folder_ = home_ / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  void TearDown() override { unsetenv("MAZUR_SLICE"); }

  MazurRun run(const fs::path& program, Words options) const {
    options.insert(options.begin(),
                   {"check", program.string(), "--no-trace", "--json=result.json", "--minimise=0"});
    fs::remove(folder_ / "result.json");
    return run_mazur(options, folder_);
  }
  // What does not depend on the number of processes, and which bounds were hit.
  static nlohmann::json told(const MazurRun& run) {
    nlohmann::json all = essence(run);
    all["bounds_reached"] = run.result.value("bounds_reached", nlohmann::json());
    return all;
  }
  // With one process and with several, cut into pieces in several ways. `before`: options; `after`: the
  // program's arguments, with "--".
  void expect_same(const fs::path& program, const Words& before, const Words& after = {}) const {
    const auto with = [&](Words words) {
      words.insert(words.end(), before.begin(), before.end());
      words.insert(words.end(), after.begin(), after.end());
      return run(program, words);
    };
    const nlohmann::json one = told(with({}));
    for (const auto& [jobs, slice] : {std::pair{"2", ""}, {"3", "1"}, {"2", "29"}}) {
      setenv("MAZUR_SLICE", slice, 1);
      const MazurRun shared = with({"-j", jobs});
      EXPECT_EQ(told(shared), one) << program << " " << before.front() << "\n" << shared.text;
    }
    unsetenv("MAZUR_SLICE");
  }
  const fs::path& folder() const { return folder_; }
  static const fs::path& rare() { return rare_; }

 private:
  static inline fs::path home_, rare_;
  fs::path folder_;
};

TEST_F(Walks, AllExecutionsAreTheSame) {
  for (const char* walk : kWalks) {
    expect_same(rare(), {walk, "--max-executions=1500", "--seed=5"});
    // What no error has, and what is learned from the first executions.
    expect_same(rare(), {walk, "--max-executions=10"});
    // Some executions are cut.
    expect_same(rare(), {walk, "--max-executions=200", "--max-steps=25"});
  }
}

TEST_F(Walks, ErrorsAreTheSame) {
  for (const char* walk : kWalks) {
    expect_same(rare(), {walk, "--max-executions=5000"}, {"--", "fail"});
    expect_same(rare(), {walk, "--max-executions=1500", "--keep-going"}, {"--", "fail"});
    // The first error ends it, without a bound as well.
    expect_same(rare(), {walk}, {"--", "fail"});
  }
}

TEST_F(Walks, BugsAreTheSame) {
  const fs::path bugs = fs::path(MAZUR_TEST_SOURCES) / "native/bugs";
  for (const char* name : {"lost_wakeup.cpp", "leaked_lock.cpp", "racy_refcount.cpp"}) {
    const fs::path program = test::build(bugs / name, flags_of(bugs / name), folder());
    expect_same(program, {kWalks[0], "--max-executions=300", "--keep-going"});
    expect_same(program, {kWalks[1], "--max-executions=300"});
  }
}

TEST_F(Walks, WhicheverComesFirstIsAnError) {
  const MazurRun first = run(rare(), {kWalks[0], "-j3", "--first", "--", "fail"});
  EXPECT_EQ(first.verdict(), "bug") << first.text;
  ASSERT_EQ(first.result["errors"].size(), 1u) << first.text;
  EXPECT_EQ(first.result["errors"][0]["kind"], "assertion");
}

// The process that runs a schedule again has met no threads before.
TEST_F(Walks, SchedulesCanBeRunAgain) {
  fs::copy_file(rare(), folder() / "rare");
  for (const Words& options : {Words{kWalks[0]},
                               {kWalks[1], "-j2"},
                               {"--algorithm=optimal"},
                               {"--algorithm=graph", "-j2"}}) {
    Words words{"check", "./rare", "--quiet", "--trace-dir=."};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "fail"});
    const MazurRun found = run_mazur(words, folder());
    EXPECT_EQ(found.exit_code, 1) << found.text;
    const MazurRun again = run_mazur({"replay", "rare-1.trace"}, folder());
    EXPECT_EQ(again.exit_code, 1) << options.front() << again.text;
  }
}

TEST_F(Walks, WithoutABoundTheyAreNeverOver) {
  const MazurRun limited = run(rare(), {kWalks[0], "-j2", "--time-limit=0.3"});
  EXPECT_EQ(limited.verdict(), "incomplete") << limited.text;
  EXPECT_EQ(limited.result.value("reason", ""), "--time-limit was reached") << limited.text;
  EXPECT_EQ(limited.result["bounds_reached"], nlohmann::json({"time-limit"})) << limited.text;
}

TEST_F(Walks, KilledWorkersCostNothing) {
  const Words words{kWalks[1], "--max-executions=20000"};
  const nlohmann::json one = told(run(rare(), words));
  std::atomic<bool> over{false};
  std::atomic<unsigned> killed{0};
  std::jthread killer([&] {
    while (!over && killed < 6) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::vector<pid_t> processes = processes_of(rare());
      if (processes.size() >= 2 && kill(processes[killed % processes.size()], SIGKILL) == 0)
        ++killed;
    }
  });
  setenv("MAZUR_SLICE", "100", 1);
  const MazurRun shared = run(rare(), {kWalks[1], "--max-executions=20000", "-j3"});
  over = true;
  EXPECT_EQ(told(shared), one) << killed << shared.text;
}

TEST_F(Walks, ALedgerGoesOn) {
  const auto with = [](const char* walk, Words words) {
    words.insert(words.begin(), {walk, "--max-executions=3000", "--seed=3"});
    return words;
  };
  for (const char* walk : kWalks) {
    const nlohmann::json one = told(run(rare(), with(walk, {})));
    const std::string ledger = "--ledger=" + std::string(walk).substr(12) + ".db";
    setenv("MAZUR_SLICE", "7", 1);
    const MazurRun begun = run(rare(), with(walk, {ledger, "-j2", "--time-limit=0.001"}));
    EXPECT_EQ(begun.exit_code, 3) << begun.text;
    EXPECT_NE(begun.text.find("the same command goes on"), std::string::npos) << begun.text;
    // A worker learns from the ledger what to do.
    const MazurRun worker =
        run_mazur({"worker", ledger, rare().string(), "--time-limit=0.3"}, folder());
    EXPECT_LE(worker.exit_code, 3) << worker.text;
    EXPECT_EQ(told(run(rare(), with(walk, {ledger, "-j2"}))), one);
    EXPECT_EQ(told(run(rare(), with(walk, {ledger}))), one);  // told once more
    const MazurRun other = run(rare(), {ledger, walk, "--max-executions=3001", "--seed=3"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_NE(other.text.find("was begun with --max-executions=3000"), std::string::npos);
    unsetenv("MAZUR_SLICE");
  }
  const MazurRun other = run(rare(), {"--ledger=random.db", kWalks[1]});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.text.find("was begun with --algorithm=random"), std::string::npos) << other.text;
}

// Every other algorithm says that it cannot, and which one can.
TEST_F(Walks, OnlyWhatCanBeCutIsShared) {
  for (const ExplorerEntry& entry : explorer_registry()) {
    const std::string option = "--algorithm=" + std::string(entry.name);
    for (const std::string& way :
         {std::string("-j2"), "--ledger=" + std::string(entry.name) + ".db"}) {
      const MazurRun refused = run(rare(), {option, way, "--time-limit=0.05"});
      if (is_divisible(entry.name)) {
        EXPECT_EQ(refused.exit_code, 3) << option << refused.text;
        continue;
      }
      EXPECT_EQ(refused.exit_code, 2) << option;
      EXPECT_NE(refused.text.find("cannot be combined with " + option + ": only the work of graph"),
                std::string::npos)
          << refused.text;
      EXPECT_FALSE(fs::exists(folder() / (std::string(entry.name) + ".db")));
    }
  }
}

}  // namespace
}  // namespace mazur::test
