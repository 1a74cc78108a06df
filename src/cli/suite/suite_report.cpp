#include "cli/suite/suite_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "mazur_version.h"
#include "report/findings/names.h"
#include "report/machines/json.h"
#include "report/printable.h"
#include "report/remarks.h"
#include "report/words.h"

namespace mazur {
namespace {

using Json = nlohmann::ordered_json;

struct StatusWords {
  CaseStatus status;
  std::string_view tag, json, in_summary;
  int color;
};

constexpr int kRed = 31, kGreen = 32, kYellow = 33, kPlain = 0;
constexpr std::array kWords = {
    StatusWords{CaseStatus::kVerified, "VERIFIED", "verified", "verified", kGreen},
    StatusWords{CaseStatus::kOneRun, "ONE RUN", "one-run", "in one run", kGreen},
    StatusWords{CaseStatus::kBug, "BUG", "bug", "with a bug", kRed},
    StatusWords{CaseStatus::kBounded, "BOUNDED", "bounded", "bounded", kYellow},
    StatusWords{CaseStatus::kIncomplete, "INCOMPLETE", "incomplete", "incomplete", kYellow},
    StatusWords{CaseStatus::kUnsupported, "UNSUPPORTED", "unsupported", "unsupported", kYellow},
    StatusWords{CaseStatus::kLeftOut, "LEFT OUT", "left-out", "left out", kPlain},
    StatusWords{CaseStatus::kNotRun, "NOT RUN", "not-run", "not run", kYellow}};

const StatusWords& words_of(CaseStatus status) { return kWords[static_cast<std::size_t>(status)]; }

constexpr std::size_t kTagWidth = 16;

std::string tag(CaseStatus status, const TextStyle& style) {
  const StatusWords& words = words_of(status);
  const std::string text = fmt::format("[ {} ]", words.tag);
  const std::string shown = style.color && words.color != kPlain
                                ? fmt::format("\033[1;{}m{}\033[0m", words.color, text)
                                : text;
  return shown + std::string(kTagWidth - text.size(), ' ');
}

// Where a check has failed, as the framework says it at the beginning of the message; or "".
std::string place_in_message(const std::string& message) {
  const std::string place = message.substr(0, std::min(message.find(": "), message.find('\n')));
  const std::size_t digit = place.find_last_of("0123456789");
  return digit != place.npos && place.find_first_of(":(") < digit ? place : "";
}

// "queue_test.cpp:12", or "" if nothing is known. The line of a function may be missing where the
// framework's own lines are not.
std::string place_of(const Finding& finding) {
  if (is_standstill(finding.record)) return {};
  const Frame where = finding.places.where(finding.record.stack);
  if (finding.record.kind == FailureKind::kAssertion && (!where.user || where.line == 0))
    return place_in_message(finding.record.message.text);
  return where.line != 0 ? fmt::format("{}:{}", where.file, where.line) : "";
}

// "assertion at queue_test.cpp:12, execution 3"
std::string first_error(const Finding& finding) {
  std::string text(kind_name(finding.record.kind));
  if (const std::string place = place_of(finding); !place.empty())
    text += " at " + printable(place);
  if (finding.record.execution != 0)
    text += fmt::format(", execution {}", with_commas(finding.record.execution));
  return text;
}

// What stands in brackets behind the name.
std::string in_brackets(const CaseResult& found) {
  const Result& result = found.result;
  if (!found.was_run()) return found.note;
  if (found.status == CaseStatus::kBug && !result.findings.empty())
    return first_error(result.findings.front());
  if (found.status == CaseStatus::kOneRun || result.tally.total() == 0) return {};
  return fmt::format("{} execution{}, {}", with_commas(result.tally.total()),
                     result.tally.total() == 1 ? "" : "s", duration(result.seconds));
}

bool is_no_proof(CaseStatus status) {
  return status == CaseStatus::kBounded || status == CaseStatus::kIncomplete ||
         status == CaseStatus::kUnsupported;
}

std::size_t count(std::span<const CaseResult> results, CaseStatus status) {
  return static_cast<std::size_t>(std::ranges::count(results, status, &CaseResult::status));
}

std::string verdict_sentence(std::span<const CaseResult> results, std::size_t explored) {
  const std::size_t bugs = count(results, CaseStatus::kBug);
  switch (suite_verdict(results)) {
    case Verdict::kBug:
      if (explored == 1) return "bug: the case fails";
      return fmt::format("bug: {} of {} cases fail{}", bugs, explored, bugs == 1 ? "s" : "");
    case Verdict::kVerified:
      return fmt::format("verified: no schedule of {} fails",
                         explored == 1 ? "the case" : fmt::format("the {} cases", explored));
    case Verdict::kUnsupported:
      return "unsupported: no error found, but some cases do what Mazur does not control";
    default:
      return explored == 0
                 ? "incomplete: no case was explored"
                 : "incomplete: no error found, but not every case was explored to its end";
  }
}

// Proofs under sequential consistency say nothing about these cases on real processors.
std::string weak_cases(std::span<const CaseResult> results) {
  const auto weak = std::ranges::count_if(
      results, [](const CaseResult& found) { return found.result.weak_operations > 0; });
  if (weak == 0) return {};
  return fmt::format(
      "in {} verified case{} operations weaker than seq_cst raced with others: the proof says "
      "nothing about their reordering (--memory=c++20 does)\n",
      weak, weak == 1 ? "" : "s");
}

Json case_json(const CaseResult& found, bool with_output) {
  Json json = {{"name", found.test.name}, {"status", words_of(found.status).json}};
  if (!found.note.empty()) json["note"] = found.note;
  if (!found.was_run()) return json;
  Json result = Json::parse(json_report(found.result, with_output));
  // The same for every case.
  for (const char* field : {"tool", "version", "program", "directory", "modules"})
    result.erase(field);
  json["result"] = std::move(result);
  return json;
}

}  // namespace

std::string case_line(const CaseResult& found, const TextStyle& style) {
  std::string text = tag(found.status, style) + printable(found.test.name);
  if (const std::string more = in_brackets(found); !more.empty()) text += " (" + more + ")";
  text += "\n";
  const std::string indent(kTagWidth, ' ');
  const auto add = [&](const std::string& line) {
    if (!line.empty()) text += indent + printable(line) + "\n";
  };
  if (is_no_proof(found.status)) {
    add(found.result.reason);
    std::string remark = estimate_remark(found.result);
    if (remark.ends_with('\n')) remark.pop_back();
    add(remark);
  }
  if (found.was_run()) add(found.note);
  return text;
}

std::string suite_errors(std::span<const CaseResult> results, const TextStyle& style) {
  std::string text;
  for (const CaseResult& found : results) {
    if (!found.was_run() || found.result.findings.empty()) continue;
    text += fmt::format("\n{}{}\n", tag(found.status, style), printable(found.test.name));
    for (const Finding& finding : found.result.findings) text += text_finding(finding, style);
  }
  return text;
}

Verdict suite_verdict(std::span<const CaseResult> results) {
  if (count(results, CaseStatus::kBug) > 0) return Verdict::kBug;
  if (count(results, CaseStatus::kUnsupported) > 0) return Verdict::kUnsupported;
  const bool all = std::ranges::all_of(results, [](const CaseResult& found) {
    return found.status == CaseStatus::kVerified || found.status == CaseStatus::kOneRun ||
           found.status == CaseStatus::kLeftOut;
  });
  return all && count(results, CaseStatus::kLeftOut) < results.size() ? Verdict::kVerified
                                                                      : Verdict::kIncomplete;
}

std::string suite_summary(std::span<const CaseResult> results, const std::string& suite,
                          double seconds, const TextStyle& style) {
  std::vector<std::string> parts;
  for (const StatusWords& words : kWords)
    if (const std::size_t number = count(results, words.status); number > 0)
      parts.push_back(fmt::format("{} {}", with_commas(number), words.in_summary));
  std::string text = fmt::format("[==========]    {} case{} of {}, {}: {}\n",
                                 with_commas(results.size()), results.size() == 1 ? "" : "s",
                                 printable(suite), duration(seconds), fmt::join(parts, ", "));
  for (const CaseResult& found : results)
    if (found.status == CaseStatus::kBug)
      text += tag(found.status, style) + printable(found.test.name) + "\n";
  const std::size_t explored = static_cast<std::size_t>(
      std::ranges::count_if(results, [](const CaseResult& found) { return found.was_run(); }));
  return text + weak_cases(results) + verdict_sentence(results, explored) + "\n";
}

std::string suite_json(std::span<const CaseResult> results, const Suite& suite, double seconds) {
  Json json;
  json["tool"] = "mazur";
  json["version"] = kVersion;
  json["program"] = suite.subject.program.filename().string();
  json["framework"] = suite.framework != nullptr ? Json(suite.framework->name) : Json(nullptr);
  json["verdict"] = verdict_name(suite_verdict(results));
  json["seconds"] = std::round(seconds * 1e3) / 1e3;
  json["counts"] = Json::object();
  for (const StatusWords& words : kWords) json["counts"][words.json] = count(results, words.status);
  json["cases"] = Json::array();
  const bool with_output = suite.options.check.common.output != Shown::kNone;
  for (const CaseResult& found : results) json["cases"].push_back(case_json(found, with_output));
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace mazur
