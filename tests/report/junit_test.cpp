#include "report/machines/junit.h"

#include <gtest/gtest.h>

#include "checks/xml.h"
#include "results.h"

namespace mazur {
namespace {

// The counts of a suite are those of its cases.
void expect_counted(const test::Element& suite) {
  std::size_t failures = 0, errors = 0, skipped = 0;
  for (const test::Element& one : suite.children) {
    EXPECT_EQ(one.name, "testcase");
    EXPECT_FALSE(one.attributes.at("name").empty());
    EXPECT_FALSE(one.attributes.at("classname").empty());
    failures += one.child("failure") != nullptr ? 1 : 0;
    errors += one.child("error") != nullptr ? 1 : 0;
    skipped += one.child("skipped") != nullptr ? 1 : 0;
  }
  EXPECT_EQ(suite.attributes.at("tests"), std::to_string(suite.children.size()));
  EXPECT_EQ(suite.attributes.at("failures"), std::to_string(failures));
  EXPECT_EQ(suite.attributes.at("errors"), std::to_string(errors));
  EXPECT_EQ(suite.attributes.at("skipped"), std::to_string(skipped));
}

test::Element suite_of(std::span<const ReportedResult> results) {
  const test::Element root = test::read_xml(junit_report(results, "nightly <&\"\n>"));
  EXPECT_EQ(root.name, "testsuites");
  EXPECT_EQ(root.children.size(), 1u);
  expect_counted(root.children.at(0));
  return root.children.at(0);
}

TEST(JUnit, IsWellFormedWhateverItTells) {
  std::vector<ReportedResult> all;
  for (const Result& result : all_results()) {
    all.push_back(reported(result));
    EXPECT_NO_THROW(suite_of({&all.back(), 1}));
  }
  EXPECT_EQ(suite_of(all).children.size(), all.size());
  EXPECT_EQ(suite_of({}).children.size(), 0u);
}

TEST(JUnit, ASuiteOfSeveralResults) {
  std::vector<ReportedResult> results;
  for (const Verdict verdict : {Verdict::kVerified, Verdict::kBug, Verdict::kError,
                                Verdict::kIncomplete, Verdict::kUnsupported})
    results.push_back(reported(sample_result(verdict)));
  results[0].arguments = {"--items", "2"};
  results[3].memory_model = "tso";
  const test::Element suite = suite_of(results);
  EXPECT_EQ(suite.attributes.at("time"), "1.250000");
  EXPECT_EQ(suite.children[0].attributes.at("name"), "bank.cpp --items 2");
  EXPECT_TRUE(suite.children[0].children.empty());
  const test::Element* failure = suite.children[1].child("failure");
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->attributes.at("type"), "deadlock");
  EXPECT_EQ(failure->attributes.at("message"), "Deadlock at bank.cpp:13");
  EXPECT_NE(failure->text.find("      4*  thread 2: lock account_b  (bank.cpp:12)\n"),
            std::string::npos)
      << failure->text;
  EXPECT_NE(failure->text.find("See it again: mazur replay bank-1.trace\n"), std::string::npos);
  EXPECT_EQ(suite.children[1].child("system-out")->text, "transferring\n");
  EXPECT_EQ(suite.children[2].child("error")->attributes.at("message"), "error: there is a reason");
  // Nothing has failed, and nothing was shown.
  EXPECT_EQ(suite.children[3].attributes.at("name"), "bank.cpp (tso)");
  ASSERT_EQ(suite.children[3].children.size(), 1u);
  EXPECT_EQ(suite.children[3].child("skipped")->attributes.at("message"),
            "incomplete: no error found, but there is a reason");
  EXPECT_EQ(suite.children[4].child("error")->attributes.at("type"), "unsupported");
}

TEST(JUnit, TellsTheStepsThatMatter) {
  ReportedResult result = reported(sample_result(Verdict::kBug));
  result.errors[0].events[0].matters = false;
  const std::string text = suite_of({&result, 1}).children[0].child("failure")->text;
  EXPECT_EQ(text.find("      1   main"), std::string::npos) << text;
  EXPECT_NE(text.find("      2   main: create thread 2  (bank.cpp:31)\n"), std::string::npos)
      << text;
}

TEST(JUnit, SeveralErrorsAreOneFailure) {
  Result result = sample_result(Verdict::kBug);
  result.findings.push_back(result.findings[0]);
  const ReportedResult read = reported(result);
  const test::Element suite = suite_of({&read, 1});
  EXPECT_EQ(suite.children[0].child("failure")->attributes.at("message"),
            "2 different errors found, the first: Deadlock at bank.cpp:13");
}

// The strict reader notices what a parser would not take.
TEST(JUnit, TheReaderOfTheseTestsIsStrict) {
  const std::string begin = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_EQ(test::read_xml(begin + "<a b=\"&lt;&#10;\">x&amp;y<c/></a>\n").attributes["b"], "<\n");
  for (const std::string bad :
       {"<a>", "<a></b>", "<a b=\"<\"/>", "<a b=\"1\" b=\"2\"/>", "<a>]]></a>", "<a>&</a>",
        "<a>&nbsp;</a>", "<a>\x01</a>", "<a>\xff</a>", "<a>\xef\xbf\xbe</a>", "<a>&#1;</a>",
        "<a/><b/>", "<a b='1'/>", "<a>\r</a>", ""})
    EXPECT_THROW(test::read_xml(begin + bad), std::runtime_error) << bad;
}

}  // namespace
}  // namespace mazur
