// docs/schemas/result.schema.json says what the JSON of a result can have: all that the code can write, and nothing else.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "checks/schema.h"
#include "report/findings/names.h"
#include "report/machines/finding_json.h"
#include "report/machines/json.h"
#include "sample.h"

namespace mazur {
namespace {

using test::Schema;

Schema result_schema() { return Schema(SOURCE_DIR "/docs/schemas/result.schema.json"); }

// An error with everything that an error can have.
Finding full_finding() {
  Finding finding = deadlock_sample();
  Record& record = finding.record;
  record.kind = FailureKind::kDataRace;
  record.by_portfolio = true;
  record.preemptions = {3};
  record.thread_names = {{1, "writer"}};
  record.object_names = {{0x1000, "account a"}};
  record.other = {2, "read", {0x12}, {0x1000}};
  record.locks = {0x2000};
  Event old;
  old.thread = 2;
  old.label.kind = OpKind::kLoad;
  old.label.object = 0x3000;
  old.label.size = 4;
  Event store = old;
  store.thread = 1;
  store.label.kind = OpKind::kStore;
  store.label.written = 7;
  old.label.ref = 0;
  record.events.push_back(store);
  record.events.push_back(old);
  record.event_stacks.resize(record.events.size());
  finding.trace = "bank-1.trace";
  finding.hint = "it may be none";
  finding.orders.forbidden_by = {
      {{"push()", "queue.cpp", 9, "", true}, OpKind::kRmw, __ATOMIC_ACQ_REL}};
  finding.orders.forbidden_by_fences = {{{"pop()", "queue.cpp", 21, "", true},
                                         {"pop()", "queue.cpp", 24, "", true},
                                         __ATOMIC_ACQUIRE}};
  finding.orders.fails_under_sc = true;
  return finding;
}

// A result with everything that a result with this verdict can have.
Result full_result(Verdict verdict) {
  const Frame line{"push()", "queue.cpp", 9, "++tries;", true};
  Result result;
  result.program = "bank.cpp";
  result.arguments = {"--transfers", "2"};
  result.directory = "/somewhere";
  result.algorithm = "optimal";
  result.verdict = verdict;
  result.weak_operations = 3;
  result.has_sequential_objects = true;
  result.has_unexplored_wakeups = true;
  result.svcomp = "UNKNOWN";
  result.reason = "a reason";
  result.statistics = "trees";
  result.tally = {.complete = 3, .events = 21};
  result.portfolio = {.complete = 2, .events = 14};
  result.cuts = Cuts((1U << kCuts) - 1);
  result.busiest = {line, 9, 10, {LoopObstacle::kWrite, "", line}};
  result.cut_loops = {{line, 2, 4, {LoopObstacle::kWrite, "", line}}};
  result.unmet_loop_lines = {"queue.cpp:7"};
  result.explored = {0.1, 0.5};
  CheckedModule module;
  module.name = module.path = "libunseen.so";
  module.facts.kind = ModuleClass::kUnseen;
  module.facts.instructions.atomic = 1;
  module.trusted = true;
  module.place = "main.cpp:3";
  result.modules = {module};
  result.weakening.asked = true;
  result.weakening.orders = {{line, OpKind::kFence, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED, true}};
  result.weakening.stopped = "it was interrupted";
  Finding finding = full_finding();
  result.findings = {finding};
  finding.record.kind = FailureKind::kUnsupported;
  result.findings.push_back(finding);
  finding.record.kind = FailureKind::kStepLimit;
  result.findings.push_back(finding);
  return result;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(ResultSchema, HasEveryFieldAndEveryFieldOccurs) {
  Schema schema = result_schema();
  for (const Verdict verdict : {Verdict::kVerified, Verdict::kBug, Verdict::kError,
                                Verdict::kIncomplete, Verdict::kUnsupported}) {
    const auto json = nlohmann::json::parse(json_report(full_result(verdict)));
    EXPECT_EQ(joined(schema.violations(json)), "") << json.dump(1);
  }
  EXPECT_EQ(joined(schema.violations(nlohmann::json::parse(json_report({})))), "");
  for (const std::string& field : schema.fields())
    EXPECT_TRUE(schema.met().contains(field)) << field << " is in the schema only";
}

// A field that no result of these tests has would be missed above.
TEST(ResultSchema, NamesWhatTheSourcesWrite) {
  std::set<std::string> names;
  for (const std::string& field : result_schema().fields())
    names.insert(field.substr(field.rfind('/') + 1));
  std::size_t found = 0;
  for (const char* file : {"json.cpp", "finding_json.cpp"}) {
    std::ifstream in(std::string(SOURCE_DIR "/src/report/machines/") + file);
    std::stringstream text;
    text << in.rdbuf();
    const std::string source = text.str();
    const std::regex key(R"re((?:\{|\[)"([a-z_]+)"(?:,|\]))re");
    for (std::sregex_iterator at(source.begin(), source.end(), key), end; at != end; ++at, ++found)
      EXPECT_TRUE(names.contains((*at)[1])) << file << " writes " << (*at)[1];
  }
  EXPECT_GT(found, 80u);
}

TEST(ResultSchema, HasEveryKindOfError) {
  Schema schema = result_schema();
  for (auto kind = FailureKind::kAssertion; kind <= FailureKind::kStepLimit;
       kind = static_cast<FailureKind>(static_cast<int>(kind) + 1)) {
    Result result;
    result.findings = {full_finding()};
    result.findings[0].record.kind = kind;
    EXPECT_EQ(joined(schema.violations(nlohmann::json::parse(json_report(result)))), "");
    EXPECT_EQ(find_kind(kind_name(kind)), kind);
    EXPECT_FALSE(kind_meaning(kind).empty());
  }
  EXPECT_EQ(find_kind("no-such-kind"), FailureKind::kNone);
}

// The validator itself notices what is wrong.
TEST(ResultSchema, RefusesWhatIsNoResult) {
  Schema schema = result_schema();
  const auto good = nlohmann::json::parse(json_report(full_result(Verdict::kIncomplete)));
  const auto spoilt = [&](const auto& spoil) {
    nlohmann::json json = good;
    spoil(json);
    return schema.violations(json).size();
  };
  EXPECT_EQ(spoilt([](auto&) {}), 0u);
  EXPECT_EQ(spoilt([](auto& json) { json.erase("verdict"); }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["verdict"] = "fine"; }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["surprise"] = 1; }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["events"] = -1; }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["seconds"] = "long"; }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["explored"]["at_most"] = 2; }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["errors"][0]["place"]["column"] = 1; }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["errors"][0]["thread_names"]["1"] = 1; }), 1u);
  EXPECT_EQ(spoilt([](auto& json) { json["trusted"] = nlohmann::json::array(); }), 1u);
}

TEST(ResultSchema, OfLongSchedulesOnlyWhatMattersIsListed) {
  Finding finding = deadlock_sample();
  Event idle;
  idle.thread = 0;
  idle.label.kind = OpKind::kLoad;
  idle.label.object = 0x9000;
  idle.label.size = 4;
  finding.record.events.insert(finding.record.events.begin() + 2, kMostEvents, idle);
  finding.record.event_stacks.clear();
  const auto json = finding_json(finding, true);
  EXPECT_EQ(json["schedule"]["steps"], kMostEvents + 4);
  ASSERT_GE(json["events"].size(), 2u);
  EXPECT_LT(json["events"].size(), 10u);
  EXPECT_EQ(json["events"].back()["step"], kMostEvents + 4);
  // Many that matter: the last ones.
  finding = deadlock_sample();
  Event lock = finding.record.events[2];
  for (std::size_t i = 0; i < kMostEvents; ++i) {
    lock.thread = 1 + i % 2;
    lock.label.kind = i % 4 < 2 ? OpKind::kLock : OpKind::kUnlock;
    finding.record.events.insert(finding.record.events.end() - 1, lock);
  }
  finding.record.event_stacks.clear();
  const auto many = finding_json(finding, true);
  EXPECT_EQ(many["events"].size(), kMostEvents);
  EXPECT_EQ(many["events"].back()["step"], kMostEvents + 4);
}

TEST(Json, WithoutWhatTheProgramPrinted) {
  Result result;
  result.findings = {deadlock_sample()};
  EXPECT_EQ(nlohmann::json::parse(json_report(result))["errors"][0]["output"], "transferring\n");
  EXPECT_FALSE(nlohmann::json::parse(json_report(result, false))["errors"][0].contains("output"));
}

}  // namespace
}  // namespace mazur
