// The estimate of how much is explored, on programs whose number of executions is known.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string_view>

#include "check/loop.h"
#include "explore/explorer.h"
#include "literature_programs.h"
#include "machine/model/model_machine.h"

namespace mazur::model {
namespace {

// Notes the explorer's estimate after every execution.
class Estimates : public Observer {
 public:
  explicit Estimates(const Explorer& explorer) : explorer_(explorer) {}
  void failed(const Trace&, const Frontier&, const Failure&) override {}
  void ended(const Trace&, const Tally& tally, End) override {
    // Asked before plan(): the state after the execution before.
    if (tally.total() > 1) estimates.push_back(explorer_.progress());
  }
  std::vector<double> estimates;

 private:
  const Explorer& explorer_;
};

struct Subject {
  const char* name;
  Program program;
};

std::vector<Subject> subjects() {
  using namespace literature;
  return {{"readers(13)", readers(13)},
          {"lastzero(10)", lastzero(10)},
          {"wakeup_stress(7)", wakeup_stress(7)},
          {"indexer(14)", indexer(14)},
          {"filesystem(20)", filesystem(20)},
          {"ring(7)", ring(7)},
          {"inc(3,2)", inc(3, 2)}};
}

// Estimated total / true total at 1%, 10%, 25%, 50% of the executions.
TEST(Estimate, IsOfTheRightOrderOnProgramsWhoseTotalIsKnown) {
  std::printf("%-18s %-8s %10s %8s %8s %8s %8s\n", "program", "", "executions", "1%", "10%", "25%",
              "50%");
  for (const Subject& subject : subjects()) {
    for (const char* algorithm : {"optimal", "source", "quasi"}) {
      ModelMachine machine(subject.program);
      const auto explorer = make_explorer(algorithm, {});
      Estimates seen(*explorer);
      const Outcome outcome = explore(machine, *explorer, {}, seen);
      ASSERT_EQ(outcome.verdict, Verdict::kVerified);
      const auto total = static_cast<double>(outcome.tally.total());
      std::printf("%-18s %-8s %10.0f", subject.name, algorithm, total);
      for (const double part : {0.01, 0.1, 0.25, 0.5}) {
        const auto at = static_cast<std::size_t>(total * part);
        if (at == 0 || at > seen.estimates.size()) continue;
        const double factor = static_cast<double>(at) / seen.estimates[at - 1] / total;
        std::printf(" %8.2f", factor);
        // The first percent says little about a tree that is not known yet.
        double bound = part < 0.1 ? 100 : part < 0.5 ? 10 : 4;
        // quasi finds its branches only when it comes to them.
        if (std::string_view(algorithm) == "quasi") bound *= 2;
        EXPECT_LT(factor, bound) << subject.name << ' ' << algorithm << ' ' << part;
        EXPECT_GT(factor, 1 / bound) << subject.name << ' ' << algorithm << ' ' << part;
      }
      std::printf("\n");
    }
  }
}

}  // namespace
}  // namespace mazur::model
