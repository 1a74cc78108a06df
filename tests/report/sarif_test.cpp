#include "report/machines/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "checks/schema.h"
#include "report/machines/uri.h"
#include "results.h"

namespace mazur {
namespace {

using Json = nlohmann::json;

// Only what RFC 3986 has in a path, with whole percent signs.
bool is_uri(const std::string& uri) {
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%') {
      if (i + 2 >= uri.size() || std::isxdigit(static_cast<unsigned char>(uri[i + 1])) == 0 ||
          std::isxdigit(static_cast<unsigned char>(uri[i + 2])) == 0)
        return false;
    } else if (std::isalnum(static_cast<unsigned char>(uri[i])) == 0 &&
               std::string("-._~/!$&'()*+,;=@:").find(uri[i]) == std::string::npos) {
      return false;
    }
  }
  return true;
}

void for_each_uri(const Json& json, const auto& function) {
  if (json.is_object() && json.contains("uri")) function(json);
  if (json.is_structured())
    for (const Json& inner : json) for_each_uri(inner, function);
}

// Beyond the schema: what one part of a log says about another.
void expect_consistent(const Json& log) {
  for (const Json& run : log["runs"]) {
    const Json& rules = run["tool"]["driver"]["rules"];
    for (const Json& result : run["results"]) {
      EXPECT_EQ(rules.at(result["ruleIndex"].get<std::size_t>())["id"], result["ruleId"]);
      ASSERT_EQ(result["locations"].size(), 1u);
      EXPECT_TRUE(result["locations"][0].contains("physicalLocation"));
    }
    for_each_uri(run, [&](const Json& artifact) {
      const std::string uri = artifact["uri"];
      EXPECT_TRUE(is_uri(uri)) << uri;
      EXPECT_EQ(uri.find("/../"), std::string::npos) << uri;
      if (!artifact.contains("uriBaseId")) return;
      EXPECT_FALSE(uri.starts_with("/") || uri.starts_with("../")) << uri;
      EXPECT_EQ(uri.substr(0, uri.find('/')).find(':'), std::string::npos) << uri;
      EXPECT_TRUE(run["originalUriBaseIds"].contains(artifact["uriBaseId"].get<std::string>()));
    });
    const Json folders = run.value("originalUriBaseIds", Json::object());
    for (const auto& [id, folder] : folders.items())
      EXPECT_TRUE(folder["uri"].get<std::string>().ends_with('/')) << id;
  }
}

TEST(Sarif, IsValidWhateverItTells) {
  test::Schema schema(SOURCE_DIR "/tests/report/checks/sarif.schema.json");
  std::vector<ReportedResult> all;
  for (const Result& result : all_results()) {
    all.push_back(reported(result));
    const std::string text = sarif_report({&all.back(), 1});
    const Json log = Json::parse(text);
    for (const std::string& problem : schema.violations(log)) ADD_FAILURE() << problem;
    expect_consistent(log);
  }
  const Json log = Json::parse(sarif_report(all));
  for (const std::string& problem : schema.violations(log)) ADD_FAILURE() << problem;
  expect_consistent(log);
  EXPECT_EQ(log["runs"].size(), 1u);
  EXPECT_EQ(log["runs"][0]["invocations"].size(), all.size());
  for (const std::string& field : schema.fields())
    EXPECT_TRUE(schema.met().contains(field)) << field << " is in the schema only";
}

TEST(Sarif, TellsTheErrorAndItsSchedule) {
  const ReportedResult result = reported(sample_result(Verdict::kBug));
  const Json run = Json::parse(sarif_report({&result, 1}))["runs"][0];
  EXPECT_EQ(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///somewhere/");
  const Json& error = run["results"][0];
  EXPECT_EQ(error["ruleId"], "deadlock");
  EXPECT_EQ(error["level"], "error");
  // Not the join of main, which waits for those who wait for each other.
  const Json& place = error["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "bank.cpp");
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(place["region"]["startLine"], 13);
  ASSERT_EQ(error["stacks"].size(), 3u);
  EXPECT_EQ(error["stacks"][1]["message"]["text"],
            "thread 1: waits for mutex account_b, held by thread 2, holding account_a");
  // Those outside of the folder have no base.
  const Json& library = error["stacks"][1]["frames"][0]["location"]["physicalLocation"];
  EXPECT_EQ(library["artifactLocation"]["uri"], "file:///usr/include/c++/12/bits/std_mutex.h");
  EXPECT_FALSE(library["artifactLocation"].contains("uriBaseId"));
  ASSERT_EQ(error["codeFlows"].size(), 1u);
  const Json& threads = error["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(threads.size(), 3u);
  EXPECT_EQ(threads[0]["id"], "0");
  ASSERT_EQ(threads[0]["locations"].size(), 2u);
  EXPECT_EQ(threads[0]["locations"][1]["executionOrder"], 2);
  EXPECT_EQ(threads[1]["locations"][0]["executionOrder"], 3);
  EXPECT_EQ(threads[2]["message"]["text"], "thread 2");
  const Json& last = threads[2]["locations"][0];
  EXPECT_EQ(last["executionOrder"], 4);
  EXPECT_EQ(last["importance"], "essential");
  EXPECT_EQ(last["location"]["message"]["text"], "step 4, thread 2: lock account_b");
  EXPECT_EQ(last["location"]["physicalLocation"]["region"]["startLine"], 12);
  EXPECT_EQ(error["attachments"][0]["artifactLocation"]["uri"], "bank-1.trace");
}

TEST(Sarif, VerdictsThatAreNoBugAreNotifications) {
  const auto invocation = [](Verdict verdict) {
    const ReportedResult result = reported(sample_result(verdict));
    const Json run = Json::parse(sarif_report({&result, 1}))["runs"][0];
    EXPECT_EQ(run["results"], Json::array());
    return run["invocations"][0];
  };
  const Json verified = invocation(Verdict::kVerified);
  EXPECT_EQ(verified["executionSuccessful"], true);
  EXPECT_FALSE(verified.contains("toolExecutionNotifications"));
  const Json incomplete = invocation(Verdict::kIncomplete);
  EXPECT_EQ(incomplete["executionSuccessful"], true);
  EXPECT_EQ(incomplete["exitCode"], 3);
  EXPECT_EQ(incomplete["toolExecutionNotifications"][0]["level"], "warning");
  const Json unsupported = invocation(Verdict::kUnsupported);
  EXPECT_EQ(unsupported["executionSuccessful"], false);
  EXPECT_EQ(unsupported["toolExecutionNotifications"][0]["level"], "error");
}

// The schema has no two stacks that are alike; two threads may have ended up in the same way.
TEST(Sarif, StacksThatAreAlikeAreOne) {
  ReportedResult result = reported(sample_result(Verdict::kBug));
  std::vector<ReportedStack>& stacks = result.errors[0].stacks;
  stacks[2] = stacks[1];
  const Json log = Json::parse(sarif_report({&result, 1}));
  EXPECT_EQ(log["runs"][0]["results"][0]["stacks"].size(), 2u);
}

// Placeholders and links, which no message of ours has.
TEST(Sarif, BracesAndBracketsAreText) {
  Result result = sample_result(Verdict::kBug);
  result.findings[0].record.message = "assertion failed: [](int x) { return a[0](x); }(1) {0}";
  const ReportedResult read = reported(result);
  const Json log = Json::parse(sarif_report({&read, 1}));
  EXPECT_EQ(log["runs"][0]["results"][0]["message"]["text"],
            "assertion failed: [] (int x) {{ return a[0] (x); }}(1) {{0}}");
}

TEST(Sarif, ProgramsOfSeveralFoldersHaveWholePaths) {
  std::vector<ReportedResult> results = {reported(sample_result(Verdict::kBug)),
                                         reported(sample_result(Verdict::kBug))};
  results[1].directory = "/else where";
  const Json run = Json::parse(sarif_report(results))["runs"][0];
  EXPECT_FALSE(run.contains("originalUriBaseIds"));
  const auto uri = [&run](std::size_t result) {
    return run["results"][result]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  };
  EXPECT_EQ(uri(0), "file:///somewhere/bank.cpp");
  EXPECT_EQ(uri(1), "file:///else%20where/bank.cpp");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 1u);
}

TEST(Uri, RelativeBelowTheFolderElseWhole) {
  const auto uri = [](std::string_view file, std::string_view folder = "/home/ann") {
    const FileUri made = file_uri(file, folder);
    return (made.below ? "below " : "") + made.text;
  };
  EXPECT_EQ(uri("a.cpp"), "below a.cpp");
  EXPECT_EQ(uri("./src/../b/a.cpp"), "below b/a.cpp");
  EXPECT_EQ(uri("/home/ann/src/a.cpp"), "below src/a.cpp");
  EXPECT_EQ(uri("/home/anna/a.cpp"), "file:///home/anna/a.cpp");
  EXPECT_EQ(uri("../bob/a.cpp"), "file:///home/bob/a.cpp");
  EXPECT_EQ(uri("//usr//include/x.h"), "file:///usr/include/x.h");
  EXPECT_EQ(uri("a b%c#d?e:f.cpp"), "below a%20b%25c%23d%3Fe%3Af.cpp");
  EXPECT_EQ(uri("c++/\xc3\xa4\xff.cpp"), "below c++/%C3%A4%FF.cpp");
  EXPECT_EQ(uri("[x]\"\\^`{|}<>"), "below %5Bx%5D%22%5C%5E%60%7B%7C%7D%3C%3E");
  EXPECT_EQ(uri("a.cpp", ""), "below a.cpp");
  EXPECT_EQ(uri("/x/a.cpp", ""), "file:///x/a.cpp");
  EXPECT_EQ(uri("../a.cpp", ""), "../a.cpp");
  EXPECT_EQ(uri("/x/a.cpp", "/"), "below x/a.cpp");
  EXPECT_EQ(folder_uri("/home/ann"), "file:///home/ann/");
  EXPECT_EQ(folder_uri("/home/a b/"), "file:///home/a%20b/");
  EXPECT_EQ(folder_uri("/"), "file:///");
}

}  // namespace
}  // namespace mazur
