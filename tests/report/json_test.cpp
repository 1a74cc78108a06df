#include "report/machines/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/findings/names.h"
#include "sample.h"

namespace mazur {
namespace {

nlohmann::json parsed(const Result& result) { return nlohmann::json::parse(json_report(result)); }

TEST(Json, HasEveryFieldOfTheDesign) {
  Result result;
  result.algorithm = "optimal";
  result.verdict = Verdict::kBug;
  result.tally = {.complete = 8192,
                  .blocked = 1,
                  .assume_blocked = 2,
                  .bounded = 3,
                  .events = 262144,
                  .failures = 1};
  result.seconds = 0.25;
  result.peak_rss_kb = 20480;
  result.findings.push_back(deadlock_sample());
  result.findings[0].trace = "bank-1.trace";
  const auto json = parsed(result);
  EXPECT_EQ(json["tool"], "mazur");
  EXPECT_TRUE(json["version"].is_string());
  EXPECT_EQ(json["algorithm"], "optimal");
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(json["executions"]["complete"], 8192);
  EXPECT_EQ(json["executions"]["blocked"], 1);
  EXPECT_EQ(json["executions"]["assume_blocked"], 2);
  EXPECT_EQ(json["executions"]["bounded"], 3);
  EXPECT_EQ(json["events"], 262144);
  EXPECT_EQ(json["seconds"], 0.25);
  EXPECT_EQ(json["executions_per_second"], 8198 * 4);
  EXPECT_EQ(json["peak_rss_kb"], 20480);
  ASSERT_EQ(json["errors"].size(), 1u);
  const auto& error = json["errors"][0];
  EXPECT_EQ(error["kind"], "deadlock");
  EXPECT_EQ(error["count"], 1);
  EXPECT_EQ(error["trace"], "bank-1.trace");
  EXPECT_NE(error["message"].get<std::string>().find("thread 1 waits"), std::string::npos);
  // The stacks of the three waiting threads, two frames each.
  ASSERT_EQ(error["frames"].size(), 6u);
  EXPECT_EQ(error["frames"][3]["function"], "transfer(Account&, Account&)");
  EXPECT_EQ(error["frames"][3]["file"], "bank.cpp");
  EXPECT_EQ(error["frames"][3]["line"], 13);
  EXPECT_EQ(error["frames"][3]["thread"], 1);
}

TEST(Json, ARaceHasTheFramesOfBothSides) {
  Result result;
  result.verdict = Verdict::kBug;
  result.findings.push_back(deadlock_sample());
  Record& record = result.findings[0].record;
  record.kind = FailureKind::kDataRace;
  record.message = {};
  record.message.add("write at %p", reinterpret_cast<void*>(0x1000));
  record.other = {2, "read", {0x12}, {}};
  const auto error = parsed(result)["errors"][0];
  EXPECT_EQ(error["message"], "write at account_a");
  ASSERT_EQ(error["frames"].size(), 3u);
  EXPECT_EQ(error["frames"][1]["thread"], 1);
  EXPECT_EQ(error["frames"][2]["thread"], 2);
  EXPECT_EQ(error["frames"][2]["line"], 12);
}

TEST(Json, WhatWasNotSupportedIsNoError) {
  Result result;
  result.verdict = Verdict::kUnsupported;
  result.reason = "fork() is not controlled";
  result.findings.push_back(deadlock_sample());
  result.findings[0].record.kind = FailureKind::kUnsupported;
  const auto json = parsed(result);
  EXPECT_EQ(json["verdict"], "unsupported");
  EXPECT_EQ(json["reason"], "fork() is not controlled");
  EXPECT_TRUE(json["errors"].empty());
  EXPECT_EQ(json["unsupported"]["frames"][1]["line"], 13);
}

TEST(Json, BytesThatAreNoTextAreReplaced) {
  Result result;
  result.findings.push_back(deadlock_sample());
  result.findings[0].record.message = "\xff\xfe";
  EXPECT_TRUE(parsed(result)["errors"][0]["message"].is_string());
}

TEST(Names, ExitCodesAreThoseOfTheDesign) {
  EXPECT_EQ(exit_code(Verdict::kVerified), 0);
  EXPECT_EQ(exit_code(Verdict::kBug), 1);
  EXPECT_EQ(exit_code(Verdict::kError), 2);
  EXPECT_EQ(exit_code(Verdict::kIncomplete), 3);
  EXPECT_EQ(exit_code(Verdict::kUnsupported), 4);
}

TEST(Json, WeakerOrders) {
  Result result;
  result.verdict = Verdict::kVerified;
  EXPECT_FALSE(parsed(result).contains("weakening"));
  result.weakening.asked = true;
  const Frame line{"push()", "queue.cpp", 9, "", true};
  result.weakening.orders = {{line, OpKind::kFence, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED, true},
                             {line, OpKind::kLoad, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, false}};
  result.weakening.stopped = "it was interrupted";
  result.weakening.proof = {.complete = 3, .events = 21};
  result.weakening.runs = 2;
  const auto json = parsed(result)["weakening"];
  EXPECT_EQ(json["orders"][0]["suffices"], "none");
  EXPECT_EQ(json["orders"][0]["now"], "seq_cst");
  EXPECT_EQ(json["orders"][0]["operation"], "fence");
  EXPECT_EQ(json["orders"][1]["tried"], false);
  EXPECT_EQ(json["stopped"], "it was interrupted");
  EXPECT_EQ(json["explorations"], 2);
  EXPECT_EQ(json["proof"]["executions"], 3);
}

TEST(Json, OrdersThatWouldForbidAnError) {
  Result result;
  result.verdict = Verdict::kBug;
  result.findings.push_back(deadlock_sample());
  EXPECT_FALSE(parsed(result)["errors"][0].contains("forbidden_by"));
  result.findings[0].orders.forbidden_by = {
      {{"push()", "queue.cpp", 9, "", true}, OpKind::kRmw, __ATOMIC_ACQ_REL}};
  const auto json = parsed(result)["errors"][0]["forbidden_by"][0];
  EXPECT_EQ(json["order"], "acq_rel");
  EXPECT_EQ(json["operation"], "update");
  EXPECT_EQ(json["file"], "queue.cpp");
  EXPECT_EQ(json["line"], 9);
  EXPECT_FALSE(parsed(result)["errors"][0].contains("forbidden_by_fences"));
  result.findings[0].orders.forbidden_by_fences = {{{"pop()", "queue.cpp", 21, "", true},
                                                    {"pop()", "queue.cpp", 24, "", true},
                                                    __ATOMIC_ACQUIRE}};
  const auto fence = parsed(result)["errors"][0]["forbidden_by_fences"][0];
  EXPECT_EQ(fence["order"], "acquire");
  EXPECT_EQ(fence["file"], "queue.cpp");
  EXPECT_EQ(fence["after_line"], 21);
  EXPECT_EQ(fence["before_line"], 24);
}

}  // namespace
}  // namespace mazur
