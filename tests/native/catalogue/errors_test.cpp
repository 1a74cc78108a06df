// Programs that fail under some schedules: the default check finds the error, names its kind and
// the right line.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/spawn.h"
#include "explore/registry.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kErrors = MAZUR_TEST_SOURCES "/native/errors";

std::vector<nlohmann::json> rows() {
  std::ifstream in(kErrors / "manifest.json");
  const nlohmann::json all = nlohmann::json::parse(in);
  return {all.begin(), all.end()};
}

class Errors : public testing::TestWithParam<nlohmann::json> {};

TEST_P(Errors, IsFoundWithItsLine) {
  const nlohmann::json& row = GetParam();
  const std::string program = row["program"];
  std::vector<std::string> flags{"-O1"};
  for (const auto& option : row.value("options", nlohmann::json::array())) flags.push_back(option);
  const MazurRun run = check(kErrors / program, flags);
  EXPECT_EQ(run.verdict(), row["verdict"]) << run.text << run.result.dump(1);
  if (!row.contains("kind")) return;
  ASSERT_FALSE(run.result["errors"].empty()) << run.text;
  const nlohmann::json& error = run.result["errors"][0];
  EXPECT_EQ(error["kind"], row["kind"]) << error.dump(1);
  if (row["lines"].empty()) return;
  // The line is one of those that the program marks, in any frame of the report.
  bool named = false;
  for (const auto& frame : error["frames"])
    if (frame["file"].get<std::string>().ends_with(program))
      for (const auto& line : row["lines"]) named |= frame["line"] == line;
  EXPECT_TRUE(named) << row.dump() << error.dump(1);
}

INSTANTIATE_TEST_SUITE_P(All, Errors, testing::ValuesIn(rows()),
                         [](const auto& info) { return test_name(info.param["program"]); });

// What a message speaks of has the program's own name, also where a signal handler writes it.
TEST(Crash, NamesTheVariableThatCannotBeWritten) {
  const MazurRun run = check(kErrors / "ends/crash_read_only.c", {"-O1"});
  ASSERT_FALSE(run.result["errors"].empty()) << run.text;
  EXPECT_EQ(run.result["errors"][0]["message"], "SIGSEGV: access to address fixed") << run.text;
}

TEST(Crash, ASignalWithoutANameHasItsNumber) {
  const Scratch folder;
  const std::string source = folder.write("raises.c", R"(
#include <signal.h>
int main(void) { return raise(36); }
)");
  const MazurRun run = check(source, {"-O1"});
  ASSERT_FALSE(run.result["errors"].empty()) << run.text;
  EXPECT_EQ(run.result["errors"][0]["message"], "the program raised signal 36") << run.text;
}

// A thread knows by itself that it does not hold a mutex, so the order of such an unlock and what
// others do with the mutex is none.
TEST(Misuse, OrdersWithOtherThreadsMakeNoDifference) {
  const Scratch folder;
  const std::string source = folder.write("program.cpp", R"(
#include <mutex>
#include <shared_mutex>
#include <thread>
std::mutex m;
std::shared_mutex s;
int main() {
  std::thread a([] { m.lock(); m.unlock(); s.lock(); s.unlock(); });
  std::thread b([] { m.unlock(); });
  std::thread c([] { s.unlock_shared(); });
  std::thread d([] { m.unlock(); });
  a.join(); b.join(); c.join(); d.join();
})");
  const std::string program = build(source, {}, folder.path());
  for (const std::string& name : exhaustive_explorers()) {
    if (name == "naive") continue;
    const MazurRun run = run_mazur({"check", program, "--algorithm=" + name, "--keep-going",
                                    "--json=result.json", "--quiet", "--no-trace"},
                                   folder.path());
    EXPECT_EQ(run.verdict(), "bug") << name << run.text;
    EXPECT_EQ(run.complete(), 1) << name << run.text;
    EXPECT_EQ(run.result["errors"].size(), 3u) << name << run.result.dump(1);
  }
}

}  // namespace
}  // namespace mazur::test
