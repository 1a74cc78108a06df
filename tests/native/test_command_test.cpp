// mazur test: each case of a test program by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "built_programs.h"
#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

using nlohmann::json;

const std::filesystem::path kSuites = MAZUR_TEST_SOURCES "/native/suites";

// The line of a program's source with this mark on it.
int line_of(const std::filesystem::path& source, const std::string& mark) {
  std::ifstream in(source);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("// LINE " + mark) != std::string::npos) return number;
  }
  return 0;
}

json case_of(const MazurRun& run, const std::string& name) {
  for (const json& test : run.result["cases"])
    if (test["name"] == name) return test;
  return {{"name", name}, {"status", "missing"}};
}

std::string status(const MazurRun& run, const std::string& name) {
  return case_of(run, name)["status"];
}

// The kind of a case's first error and the line of its innermost frame in the suite.
std::pair<std::string, int> error(const MazurRun& run, const std::string& name,
                                  const std::filesystem::path& source) {
  const json test = case_of(run, name);
  if (!test.contains("result") || test["result"]["errors"].empty()) return {"none", 0};
  const json& first = test["result"]["errors"][0];
  for (const json& frame : first["frames"])
    if (std::string(frame["file"]).ends_with(source.filename().string()))
      return {first["kind"], frame["line"]};
  return {first["kind"], 0};
}

class TestCommand : public testing::Test {
 protected:
  static inline const std::filesystem::path kGoogle = kSuites / "google_suite.cpp";

  MazurRun test(std::vector<std::string> words) const {
    words.insert(words.begin(), {"test", program_, "--json=result.json"});
    std::filesystem::remove(folder_ / "result.json");
    return run_mazur(words, folder_.path());
  }
  // All cases, and a bound for the largest one.
  MazurRun all(std::vector<std::string> words = {}) const {
    words.insert(words.end(), {"--max-executions=50", "--minimise=0"});
    return test(words);
  }

  const Scratch folder_;
  const std::string program_ =
      build(kGoogle, {"-O1", "-g", "-lgtest", "-lgtest_main"}, folder_.path()).string();
};

// All from the same results: cases in JUnit, errors in SARIF and in annotations.
TEST_F(TestCommand, ReportsForMachinesHaveEveryCase) {
  const MazurRun run = all({"--junit=result.xml", "--sarif=result.sarif", "--annotations=github"});
  const auto text_of = [&](const char* name) {
    std::ifstream in(std::filesystem::path(folder_.path()) / name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string junit = text_of("result.xml");
  std::size_t errors = 0;
  for (const json& test : run.result["cases"]) {
    const std::string name = test["name"], status = test["status"];
    const std::size_t begin = junit.find("name=\"" + name + "\"");
    ASSERT_NE(begin, std::string::npos) << name << junit;
    const std::string inside = junit.substr(begin, junit.find("<testcase", begin) - begin);
    EXPECT_EQ(inside.find("<failure") != std::string::npos, status == "bug") << name << inside;
    EXPECT_EQ(inside.find("<skipped") != std::string::npos,
              status == "left-out" || status == "bounded" || status == "incomplete")
        << name << inside;
    if (!test.contains("result")) continue;
    errors += test["result"]["errors"].size();
    for (const json& error : test["result"]["errors"])
      EXPECT_NE(run.text.find(" (" + name + ")::"), std::string::npos) << error << run.text;
  }
  EXPECT_GT(errors, 1u);
  const json sarif = json::parse(text_of("result.sarif"));
  EXPECT_EQ(sarif["runs"][0]["results"].size(), errors);
}

TEST_F(TestCommand, EveryCaseHasAResultOfItsOwn) {
  const MazurRun run = all();
  EXPECT_EQ(run.exit_code, 1) << run.text;
  EXPECT_EQ(run.result["framework"], "GoogleTest") << run.text;
  EXPECT_EQ(run.verdict(), "bug");
  EXPECT_EQ(run.result["cases"].size(), 18u) << run.text;
  const std::pair<const char*, const char*> expected[] = {{"Counter.LosesAnUpdate", "bug"},
                                                          {"Counter.Counts", "verified"},
                                                          {"Counter.FailsInAThread", "bug"},
                                                          {"Counter.IsTooMuch", "bounded"},
                                                          {"Plain.Passes", "one-run"},
                                                          {"Plain.Fails", "bug"},
                                                          {"Plain.Throws", "bug"},
                                                          {"Plain.LooksForAFailure", "one-run"},
                                                          {"Plain.HasABreakpoint", "bug"},
                                                          {"Plain.Skips", "one-run"},
                                                          {"Plain.DISABLED_Fails", "left-out"},
                                                          {"Plain.Dies", "left-out"},
                                                          {"PlainDeathTest.Dies", "left-out"},
                                                          {"Fixture.IsSetUp", "one-run"},
                                                          {"Some/Numbers.AreSmall/0", "one-run"},
                                                          {"Some/Numbers.AreSmall/1", "bug"},
                                                          {"Typed/0.IsAByte", "one-run"},
                                                          {"Typed/1.IsAByte", "bug"}};
  for (const auto& [name, status_of_case] : expected)
    EXPECT_EQ(status(run, name), status_of_case) << name << "\n" << run.text;
}

TEST_F(TestCommand, AFailedCheckIsAnErrorWhereItIs) {
  const MazurRun run = all({"--no-trace", "--filter=-*Much"});
  const std::pair<const char*, const char*> expected[] = {{"Counter.LosesAnUpdate", "lost"},
                                                          {"Counter.FailsInAThread", "thread"},
                                                          {"Plain.Fails", "fails"},
                                                          {"Some/Numbers.AreSmall/1", "parameter"},
                                                          {"Typed/1.IsAByte", "typed"}};
  for (const auto& [name, mark] : expected)
    EXPECT_EQ(error(run, name, kGoogle),
              std::pair(std::string("assertion"), line_of(kGoogle, mark)))
        << name << "\n"
        << run.text;
  const json failed = case_of(run, "Counter.LosesAnUpdate")["result"]["errors"][0];
  const std::string message = failed["message"];
  EXPECT_TRUE(contains(message, ": Failure\n")) << message;
  EXPECT_TRUE(message.ends_with("an update was lost")) << message;
  EXPECT_EQ(error(run, "Plain.Throws", kGoogle),
            std::pair(std::string("uncaught-exception"), line_of(kGoogle, "throws")));
  EXPECT_EQ(error(run, "Plain.HasABreakpoint", kGoogle),
            std::pair(std::string("crash"), line_of(kGoogle, "breakpoint")));
}

TEST_F(TestCommand, ItReportsAsTestFrameworksDo) {
  const std::string text = all({"--no-trace"}).text;
  for (const char* line :
       {"[ VERIFIED ]    Counter.Counts (2 executions, ", "[ ONE RUN ]     Plain.Passes\n",
        "[ BOUNDED ]     Counter.IsTooMuch (50 executions, ",
        "[ LEFT OUT ]    PlainDeathTest.Dies (a death test: it starts processes)\n",
        "18 cases of google_suite (GoogleTest), ", ": 1 verified, 6 in one run, 7 with a bug, ",
        "\nbug: 7 of 15 cases fail\n"})
    EXPECT_TRUE(contains(text, line)) << line << "\n" << text;
  // Failures come after the line of the last case.
  EXPECT_LT(text.find("Typed/1.IsAByte (assertion"), text.find("Assertion failed in ")) << text;
}

TEST_F(TestCommand, ItsTraceFilesCanBeReplayed) {
  EXPECT_EQ(test({"--filter=Counter.Loses*:*Small*"}).exit_code, 1);
  for (const char* name : {"Counter.LosesAnUpdate", "Some_Numbers.AreSmall_1"}) {
    const MazurRun run = run_mazur(
        {"replay", std::string("google_suite-") + name + "-1.trace", "--program=" + program_},
        folder_.path());
    EXPECT_EQ(run.exit_code, 1) << run.text;
    EXPECT_TRUE(contains(run.text, "Assertion failed in main")) << run.text;
  }
}

TEST_F(TestCommand, AFilterChoosesCases) {
  const MazurRun run = test({"--filter=Counter.C*:Plain.*-*s:*Break*", "--filter=Fixture.*"});
  std::vector<std::string> names;
  for (const json& each : run.result["cases"]) names.push_back(each["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"Plain.LooksForAFailure", "Fixture.IsSetUp"}))
      << run.text;
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_TRUE(contains(run.text, "\nverified: no schedule of the 2 cases fails\n")) << run.text;
  const MazurRun listed = test({"--filter=Counter.*", "--list"});
  EXPECT_EQ(listed.exit_code, 0);
  EXPECT_TRUE(contains(listed.text, "Counter.IsTooMuch\n")) << listed.text;
  EXPECT_FALSE(contains(listed.text, "Plain.")) << listed.text;
  EXPECT_TRUE(listed.result.is_null());
  const MazurRun none = test({"--filter=Countr.Counts"});
  EXPECT_EQ(none.exit_code, 2) << none.text;
  EXPECT_TRUE(contains(none.text,
                       "no test case matches --filter=Countr.Counts. Did you mean "
                       "Counter.Counts"))
      << none.text;
}

TEST_F(TestCommand, CasesBesideEachOtherHaveTheSameResults) {
  const MazurRun one = all({"--no-trace"}), run = all({"--no-trace", "-j3"});
  ASSERT_EQ(run.result["cases"].size(), one.result["cases"].size()) << run.text;
  for (std::size_t i = 0; i < run.result["cases"].size(); ++i) {
    const json& now = run.result["cases"][i];
    const json& then = one.result["cases"][i];
    EXPECT_EQ(now["name"], then["name"]);
    EXPECT_EQ(now["status"], then["status"]) << now["name"];
    if (now.contains("result")) {
      EXPECT_EQ(now["result"]["executions"], then["result"]["executions"]) << now["name"];
    }
  }
}

TEST_F(TestCommand, WhatTheTimeDoesNotSufficeForIsNotRun) {
  const MazurRun run = test({"--total-time-limit=1ms", "--filter=Plain.Passes:Plain.Skips"});
  EXPECT_EQ(run.exit_code, 3) << run.text;
  EXPECT_EQ(status(run, "Plain.Skips"), "not-run") << run.text;
  EXPECT_TRUE(contains(run.text, "--total-time-limit was reached")) << run.text;
}

TEST_F(TestCommand, ACaseThatIsAllLeftOutIsNoProof) {
  const MazurRun run = test({"--filter=*Dies"});
  EXPECT_EQ(run.exit_code, 3) << run.text;
  EXPECT_TRUE(contains(run.text, "\nincomplete: no case was explored\n")) << run.text;
}

// A suite of another framework, with the same cases as the others.
struct OtherSuite {
  std::string framework, source, library;
  // What the cases are called.
  std::string lost, counts, section, passes, may_fail, type;
  std::string words;  // in the message of the failed check in `section`
  std::size_t cases = 7;
};
void PrintTo(const OtherSuite& suite, std::ostream* out) { *out << suite.framework; }
const std::string kOddName = "passes [a]*, \"b\" \\ c";

class OtherFramework : public testing::TestWithParam<OtherSuite> {};

TEST_P(OtherFramework, HasCasesFailuresAndTraceFiles) {
  const std::filesystem::path source = kSuites / GetParam().source;
  std::vector<std::string> flags = {"-std=c++20", "-O0", "-g"};
  if (!GetParam().library.empty()) flags.push_back(GetParam().library);
  const auto program = built_program(source, flags);
  if (!program) GTEST_SKIP() << GetParam().framework << " is not installed";
  const Scratch folder;
  const std::string copy = folder / "suite";
  std::filesystem::copy_file(*program, copy);
  const MazurRun run = run_mazur({"test", "suite", "--json=result.json"}, folder.path());
  EXPECT_EQ(run.exit_code, 1) << run.text;
  EXPECT_EQ(run.result["framework"], GetParam().framework) << run.text;
  EXPECT_EQ(run.result["cases"].size(), GetParam().cases) << run.text;
  const OtherSuite& suite = GetParam();
  const std::pair<std::string, const char*> expected[] = {
      {suite.lost, "bug"},       {suite.counts, "verified"},  {suite.section, "bug"},
      {suite.passes, "one-run"}, {suite.may_fail, "one-run"}, {"throws", "bug"},
      {suite.type, "one-run"}};
  for (const auto& [name, status_of_case] : expected)
    EXPECT_EQ(status(run, name), status_of_case) << name << "\n" << run.text;
  EXPECT_EQ(error(run, suite.lost, source),
            std::pair(std::string("assertion"), line_of(source, "lost")));
  EXPECT_EQ(error(run, suite.section, source),
            std::pair(std::string("assertion"), line_of(source, "section")));
  const std::string message = case_of(run, suite.section)["result"]["errors"][0]["message"];
  EXPECT_TRUE(contains(message, suite.words)) << message;
  EXPECT_EQ(error(run, "throws", source).first, "exit-code");
  EXPECT_EQ(case_of(run, suite.may_fail)["note"], "a check failed, as the test allows");
  // The filter is a glob for all of a name; each case is run alone.
  std::filesystem::remove(folder / "result.json");
  const MazurRun one =
      run_mazur({"test", "suite", "--json=result.json", "--filter=passes*"}, folder.path());
  EXPECT_EQ(one.exit_code, 0) << one.text;
  EXPECT_EQ(one.result["cases"].size(), 1u) << one.text;
  std::string trace = "suite-" + suite.lost + "-1.trace";
  std::ranges::replace_if(
      trace, [](char c) { return c == ' ' || c == ',' || c == '/'; }, '_');
  const MazurRun again = run_mazur({"replay", trace, "--program=suite"}, folder.path());
  EXPECT_EQ(again.exit_code, 1) << again.text;
  EXPECT_TRUE(contains(again.text, "Assertion failed in main")) << again.text;
}

INSTANTIATE_TEST_SUITE_P(
    TestCommand, OtherFramework,
    testing::Values(OtherSuite{"Catch2", "catch2_suite.cpp", "-lCatch2WithMain",
                               "loses an update, once", "counts", "has sections", kOddName,
                               "may fail", "has a type - int", "in a section"},
                    OtherSuite{"doctest", "doctest_suite.cpp", "", "loses an update, once",
                               "counts", "has sections", kOddName, "may fail", "has a type<int>",
                               "in a section"},
                    OtherSuite{"Boost.Test", "boost_suite.cpp", "-lboost_unit_test_framework",
                               "threads/loses_an_update", "threads/counts", "fails", "passes",
                               "may_fail", "has_a_type<int>", "critical check 1 == 2 has failed",
                               8}),
    [](const auto& row) { return row.param.source.substr(0, row.param.source.find('.')); });

TEST(TestCommandOther, AProgramWithoutAFrameworkIsOneCase) {
  const Scratch folder;
  folder.write("plain.c", "int main(void) { return 3; }\n");
  const MazurRun run =
      run_mazur({"test", "plain.c", "--json=result.json", "--no-trace"}, folder.path());
  EXPECT_EQ(run.exit_code, 1) << run.text;
  EXPECT_TRUE(run.result["framework"].is_null()) << run.text;
  EXPECT_EQ(case_of(run, "plain")["result"]["errors"][0]["kind"], "exit-code") << run.text;
  EXPECT_TRUE(contains(run.text, "1 case of plain (no test framework)")) << run.text;
  // It does not list anything.
  const MazurRun wrong = run_mazur({"test", "plain.c", "--framework=googletest"}, folder.path());
  EXPECT_EQ(wrong.exit_code, 2) << wrong.text;
  EXPECT_TRUE(contains(wrong.text, "lists no test cases with '--gtest_list_tests'")) << wrong.text;
}

}  // namespace
}  // namespace mazur::test
