// Programs that fail under some schedules: the default check finds the error, names its kind and
// the right line.
#include <gtest/gtest.h>

#include <fstream>

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

INSTANTIATE_TEST_SUITE_P(All, Errors, testing::ValuesIn(rows()), [](const auto& info) {
  std::string name = info.param["program"];
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace mazur::test
