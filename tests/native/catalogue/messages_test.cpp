// Programs that pass messages (messages/manifest.json): how many executions each algorithm takes,
// and that the same programs run outside of Mazur, with real threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kRoot = MAZUR_TEST_SOURCES "/..";

std::vector<nlohmann::json> rows() {
  std::ifstream in(kRoot / "tests/native/messages/manifest.json");
  std::vector<nlohmann::json> selected;
  for (const auto& row : nlohmann::json::parse(in))
    if (row.value("ci", true)) selected.push_back(row);
  return selected;
}

std::vector<std::string> defines_of(const nlohmann::json& row) {
  std::vector<std::string> flags;
  const nlohmann::json defines = row.value("defines", nlohmann::json::object());
  for (const auto& [name, value] : defines.items())
    flags.push_back("-D" + name + "=" + value.dump());
  return flags;
}

std::string name_of(const std::string& text) {
  std::string name = text;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Messages : public testing::TestWithParam<nlohmann::json> {};

TEST_P(Messages, Executions) {
  const nlohmann::json& row = GetParam();
  const Scratch folder;
  std::vector<std::string> flags = defines_of(row);
  flags.insert(flags.begin(), "-O1");
  const std::filesystem::path program =
      build(kRoot / row["program"].get<std::string>(), flags, folder.path());
  for (const auto& [algorithm, executions] : row["executions"].items()) {
    std::vector<std::string> words{
        "check",      program.string(), "--algorithm=" + algorithm, "--json=result.json",
        "--no-trace", "--quiet"};
    const nlohmann::json options = row.value("options", nlohmann::json::array());
    words.insert(words.end(), options.begin(), options.end());
    const MazurRun run = run_mazur(words, folder.path());
    EXPECT_TRUE(run.finished()) << run.text;
    EXPECT_EQ(run.complete(), executions.get<long>()) << algorithm << ": " << run.text;
    if (algorithm == "optimal" || algorithm == "observers") {
      EXPECT_EQ(run.blocked(), 0) << algorithm << ": " << run.text;
    }
    // All that were started, as the tables of the papers count.
    const nlohmann::json started = row.value("started", nlohmann::json::object());
    if (started.contains(algorithm)) {
      EXPECT_EQ(run.complete() + run.blocked(), started[algorithm].get<long>()) << run.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Messages, testing::ValuesIn(rows()), [](const auto& info) {
  std::string name = info.param["program"].template get<std::string>();
  for (const std::string& flag : defines_of(info.param)) name += flag.substr(1);
  return name_of(name.substr(name.rfind('/') + 1));
});

// A trace file with messages leads to the same error, and the report has its arrows.
TEST(MessagesReplay, TheErrorComesAgain) {
  const Scratch folder;
  const MazurRun found =
      run_mazur({"check", (kRoot / "examples/actors/leader_election.cpp").string(), "-std=c++20",
                 "--trace=ring", "--quiet"},
                folder.path());
  ASSERT_EQ(found.exit_code, 1) << found.text;
  const MazurRun again = run_mazur({"replay", "ring-1.trace", "--rebuild"}, folder.path());
  EXPECT_EQ(again.exit_code, 1) << again.text;
  for (const char* part : {"assertion failed: r.leader == N - 1", ": candidate -> #",
                           ": candidate <- #", "leader_election.h:"})
    EXPECT_NE(again.text.find(part), std::string::npos) << part << again.text;
}

// Every program whose executions are counted, once: it is verified, so it must also pass by chance.
std::vector<std::string> programs() {
  std::set<std::string> all;
  for (const nlohmann::json& row : rows()) all.insert(row["program"]);
  return {all.begin(), all.end()};
}

class OutsideOfMazur : public testing::TestWithParam<std::string> {
 protected:
  static void compile_and_run(const std::vector<std::string>& flags) {
    const Scratch folder;
    std::vector<std::string> command{
        "g++",     "-std=c++20", "-O0",      "-Wall",
        "-Wextra", "-Werror",    "-pthread", "-I" + (kRoot / "include").string()};
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {(kRoot / GetParam()).string(), "-o", folder / "program"});
    const Finished compiled = spawn(command);
    ASSERT_EQ(compiled.code, 0) << compiled.err;
    const Finished run = spawn({folder / "program"});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
  }
};

TEST_P(OutsideOfMazur, RunsWithRealThreads) { compile_and_run({}); }

std::string program_name(const testing::TestParamInfo<std::string>& info) {
  return name_of(info.param.substr(info.param.rfind('/') + 1));
}
INSTANTIATE_TEST_SUITE_P(All, OutsideOfMazur,
                         testing::Values("examples/actors/network_fixed.cpp",
                                         "tests/literature/actors/readers.cpp"),
                         program_name);
INSTANTIATE_TEST_SUITE_P(Thorough, OutsideOfMazur, testing::ValuesIn(programs()), program_name);

// The stock ThreadSanitizer sees what the library does without Mazur.
class UnderThreadSanitizer : public OutsideOfMazur {};
TEST_P(UnderThreadSanitizer, HasNoRace) { compile_and_run({"-g", "-fsanitize=thread"}); }
INSTANTIATE_TEST_SUITE_P(All, UnderThreadSanitizer,
                         testing::Values("tests/native/features/mazur/messages.cpp"),
                         [](const auto&) { return "library"; });

}  // namespace
}  // namespace mazur::test
