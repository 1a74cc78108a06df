// Many failing executions in a row neither leak nor crash the checker.
#include <gtest/gtest.h>

#include <set>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

// A different failure in each execution, chosen by the explorer.
constexpr const char* kProgram = R"(
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <mazur/mazur.h>

int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return recurse(depth + 1) + frame[0];
}

int main() {
  std::mutex a, b;
  volatile int* volatile nothing = nullptr;
  char* leaked = static_cast<char*>(std::malloc(10000));
  leaked[0] = 1;
  switch (mazur_choose(6)) {
    case 0: {  // deadlock
      std::thread t([&] { a.lock(); b.lock(); });
      t.join();
      a.lock();
      break;
    }
    case 1: *nothing = 1; break;
    case 2: {
      std::thread t([] { throw std::runtime_error("uncaught"); });
      t.join();
      break;
    }
    case 3: return recurse(0);
    case 4: std::abort();
    default: std::exit(7);
  }
})";

class Endurance : public testing::TestWithParam<int> {};

TEST_P(Endurance, FailingExecutions) {
  const Scratch folder;
  const std::string source = folder.write("failing.cpp", kProgram);
  const std::filesystem::path program = build(source, {"-O1"}, folder.path());
  const auto run_times = [&](int executions) {
    return run_mazur({"check", program.string(), "--algorithm=random", "--keep-going",
                      "--max-executions=" + std::to_string(executions), "--json=result.json",
                      "--no-trace", "--quiet"},
                     folder.path());
  };
  const MazurRun few = run_times(GetParam() / 20);
  ASSERT_EQ(few.verdict(), "bug") << few.text;
  const MazurRun many = run_times(GetParam());
  EXPECT_EQ(many.exit_code, 1) << many.text;
  EXPECT_EQ(many.verdict(), "bug") << many.text;
  EXPECT_EQ(many.complete(), GetParam()) << many.text;
  // All six, with counts that add up: every execution failed.
  long sum = 0;
  std::set<std::string> kinds;
  for (const auto& error : many.result["errors"]) {
    sum += error["count"].get<long>();
    kinds.insert(error["kind"].get<std::string>());
  }
  EXPECT_GE(sum, GetParam()) << many.text;
  EXPECT_EQ(kinds, (std::set<std::string>{"abort", "crash", "deadlock", "exit-code",
                                          "uncaught-exception"}))
      << many.text;
  // No leak: twenty times as many failures need no more memory, up to what a page here and there
  // makes.
  EXPECT_LT(many.result["peak_rss_kb"].get<long>(), few.result["peak_rss_kb"].get<long>() + 512);
}

INSTANTIATE_TEST_SUITE_P(Executions, Endurance, testing::Values(8'000));
INSTANTIATE_TEST_SUITE_P(Thorough, Endurance, testing::Values(100'000));

}  // namespace
}  // namespace mazur::test
