#include "cli/svcomp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "cli/run/process.h"
#include "cli/usage.h"
#include "protocol/request.h"
#include "report/findings/files.h"
#include "report/witness.h"

namespace mazur {
namespace {

constexpr std::string_view kChecked =
    "Mazur checks calls of a function (unreach-call), data races (no-data-race) and deadlocks";

// The formula of the one CHECK(init(main()), LTL(...)) in a text without white space, or nothing.
std::string_view formula_in(std::string_view text) {
  constexpr std::string_view kBegin = "CHECK(init(main()),LTL(";
  constexpr std::string_view kEnd = "))";
  if (!text.starts_with(kBegin) || !text.ends_with(kEnd) || text.size() < kBegin.size() + 2)
    return {};
  text.remove_prefix(kBegin.size());
  text.remove_suffix(kEnd.size());
  return text.find("CHECK(") == std::string_view::npos ? text : std::string_view{};
}

std::string specification(const Request& request) {
  const std::string what = request.property == Property::kUnreachCall
                               ? fmt::format("call({}())", request.property_function)
                           : request.property == Property::kNoDataRace ? "data-race"
                                                                       : "deadlock";
  return fmt::format("CHECK( init(main()), LTL(G ! {}) )", what);
}

// The hash of a source, by which a witness names its program.
std::string hash_of(const std::string& file) {
  const auto text = output_of({"sha256sum", "--", file});
  return text && text->size() >= 64 ? text->substr(text->starts_with('\\') ? 1 : 0, 64) : "";
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

const Finding* violation_in(const Result& result, Property property) {
  for (const Finding& finding : result.findings)
    if (violates(finding.record.kind, property)) return &finding;
  return nullptr;
}

}  // namespace

void read_property(const std::string& file, Request& request) {
  const auto text = read_file(file);
  if (!text) throw UsageError(fmt::format("there is no property file '{}'.", file));
  std::string dense;
  std::copy_if(text->begin(), text->end(), std::back_inserter(dense),
               [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  const std::string_view formula = formula_in(dense);
  constexpr std::string_view kCall = "G!call(";
  if (formula == "G!data-race") return set_property(request, Property::kNoDataRace, "");
  if (formula == "G!deadlock") return set_property(request, Property::kNoDeadlock, "");
  if (formula.starts_with(kCall) && formula.ends_with("())")) {
    const std::string_view name = formula.substr(kCall.size(), formula.size() - kCall.size() - 3);
    const bool is_name = !name.empty() && name.size() < sizeof request.property_function &&
                         std::all_of(name.begin(), name.end(), [](char c) {
                           return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
                         });
    if (is_name) return set_property(request, Property::kUnreachCall, name);
  }
  throw UsageError(
      formula.empty()
          ? fmt::format("'{}' is no property file with one CHECK( init(main()), LTL(...) ).", file)
          : fmt::format("the property '{}' of '{}' is not supported: {}.", formula, file,
                        kChecked));
}

void suit_property(CheckOptions& options) {
  Request& request = options.request;
  if (request.property == Property::kNone) {
    if (!options.witness.empty()) throw UsageError("--witness goes with --svcomp or --property.");
    return;
  }
  if (options.sources.empty())
    throw UsageError("--svcomp and --property need sources: how they are compiled matters.");
  // Tasks that are about calls may race on purpose.
  const Races usual = request.property == Property::kNoDataRace ? Races::kReport : Races::kExplore;
  if (!options.races_given) request.races = usual;
  options.races_given = true;
  if (request.property == Property::kNoDataRace && request.races != Races::kReport)
    throw UsageError("the property no-data-race needs --races=report.");
  if (request.property != Property::kNoDataRace && request.races == Races::kReport)
    throw UsageError(
        "with --races=report a data race would end the check before the property is violated: "
        "take --races=explore.");
  request.leaks = 0;
  for (const std::string& flag : options.flags)
    if (flag.starts_with("-fno-instrument-functions") ||
        flag.starts_with("-finstrument-functions-"))
      throw UsageError(fmt::format("--svcomp needs every function instrumented: drop {}.", flag));
  // Every entry of every function is told about, so that a call is seen whatever becomes of it.
  if (request.property == Property::kUnreachCall)
    options.flags.emplace(options.flags.begin(), "-finstrument-functions");
}

void answer_svcomp(Result& result, const CheckOptions& options) {
  const Property property = options.request.property;
  if (property == Property::kNone) return;
  const Finding* violation = violation_in(result, property);
  // A range of inputs that the user gave is no part of the property.
  const bool holds = result.verdict == Verdict::kVerified && options.request.nondet_given == 0;
  result.svcomp = violation != nullptr ? fmt::format("false({})", property_name(property))
                  : holds              ? "true"
                                       : "unknown";
  if (options.witness.empty() || (violation == nullptr && !holds)) return;
  const std::string& program = options.sources.front();
  const std::string witness = witness_graphml({.violation = violation,
                                               .specification = specification(options.request),
                                               .program = program,
                                               .program_hash = hash_of(program),
                                               .creation_time = now()});
  if (!write_file(options.witness, witness))
    fmt::print(stderr, "mazur: the witness '{}' could not be written.\n", options.witness);
}

}  // namespace mazur
