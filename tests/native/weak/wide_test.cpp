// Labels know 8 bytes of a value. What a compare-exchange does with the others before a wider
// store, an explorer that must not guess finds out by running it.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

// The compare-exchange always fails, so it commutes with the load beside it: each of the three
// reads comes before or after the store, and nothing else matters.
constexpr const char* kProgram = R"(
#include <cstdint>
#include <thread>
alignas(16) union {
  unsigned __int128 all;
  std::uint64_t half[2];
} x;
int main() {
  std::thread store([] {
    const unsigned __int128 one = 1;
    __atomic_store_n(&x.all, one << 64, __ATOMIC_SEQ_CST);
  });
  std::thread exchange([] {
    std::uint64_t expected = 7;
    __atomic_compare_exchange_n(&x.half[1], &expected, 3, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
  });
  std::thread high([] { (void)__atomic_load_n(&x.half[1], __ATOMIC_SEQ_CST); });
  std::thread low([] { (void)__atomic_load_n(&x.half[0], __ATOMIC_SEQ_CST); });
  store.join();
  exchange.join();
  high.join();
  low.join();
}
)";

TEST(WideStores, ACompareExchangeThatFailsOnTheRestIsNotGuessed) {
  const Scratch folder;
  const auto program = build(folder.write("wide.cpp", kProgram), {"-std=c++20"}, folder.path());
  const auto check_with = [&](const std::string& algorithm) -> MazurRun {
    return run_mazur({"check", program.string(), "--algorithm=" + algorithm, "--max-executions=100",
                      "--json=result.json", "--quiet", "--no-trace"},
                     folder.path());
  };
  for (const char* algorithm : {"optimal", "lazy", "quasi"}) {
    const MazurRun run = check_with(algorithm);
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.complete(), 8) << run.text;
    EXPECT_EQ(run.blocked(), 0) << run.text;
  }
  EXPECT_EQ(check_with("source").complete(), 8);
  // This one has to guess, so it proves nothing.
  EXPECT_EQ(check_with("observers").verdict(), "incomplete");
}

}  // namespace
}  // namespace mazur::test
