// The bugs that must be found (bugs/manifest.json): with default options, within a few thousand
// executions, with the right kind and the right lines; and the repaired program is verified.
#include <gtest/gtest.h>

#include <fstream>

#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kRoot = MAZUR_TEST_SOURCES "/..";

std::vector<nlohmann::json> rows() {
  std::ifstream in(kRoot / "tests/native/bugs/manifest.json");
  const nlohmann::json all = nlohmann::json::parse(in);
  return {all.begin(), all.end()};
}

// The numbers of the lines that contain the text.
std::vector<int> lines_with(const std::filesystem::path& source, const std::string& text) {
  std::ifstream in(source);
  std::vector<int> lines;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find(text) != std::string::npos) lines.push_back(number);
  }
  return lines;
}

bool names_line(const nlohmann::json& error, const std::string& file, int line) {
  for (const auto& frame : error["frames"])
    if (frame["line"] == line && frame["file"].get<std::string>().ends_with(file)) return true;
  return false;
}

class Bugs : public testing::TestWithParam<nlohmann::json> {};

TEST_P(Bugs, IsFoundSoonWithItsLines) {
  const nlohmann::json& row = GetParam();
  const std::filesystem::path source = kRoot / row["program"].get<std::string>();
  const MazurRun run = check(source, {});
  EXPECT_LT(run.complete() + run.blocked(), 10'000);
  EXPECT_EQ(run.result["algorithm"], "optimal");
  ASSERT_EQ(run.verdict(), "bug") << run.text;
  const nlohmann::json& error = run.result["errors"][0];
  EXPECT_EQ(error["kind"], row["kind"]) << error.dump(1);
  for (const std::string text : row["lines"]) {
    const std::vector<int> lines = lines_with(source, text);
    ASSERT_FALSE(lines.empty()) << text;
    bool named = false;
    for (const int line : lines)
      named = named || names_line(error, source.filename().string(), line);
    EXPECT_TRUE(named) << text << "\n" << error.dump(1);
  }
}

TEST_P(Bugs, IsRepairedInItsTwin) {
  const nlohmann::json& row = GetParam();
  const MazurRun run = row.contains("twin") ? check(kRoot / row["twin"].get<std::string>(), {})
                                            : check(kRoot / row["program"], {"-DFIXED"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
}

// A memory model that allows more hides nothing, and what is repaired needs no sequential
// consistency. Programs of messages are not for weak models.
TEST_P(Bugs, IsTheSameUnderWeakMemoryModels) {
  const nlohmann::json& row = GetParam();
  const std::filesystem::path source = kRoot / row["program"].get<std::string>();
  for (const char* memory : {"--memory=tso", "--memory=pso", "--memory=c++20"}) {
    const MazurRun run = check(source, {memory, "--minimise=0"});
    ASSERT_EQ(run.verdict(), "bug") << memory << "\n" << run.text;
    EXPECT_EQ(run.result["errors"][0]["kind"], row["kind"]) << memory << "\n" << run.text;
    const MazurRun repaired = row.contains("twin")
                                  ? check(kRoot / row["twin"].get<std::string>(), {memory})
                                  : check(source, {"-DFIXED", memory});
    EXPECT_EQ(repaired.verdict(), "verified") << memory << "\n" << repaired.text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Bugs, testing::ValuesIn(rows()), [](const auto& info) {
  return std::filesystem::path(info.param["program"].template get<std::string>()).stem().string();
});

}  // namespace
}  // namespace mazur::test
