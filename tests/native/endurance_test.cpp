// Many failing executions in a row neither leak nor crash the checker.
#include <gtest/gtest.h>

#include <map>
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

// Under a weak memory model: 44,100 graphs of loads and stores, each of which fails in five ways.
constexpr const char* kWeakProgram = R"(
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <mazur/mazur.h>

std::atomic<int> x, y;
std::mutex mutex;
int plain;

void read(std::atomic<int>& from, int times) {
  for (int i = 0; i < times; ++i) from.load(std::memory_order_relaxed);
}
void write(std::atomic<int>& to) {
  for (int i = 1; i <= 4; ++i) to.store(i, std::memory_order_relaxed);
}

int main() {
  char* leaked = static_cast<char*>(std::malloc(10000));
  leaked[0] = 1;
  std::thread first([] { write(x); }), second([] { write(y); });
  std::thread reader([&] {
    read(x, 3);
    read(y, 6);
    read(x, 3);
    switch (mazur_choose(5)) {
      case 0: assert(leaked[0] == 2); break;
      case 1: throw std::runtime_error("uncaught");
      case 2: mutex.unlock(); break;
      case 3: plain = 2; break;
      default: std::abort();
    }
  });
  plain = 1;
  first.join();
  second.join();
  reader.join();
  if (plain == 3) std::exit(7);
})";

TEST(WeakEndurance, AHundredThousandFailingExecutions) {
  const Scratch folder;
  const std::string source = folder.write("failing.cpp", kWeakProgram);
  const std::filesystem::path program = build(source, {"-O1"}, folder.path());
  const auto run_times = [&](long executions) {
    return run_mazur({"check", program.string(), "--memory=c++20", "--keep-going", "--minimise=0",
                      "--max-executions=" + std::to_string(executions), "--json=result.json",
                      "--no-trace", "--quiet"},
                     folder.path());
  };
  const MazurRun few = run_times(10'000);
  ASSERT_EQ(few.verdict(), "bug") << few.text;
  const MazurRun many = run_times(100'000);
  EXPECT_EQ(many.verdict(), "bug") << many.text;
  EXPECT_EQ(many.complete(), 100'000) << many.text;
  std::map<std::string, long> counts;
  for (const auto& error : many.result["errors"])
    counts[error["kind"].get<std::string>()] += error["count"].get<long>();
  EXPECT_EQ(counts, (std::map<std::string, long>{{"abort", 20'000},
                                                 {"assertion", 20'000},
                                                 {"data-race", 20'000},
                                                 {"misuse", 20'000},
                                                 {"uncaught-exception", 20'000}}))
      << many.text;
  EXPECT_LT(many.result["peak_rss_kb"].get<long>(), few.result["peak_rss_kb"].get<long>() + 512);
}

INSTANTIATE_TEST_SUITE_P(Executions, Endurance, testing::Values(8'000));
INSTANTIATE_TEST_SUITE_P(Thorough, Endurance, testing::Values(100'000));

}  // namespace
}  // namespace mazur::test
