// The literature's programs from C and C++ sources: `optimal` explores each trace exactly once and
// is never blocked; `source` and `dpor` end with the same verdict and at least as many executions.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kLiterature = MAZUR_TEST_SOURCES "/literature";

std::vector<nlohmann::json> rows() {
  std::ifstream in(kLiterature / "manifest.json");
  std::vector<nlohmann::json> selected;
  for (const auto& row : nlohmann::json::parse(in))
    if (row.value("ci", false)) selected.push_back(row);
  return selected;
}

// With atomic blocks `observers` gives no proof, and `graph` has more executions.
bool has_blocks(const std::filesystem::path& source) {
  std::ifstream in(source);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find("atomic_begin") != std::string::npos ||
         text.find("VERIFIER_atomic") != std::string::npos;
}

class Literature : public testing::TestWithParam<nlohmann::json> {};

TEST_P(Literature, TraceCount) {
  const nlohmann::json& row = GetParam();
  const Scratch folder;
  std::vector<std::string> flags{"-O1"};
  for (const auto& [name, value] : row["defines"].items())
    flags.push_back("-D" + name + "=" + value.dump());
  const std::filesystem::path source = kLiterature / row["program"].get<std::string>();
  const std::filesystem::path program = build(source, flags, folder.path());
  const auto check_with = [&](const std::string& algorithm, long most = 0) {
    return run_mazur({"check", program.string(), "--algorithm=" + algorithm, "--json=result.json",
                      "--no-trace", "--quiet", "--max-executions=" + std::to_string(most)},
                     folder.path());
  };
  // The counts of the algorithms that take more executions for equal, if the row has them.
  const auto expect = [&](const std::string& algorithm, const char* column) {
    if (!row.contains(column)) return;
    const MazurRun run = check_with(algorithm);
    EXPECT_TRUE(run.finished()) << run.text;
    if (algorithm == "observers") {
      EXPECT_EQ(run.verdict(), has_blocks(source) ? "incomplete" : "verified") << run.text;
    }
    EXPECT_EQ(run.complete(), row[column].get<long>()) << algorithm << ": " << run.text;
    if (algorithm == "observers") {
      EXPECT_EQ(run.blocked(), 0) << run.text;
    }
  };
  expect("observers", "observers");
  expect("context", "context");
  expect("context-observers", "context_observers");
  if (!row.contains("traces")) return;  // too many
  const long traces = row["traces"];
  const MazurRun optimal = check_with("optimal");
  EXPECT_EQ(optimal.exit_code, 0) << optimal.text;
  EXPECT_EQ(optimal.verdict(), "verified") << optimal.text;
  EXPECT_EQ(optimal.complete(), traces) << optimal.text;
  EXPECT_EQ(optimal.blocked(), 0) << optimal.text;
  if (traces <= 40'000) {  // as execution graphs
    const bool blocks = has_blocks(source);
    const MazurRun graph = check_with("graph", blocks ? 20'000 : 0);
    EXPECT_TRUE(graph.result["errors"].empty()) << graph.text;
    if (blocks) {
      EXPECT_GE(graph.complete(), std::min(traces, 20'000l)) << graph.text;
    } else {
      EXPECT_TRUE(graph.finished()) << graph.text;
      EXPECT_EQ(graph.complete(), traces) << graph.text;
    }
  }
  if (traces > 4000) return;
  for (const char* algorithm : {"source", "dpor"}) {
    const MazurRun other = check_with(algorithm);
    EXPECT_EQ(other.verdict(), "verified") << other.text;
    EXPECT_EQ(other.complete(), traces) << other.text;
    // All that were started, as the tables of the papers count.
    const std::string started =
        algorithm == std::string("dpor") ? "dpor_with_sleep_sets" : "source_started";
    if (row.contains(started)) {
      EXPECT_EQ(other.complete() + other.blocked(), row[started].get<long>()) << other.text;
    }
  }
}

// The running example of the context-sensitive paper. One of its assertions can fail, so that the
// executions are counted with --keep-going.
TEST(RunningExample, Executions) {
  const Scratch folder;
  const std::filesystem::path program =
      build(kLiterature / "context/running_example.cpp", {"-O1"}, folder.path());
  const auto expect = [&](const std::string& algorithm, long complete,
                          const std::string& option = "--base=source") {
    const MazurRun run = run_mazur({"check", program.string(), "--algorithm=" + algorithm, option,
                                    "--json=result.json", "--keep-going", "--no-trace", "--quiet"},
                                   folder.path());
    EXPECT_EQ(run.verdict(), "bug") << run.text;
    EXPECT_EQ(run.complete(), complete) << algorithm << ": " << run.text;
    ASSERT_EQ(run.result["errors"].size(), 1u) << run.text;
    EXPECT_EQ(run.result["errors"][0]["kind"], "assertion");
  };
  expect("optimal", 12);
  expect("observers", 11);
  expect("context", 6);
  expect("context", 6, "--base=optimal");
  expect("context-observers", 5);
  expect("context-observers", 4, "--rules=published");
}

// Orders are left out here because they seem to be equal. That rests on tests, and with the rules
// as published bugs can be missed.
TEST(Context, IsNoProofWhereItLeavesSomethingOut) {
  const Scratch folder;
  const std::filesystem::path program =
      build(kLiterature / "context/lastwrite.c", {"-O1", "-DN=3"}, folder.path());
  for (const char* rules : {"sound", "published"}) {
    const MazurRun run = run_mazur({"check", program.string(), "--algorithm=context",
                                    std::string("--rules=") + rules, "--json=result.json"},
                                   folder.path());
    EXPECT_EQ(run.verdict(), "incomplete") << run.text;
    EXPECT_EQ(run.finished(), rules == std::string("sound")) << run.text;
    EXPECT_EQ(run.exit_code, 3) << run.text;
    EXPECT_EQ(run.complete(), 2) << run.text;
  }
}

// Every order leads to another state: it has done what `source` does.
TEST(Context, IsAProofWhereItLeavesNothingOut) {
  const Scratch folder;
  const std::filesystem::path program =
      build(kLiterature / "context/lastwrite.c", {"-O1", "-DN=3", "-DDIF=1"}, folder.path());
  const auto verdict = [&](const std::string& algorithm) {
    return run_mazur({"check", program.string(), algorithm, "--json=result.json"}, folder.path())
        .verdict();
  };
  EXPECT_EQ(verdict("--algorithm=context"), "verified");
  EXPECT_EQ(verdict("--algorithm=context-observers"), "incomplete");
}

INSTANTIATE_TEST_SUITE_P(All, Literature, testing::ValuesIn(rows()), [](const auto& info) {
  std::string name = test_name(info.param["program"]);
  for (const auto& [define, value] : info.param["defines"].items())
    name += "_" + define + value.dump();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace mazur::test
