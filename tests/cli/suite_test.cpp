// mazur test: what frameworks list, filters, and the lines of cases.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/suite/case_filter.h"
#include "cli/suite/framework.h"
#include "cli/suite/suite_report.h"
#include "cli/suite/test_options.h"
#include "cli/usage.h"
#include "spawn.h"

namespace mazur {
namespace {

std::vector<std::string> names(const std::vector<TestCase>& cases) {
  std::vector<std::string> result;
  for (const TestCase& test : cases)
    result.push_back(test.name + (test.left_out.empty() ? "" : " - " + test.left_out));
  return result;
}

std::vector<std::string> names(const Framework& framework, std::string_view listed,
                               const std::vector<std::string>& arguments = {}) {
  return names(framework.cases_in(listed, arguments));
}

using Names = std::vector<std::string>;

TEST(Suite, GoogleTestsListHasSuitesAndCases) {
  constexpr std::string_view kListed =
      "Running main() from gtest_main.cc\n"
      "Queue.\n  Push\n  DISABLED_Pop\n"
      "Typed/0.  # TypeParam = std::map<int, long>\n  Size\n"
      "A line of the program.\n  Not a case\n"
      "Some/Numbers.\n  Small/0  # GetParam() = \"a.b\"\n"
      "Some/QueueDeathTest/1.\n  Dies\n"
      "DISABLED_Stack.\n  Push";
  EXPECT_EQ(
      names(google_test(), kListed),
      (Names{"Queue.Push", "Queue.DISABLED_Pop - disabled", "Typed/0.Size", "Some/Numbers.Small/0",
             "Some/QueueDeathTest/1.Dies - a death test: it starts processes",
             "DISABLED_Stack.Push - disabled"}));
  EXPECT_EQ(names(google_test(), "Q.\n  DISABLED_A\n", {"--gtest_also_run_disabled_tests"}),
            Names{"Q.DISABLED_A"});
  EXPECT_TRUE(names(google_test(), "").empty());
  EXPECT_TRUE(names(google_test(), "  Lonely\n").empty());
}

TEST(Suite, DoctestsListStandsBetweenRules) {
  const std::string rule(79, '=');
  const std::string listed = rule + "\nmine\n[doctest] listing all test case names\n" + rule +
                             "\na, b\ntwice\ntwice\n=====\n\n" + rule +
                             "\n[doctest] unskipped test cases passing the current filters: 3\n";
  EXPECT_EQ(names(doctest(), listed),
            (Names{"a, b", "twice", "=====", " - without a name it cannot be run alone"}));
  EXPECT_TRUE(names(doctest(), "a\nb\n").empty());
  EXPECT_EQ(doctest().selection({R"(a,*\"b)", ""}, true)[0], "--dt-test-case=a????b");
}

TEST(Suite, Catch2ListsALineForEachCase) {
  EXPECT_EQ(names(catch2(), "a, b\n\"# c\"\n\"d\"\n\n"), (Names{"a, b", "# c", "\"d\""}));
  EXPECT_EQ(catch3().selection({"~a,[b]\\\"-*", ""}, true),
            (Names{"\\~a\\,\\[b]\\\\\\\"-*", "--break"}));
  EXPECT_EQ(catch3().selection({"exclude:a", ""}, false)[0], "*xclude:a");
  EXPECT_EQ(catch2().selection({"-a", ""}, false), (Names{"\\-a", "--warn", "NoTests"}));
}

TEST(Suite, BoostTestListsATree) {
  EXPECT_EQ(
      names(boost_test(),
            "a line of the program\nA line: no\na*\n    b*: what it does\n    c*\n        d \n"
            "    e<std__pair<int_ long>>*\nf : words\n    g*\nh*"),
      (Names{"a/b", "a/c/d - disabled", "a/e<std__pair<int_ long>>", "f/g - disabled", "h"}));
  EXPECT_TRUE(names(boost_test(), "    too deep*\nname\n").empty());
}

TEST(Suite, WordsOfTheFrameworkComeBeforeTwoDashes) {
  EXPECT_EQ(with_words({"a", "--", "b"}, {"x"}), (Names{"a", "x", "--", "b"}));
  EXPECT_EQ(with_words({"a"}, {"x"}), (Names{"a", "x"}));
}

TEST(Suite, AGlobIsForTheWholeName) {
  for (const auto& [pattern, name] :
       std::vector<std::pair<std::string, std::string>>{{"a.b", "a.b"},
                                                        {"*", ""},
                                                        {"*", "a"},
                                                        {"a*", "a"},
                                                        {"*b*", "abc"},
                                                        {"a?c", "abc"},
                                                        {"*a*b", "aab"},
                                                        {"**", "x"},
                                                        {"*ab", "aab"},
                                                        {"?*", "ab"}})
    EXPECT_TRUE(matches_glob(pattern, name)) << pattern << " " << name;
  for (const auto& [pattern, name] : std::vector<std::pair<std::string, std::string>>{{"a", "ab"},
                                                                                      {"b", "ab"},
                                                                                      {"", "a"},
                                                                                      {"a?", "a"},
                                                                                      {"*b", "abc"},
                                                                                      {"a*c", "ab"},
                                                                                      {"[a]", "a"},
                                                                                      {"A", "a"}})
    EXPECT_FALSE(matches_glob(pattern, name)) << pattern << " " << name;
}

const std::vector<TestCase> kCases = {{"A.x", ""}, {"A.y", ""}, {"B-1: x", ""}};

TEST(Suite, FiltersOfGoogleTestAreLists) {
  const auto of = [](const std::vector<std::string>& filters) {
    return names(wanted(kCases, filters, &google_test()));
  };
  EXPECT_EQ(of({}), (Names{"A.x", "A.y", "B-1: x"}));
  EXPECT_EQ(of({"A.*-*y"}), Names{"A.x"});
  EXPECT_EQ(of({"-A.y"}), (Names{"A.x", "B-1: x"}));
  EXPECT_EQ(of({"A.y:A.x"}), (Names{"A.x", "A.y"}));
  EXPECT_EQ(of({"A.x", "A.y"}), (Names{"A.x", "A.y"}));
}

TEST(Suite, OtherFiltersMayHaveColonsAndDashes) {
  const auto of = [](const std::vector<std::string>& filters) {
    return names(wanted(kCases, filters, nullptr));
  };
  EXPECT_EQ(of({"B-1: x"}), Names{"B-1: x"});
  EXPECT_EQ(of({"-B-1: x", "-*y"}), Names{"A.x"});
  EXPECT_EQ(of({"*x", "-A*"}), Names{"B-1: x"});
}

std::string refusal(const std::vector<std::string>& filters) {
  try {
    wanted(kCases, filters, &google_test());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Suite, AFilterWithoutACaseNamesTheNearest) {
  EXPECT_EQ(refusal({"A.z"}), "no test case matches --filter=A.z. Did you mean A.*, A.x, A.y?");
  EXPECT_EQ(refusal({"A.x:Quite.different"}),
            "no test case matches --filter=Quite.different. --list shows the names.");
  EXPECT_EQ(refusal({"A.x-A.*"}), "--filter leaves out all test cases.");
}

CaseResult result_of(CaseStatus status, std::string note = "") {
  CaseResult found{.test = {"A.x", ""}, .status = status, .note = std::move(note), .result = {}};
  found.result.tally.complete = 1234;
  found.result.seconds = 0.012;
  found.result.reason = "--time-limit was reached";
  return found;
}

TEST(Suite, ALineForEachStatus) {
  const TextStyle style;
  EXPECT_EQ(case_line(result_of(CaseStatus::kVerified), style),
            "[ VERIFIED ]    A.x (1,234 executions, 12 ms)\n");
  EXPECT_EQ(case_line(result_of(CaseStatus::kOneRun), style), "[ ONE RUN ]     A.x\n");
  EXPECT_EQ(case_line(result_of(CaseStatus::kBounded), style),
            "[ BOUNDED ]     A.x (1,234 executions, 12 ms)\n"
            "                --time-limit was reached\n");
  EXPECT_EQ(case_line(result_of(CaseStatus::kLeftOut, "disabled"), style),
            "[ LEFT OUT ]    A.x (disabled)\n");
  CaseResult hostile = result_of(CaseStatus::kOneRun);
  hostile.test.name = "a\x1b[2J";
  EXPECT_EQ(case_line(hostile, style), "[ ONE RUN ]     a\\x1b[2J\n");
}

TEST(Suite, TheWorstCaseDecides) {
  using enum CaseStatus;
  const auto verdict = [](const std::vector<CaseStatus>& statuses) {
    std::vector<CaseResult> results;
    for (const CaseStatus status : statuses) results.push_back(result_of(status));
    return suite_verdict(results);
  };
  EXPECT_EQ(verdict({kVerified, kOneRun, kLeftOut}), Verdict::kVerified);
  EXPECT_EQ(verdict({kVerified, kNotRun}), Verdict::kIncomplete);
  EXPECT_EQ(verdict({kVerified, kBounded}), Verdict::kIncomplete);
  EXPECT_EQ(verdict({kIncomplete, kUnsupported}), Verdict::kUnsupported);
  EXPECT_EQ(verdict({kUnsupported, kBug, kBounded}), Verdict::kBug);
  EXPECT_EQ(verdict({kLeftOut}), Verdict::kIncomplete);
}

TEST(Suite, ItsOwnOptionsAreDocumented) {
  const std::string page = contents_of(SOURCE_DIR "/docs/test.md");
  for (const auto& option : own_test_options())
    EXPECT_TRUE(contains(page, "`--" + std::string(option.name))) << option.name;
  for (const Framework* framework : frameworks()) {
    EXPECT_TRUE(contains(page, "**" + std::string(framework->name) + "**")) << framework->name;
    EXPECT_TRUE(contains(page, std::string(framework->option))) << framework->option;
  }
}

TEST(Suite, OptionsOfOneExplorationAreRefused) {
  bool help = false;
  EXPECT_THROW(parse_test({"./x", "--ledger=a.db"}, help), UsageError);
  EXPECT_THROW(parse_test({"./x", "--weaken"}, help), UsageError);
  const TestOptions options = parse_test({"./x", "-j4", "--time-limit=2", "--max-steps=9"}, help);
  EXPECT_EQ(options.jobs, 4u);
  EXPECT_EQ(options.check.jobs, 1u);
  EXPECT_EQ(options.check.request.bounds.time_limit, 2);
  EXPECT_EQ(options.check.request.bounds.max_steps, 9u);
}

}  // namespace
}  // namespace mazur
