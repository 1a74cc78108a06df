// Every supported feature (docs/use.md): 2,000 random schedules (or as many as its manifest says), each
// run twice, without a false alarm and without a difference between the two runs. Both compilers, optimised, on every change;
// the other settings are called Thorough and run with `./mazur selftest --all`.
#include <gtest/gtest.h>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kFeatures = MAZUR_TEST_SOURCES "/native/features";

struct Configuration {
  const char* name;
  std::vector<std::string> flags;
};

const Configuration kConfigurations[] = {
    {"gcc_O2", {"-O2"}},
    {"clang_O1", {"-O1", "--compiler=clang"}},
    {"gcc_O0", {"-O0"}},
    {"gcc_O1", {"-O1"}},
};

class Features : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(Features, RunUnderRandomSchedules) {
  const auto& [program, index] = GetParam();
  std::vector<std::string> flags = kConfigurations[index].flags;
  const nlohmann::json entry = manifest_entry(kFeatures / program);
  const long schedules = entry.is_object() ? entry.value("schedules", 2000L) : 2000L;
  flags.insert(flags.end(), {"--algorithm=random", "--max-executions=" + std::to_string(schedules),
                             "--check-determinism"});
  const MazurRun run = check(kFeatures / program, flags);
  if (std::filesystem::path(program).filename().string().starts_with("unsupported_")) {
    // The verdict names the call and its line.
    EXPECT_EQ(run.exit_code, 4) << run.text;
    EXPECT_EQ(run.verdict(), "unsupported") << run.text;
    const nlohmann::json unsupported = run.result["unsupported"];
    const std::string name = entry["names"];
    EXPECT_NE(unsupported["message"].get<std::string>().find(name), std::string::npos) << run.text;
    bool in_program = false;
    for (const auto& frame : unsupported["frames"])
      in_program |= frame["file"].get<std::string>().ends_with(program) && frame["line"] != 0;
    EXPECT_TRUE(in_program) << unsupported.dump(1);
    return;
  }
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;  // random schedules prove nothing
  EXPECT_EQ(run.complete(), schedules) << run.text;
  EXPECT_EQ(run.bounded(), 0) << run.text;
  EXPECT_TRUE(run.result["errors"].empty()) << run.text;
}

// What `graph` does not know, and what it knows under sc alone.
const char* const kNotInGraphs[] = {"atomic_16", "atomic_24", "atomic_sizes"};
const char* const kNotInWeakModels[] = {"atomic_block", "verifier_atomic", "latch.cpp"};

// The same explored: by optimal, and in execution graphs under two models; some thousand executions.
class ExploredFeatures : public testing::TestWithParam<std::string> {};

void expect_no_error(const std::string& program, const std::vector<std::string>& options) {
  std::vector<std::string> flags{"-O2", "--max-executions=2000"};
  flags.insert(flags.end(), options.begin(), options.end());
  const MazurRun run = check(kFeatures / program, flags);
  EXPECT_TRUE(run.verdict() == "verified" || run.verdict() == "incomplete")
      << options.back() << "\n"
      << run.text;
  EXPECT_TRUE(run.result["errors"].empty()) << options.back() << "\n" << run.text;
}

TEST_P(ExploredFeatures, HaveNoErrors) {
  const std::string file = std::filesystem::path(GetParam()).filename();
  expect_no_error(GetParam(), {"--algorithm=optimal"});
  for (const char* unknown : kNotInGraphs)
    if (file.starts_with(unknown)) return;
  expect_no_error(GetParam(), {"--algorithm=graph"});
  // The library's latch counts down with a release, and may miss who waits: tests/native/weak/waits.cpp.
  for (const char* unknown : kNotInWeakModels)
    if (file.starts_with(unknown)) return;
  expect_no_error(GetParam(), {"--memory=c++20"});
}

// Those that are refused have tests of their own.
std::vector<std::string> supported_features() {
  std::vector<std::string> programs = programs_in(kFeatures);
  std::erase_if(programs, [](const std::string& program) {
    return std::filesystem::path(program).filename().string().starts_with("unsupported_");
  });
  return programs;
}

INSTANTIATE_TEST_SUITE_P(All, ExploredFeatures, testing::ValuesIn(supported_features()),
                         [](const auto& info) { return test_name(info.param); });

std::string name_of(const testing::TestParamInfo<Features::ParamType>& info) {
  return test_name(std::get<0>(info.param)) + "_" + kConfigurations[std::get<1>(info.param)].name;
}

INSTANTIATE_TEST_SUITE_P(All, Features,
                         testing::Combine(testing::ValuesIn(programs_in(kFeatures)),
                                          testing::Range(0, 2)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Thorough, Features,
                         testing::Combine(testing::ValuesIn(programs_in(kFeatures)),
                                          testing::Range(2, 4)),
                         name_of);

}  // namespace
}  // namespace mazur::test
