#include "results.h"

#include <gtest/gtest.h>

#include "report/machines/json.h"
#include "sample.h"

namespace mazur {
namespace {

// What each of the formats ends, escapes or does not have.
const std::string kHostile =
    "]]> <b a=\"1\" c='2'> & &amp; %0A %25 ::error::x\r\ny\tz \x1b[31mred \x01\x7f \xff\xfe "
    "\xef\xbf\xbe \xc2\x9b [a](1) {0} {} , : ; \\ \xe2\x80\xae \xf0\x9f\x98\x80";

}  // namespace

Result sample_result(Verdict verdict) {
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
Result hostile_result(Verdict verdict) {
  Result result = sample_result(Verdict::kBug);
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

std::vector<Result> all_results() {
  std::vector<Result> all;
  for (const Verdict verdict : {Verdict::kVerified, Verdict::kBug, Verdict::kError,
                                Verdict::kIncomplete, Verdict::kUnsupported}) {
    all.push_back(sample_result(verdict));
    all.push_back(hostile_result(verdict));
  }
  all.emplace_back();
  return all;
}

}  // namespace mazur
