#include "report/machines/reported.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "checks/xml.h"
#include "report/machines/annotations.h"
#include "report/machines/json.h"
#include "report/machines/junit.h"
#include "report/machines/sarif.h"
#include "results.h"

namespace mazur {
namespace {

using Json = nlohmann::json;

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

// Puts other values in the place of each one, and hands over the whole.
void for_each_change(Json& whole, Json& part, const auto& function) {
  const Json before = part;
  for (const Json& other : {Json(), Json(-1), Json(1.5), Json(~std::uint64_t{0}), Json("x"),
                            Json(true), Json::array(), Json::array({1}), Json::object()}) {
    part = other;
    function(whole);
  }
  part = before;
  if (part.is_structured())
    for (Json& inner : part) for_each_change(whole, inner, function);
}

TEST(ReportedResult, AnyOtherValueIsRefusedOrReported) {
  Json json = Json::parse(json_report(sample_result(Verdict::kBug)));
  json["errors"][0]["thread_names"] = {{"1", "writer"}};
  json["cut_off"] = {{"kind", "step-limit"}, {"message", "cut"}};
  std::size_t refused = 0, made = 0;
  for_each_change(json, json, [&](const Json& changed) {
    const auto read = read_result(changed.dump());
    if (const auto* problem = std::get_if<std::string>(&read)) {
      EXPECT_TRUE(problem->starts_with("is no result of mazur: ")) << *problem;
      ++refused;
      return;
    }
    ++made;
    if (made % 10 != 0) return;  // one value of ten has to do for the rest
    const std::span results(&std::get<ReportedResult>(read), 1);
    EXPECT_NO_THROW(test::read_xml(junit_report(results)));
    EXPECT_TRUE(Json::accept(sarif_report(results)));
    const std::string lines = github_annotations(results, "/");
    EXPECT_TRUE(lines.empty() || (lines.starts_with("::") && lines.ends_with("\n"))) << lines;
  });
  EXPECT_GT(refused, 500u);
  EXPECT_GT(made, 100u);
}

}  // namespace
}  // namespace mazur
