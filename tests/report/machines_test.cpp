// Reports for other programs: SARIF, JUnit and annotations, with texts that each format could stumble over.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "checks/schema.h"
#include "checks/xml.h"
#include "report/json.h"
#include "report/machines/annotations.h"
#include "report/machines/junit.h"
#include "report/machines/sarif.h"
#include "report/machines/uri.h"
#include "sample.h"

namespace mazur {
namespace {

using Json = nlohmann::json;

// What each of the formats ends, escapes or does not have.
const std::string kHostile =
    "]]> <b a=\"1\" c='2'> & &amp; %0A %25 ::error::x\r\ny\tz \x1b[31mred \x01\x7f \xff\xfe "
    "\xef\xbf\xbe \xc2\x9b [a](1) {0} {} , : ; \\ \xe2\x80\xae \xf0\x9f\x98\x80";

Result sample(Verdict verdict) {
  Result result;
  result.program = "bank.cpp";
  result.directory = "/somewhere";
  result.algorithm = "optimal";
  result.verdict = verdict;
  result.seconds = 0.25;
  result.tally = {.complete = 2, .events = 17};
  if (verdict == Verdict::kBug) {
    result.findings = {deadlock_sample()};
    result.findings[0].trace = "bank-1.trace";
    result.findings[0].record.preemptions = {3};
  } else if (verdict != Verdict::kVerified) {
    result.reason = "there is a reason";
  }
  return result;
}

// Every text that the program, its files or its user chose.
Result hostile(Verdict verdict) {
  Result result = sample(Verdict::kBug);
  result.verdict = verdict;
  result.program = kHostile;
  result.arguments = {kHostile, ""};
  result.directory = "/some\n where/" + kHostile;
  result.reason = kHostile;
  Finding& finding = result.findings[0];
  finding.trace = finding.hint = kHostile;
  finding.record.kind = FailureKind::kAssertion;
  finding.record.message = kHostile;
  finding.record.output = kHostile;
  finding.record.other = {2, kHostile, {0x12}, {}};
  finding.record.thread_names = {{1, kHostile}, {2, ""}};
  for (auto& [pc, frames] : finding.places.code)
    for (Frame& frame : frames) {
      frame.function = frame.file = frame.text = kHostile;
      frame.line = ~0U - (frame.line == 30 ? 0U : frame.line);
    }
  finding.places.code[0x12][0].line = 12;
  finding.places.code[0x13][0].line = 13;
  for (auto& [address, name] : finding.places.objects) name = kHostile;
  for (const FailureKind kind : {FailureKind::kUnsupported, FailureKind::kStepLimit}) {
    Finding other = result.findings[0];
    other.record.kind = kind;
    result.findings.push_back(std::move(other));
  }
  return result;
}

ReportedResult reported(const Result& result) {
  auto read = read_result(json_report(result));
  EXPECT_EQ(read.index(), 0u) << std::get<std::string>(read);
  return std::get<ReportedResult>(read);
}

std::vector<Result> all_samples() {
  std::vector<Result> all;
  for (const Verdict verdict : {Verdict::kVerified, Verdict::kBug, Verdict::kError,
                                Verdict::kIncomplete, Verdict::kUnsupported}) {
    all.push_back(sample(verdict));
    all.push_back(hostile(verdict));
  }
  all.emplace_back();
  return all;
}

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
  for (const Result& result : all_samples()) {
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
  const ReportedResult result = reported(sample(Verdict::kBug));
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
    const ReportedResult result = reported(sample(verdict));
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

// Placeholders and links, which no message of ours has.
TEST(Sarif, BracesAndBracketsAreText) {
  Result result = sample(Verdict::kBug);
  result.findings[0].record.message = "assertion failed: [](int x) { return a[0](x); }(1) {0}";
  const ReportedResult read = reported(result);
  const Json log = Json::parse(sarif_report({&read, 1}));
  EXPECT_EQ(log["runs"][0]["results"][0]["message"]["text"],
            "assertion failed: [] (int x) {{ return a[0] (x); }}(1) {{0}}");
}

TEST(Sarif, ProgramsOfSeveralFoldersHaveWholePaths) {
  std::vector<ReportedResult> results = {reported(sample(Verdict::kBug)),
                                         reported(sample(Verdict::kBug))};
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
  for (const Result& result : all_samples()) {
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
    results.push_back(reported(sample(verdict)));
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

TEST(JUnit, SeveralErrorsAreOneFailure) {
  Result result = sample(Verdict::kBug);
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

// What the runner of GitHub reads from a line.
struct Command {
  std::string name, message;
  std::map<std::string, std::string> properties;
};

std::string unescaped(std::string text, bool property) {
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [code, meant] :
       {Pair{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}}) {
    if (!property && (meant == ":" || meant == ",")) continue;
    for (std::size_t at = 0; (at = text.find(code, at)) != std::string::npos; at += 1)
      text.replace(at, code.size(), meant);
  }
  return text;
}

std::vector<Command> commands_of(const std::string& text) {
  std::vector<Command> commands;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("::")) << line;
    const std::size_t end = line.find("::", 2);
    const std::size_t space = line.find(' ');
    EXPECT_TRUE(end != std::string::npos && space < end) << line;
    Command command{line.substr(2, space - 2), unescaped(line.substr(end + 2), false), {}};
    std::istringstream properties(line.substr(space + 1, end - space - 1));
    for (std::string one; std::getline(properties, one, ',');) {
      const std::size_t equals = one.find('=');
      EXPECT_NE(equals, std::string::npos) << line;
      command.properties[one.substr(0, equals)] = unescaped(one.substr(equals + 1), true);
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

TEST(Annotations, AreOneLineEachWhateverTheyTell) {
  std::vector<ReportedResult> all;
  for (const Result& result : all_samples()) all.push_back(reported(result));
  const std::string text = github_annotations(all, "/some");
  for (const char c : text)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t') << int{c};
  // Each bug has a line; in hostile results errors come beside any verdict.
  const std::vector<Command> commands = commands_of(text);
  EXPECT_EQ(commands.size(), 1 + 5 + 2 * 3 + 1u) << text;
  for (const Command& command : commands) {
    EXPECT_TRUE(command.name == "error" || command.name == "warning") << command.name;
    for (const auto& [key, value] : command.properties)
      EXPECT_TRUE(key == "file" || key == "line" || key == "title") << key;
  }
}

TEST(Annotations, NameTheFileFromTheRepository) {
  ReportedResult result = reported(sample(Verdict::kBug));
  const auto file = [&result](std::string_view workspace) {
    return commands_of(github_annotations({&result, 1}, workspace)).at(0).properties["file"];
  };
  EXPECT_EQ(file(""), "bank.cpp");
  EXPECT_EQ(file("/somewhere"), "bank.cpp");
  EXPECT_EQ(file("/somewhere/"), "bank.cpp");
  EXPECT_EQ(file("/"), "somewhere/bank.cpp");
  EXPECT_EQ(file("/elsewhere"), "/somewhere/bank.cpp");
  result.errors[0].place.file = "a,b:c%d::e.cpp";
  EXPECT_EQ(file("/somewhere"), "a,b:c%d::e.cpp");
  const Command command = commands_of(github_annotations({&result, 1}, "")).at(0);
  EXPECT_EQ(command.name, "error");
  EXPECT_EQ(command.properties.at("line"), "13");
  EXPECT_EQ(command.properties.at("title"), "Deadlock (bank.cpp)");
  EXPECT_TRUE(command.message.starts_with("deadlock: thread 1 waits")) << command.message;
  EXPECT_TRUE(command.message.ends_with("\nSee it again: mazur replay bank-1.trace"));
}

TEST(Annotations, WarnAboutWhatIsIncomplete) {
  const ReportedResult incomplete = reported(sample(Verdict::kIncomplete));
  EXPECT_EQ(github_annotations({&incomplete, 1}, ""),
            "::warning title=incomplete (bank.cpp)::incomplete: no error found, but there is a "
            "reason\n");
  const ReportedResult verified = reported(sample(Verdict::kVerified));
  EXPECT_EQ(github_annotations({&verified, 1}, ""), "");
}

TEST(ReportedResult, SaysWhatIsWrongWithOtherJson) {
  const auto problem = [](std::string_view json) {
    const auto read = read_result(json);
    return read.index() == 1 ? std::get<std::string>(read) : "";
  };
  EXPECT_EQ(problem("{"), "is no JSON");
  EXPECT_EQ(problem("[]"), "is no result of mazur: what should have 'tool' is no object");
  EXPECT_EQ(problem("{}"), "is no result of mazur: its 'tool' is not mazur");
  const std::string begin = "{\"tool\":\"mazur\",";
  EXPECT_EQ(problem(begin + "\"version\":\"1\"}"), "is no result of mazur: it has no 'verdict'");
  EXPECT_EQ(problem(begin + "\"verdict\":\"good\"}"),
            "is no result of mazur: there is no verdict 'good'");
  const std::string bug = begin + "\"verdict\":\"bug\",";
  EXPECT_EQ(problem(bug + "\"new\":[{}]}"), "");
  EXPECT_EQ(problem(bug + "\"events\":-1}"),
            "is no result of mazur: 'events' is no whole number of at least 0");
  EXPECT_EQ(problem(bug + "\"errors\":{}}"), "is no result of mazur: 'errors' is no list");
  EXPECT_EQ(problem(bug + "\"errors\":[{\"kind\":1}]}"),
            "is no result of mazur: 'kind' is no text");
  EXPECT_EQ(problem(bug + "\"errors\":[{\"stacks\":[{\"frames\":1}]}]}"),
            "is no result of mazur: 'stacks' speak of more than is in 'frames'");
  EXPECT_EQ(problem(bug + "\"errors\":[{\"thread_names\":{\"x\":\"\"}}]}"),
            "is no result of mazur: 'thread_names' has what is no thread");
  EXPECT_EQ(problem(std::string(100000, '[')), "is no JSON");
}

}  // namespace
}  // namespace mazur
