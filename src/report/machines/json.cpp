#include "report/machines/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "mazur_version.h"
#include "report/findings/names.h"
#include "report/machines/finding_json.h"
#include "report/module_lines.h"
#include "report/orders/sites.h"
#include "report/remarks.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

using Json = nlohmann::ordered_json;

Json module_json(const CheckedModule& module) {
  const ModuleFacts& facts = module.facts;
  Json json = {{"name", module.name}, {"path", module.path}, {"class", name_of(facts.kind)}};
  if (facts.kind == ModuleClass::kKnown) return json;
  json["atomic_instructions"] = facts.instructions.atomic;
  json["system_calls"] = facts.instructions.system_calls;
  json["threading_imports"] = facts.imports.size();
  if (!module.has_unseen_code()) return json;
  json["trusted"] = module.trusted;
  json["called"] = module.called;
  if (!module.place.empty()) json["place"] = module.place;
  return json;
}

double rounded(double value, double unit) { return std::round(value / unit) * unit; }

Json weakening_json(const Weakening& weakening) {
  Json json;
  json["orders"] = Json::array();
  bool weaker = false;
  for (const WeakerOrder& order : weakening.orders) {
    weaker = weaker || order.is_weaker();
    const bool removed = order.kind == OpKind::kFence && order.suffices == __ATOMIC_RELAXED;
    json["orders"].push_back({{"file", order.where.file},
                              {"line", order.where.line},
                              {"operation", site_operation(order.kind)},
                              {"now", memory_order_name(order.written)},
                              {"suffices", removed ? "none" : memory_order_name(order.suffices)},
                              {"tried", order.tried}});
  }
  if (!weakening.stopped.empty()) json["stopped"] = weakening.stopped;
  json["explorations"] = weakening.runs;
  if (weaker)
    json["proof"] = {{"executions", weakening.proof.total()},
                     {"events", weakening.proof.events},
                     {"seconds", rounded(weakening.proof_seconds, 1e-6)}};
  return json;
}

// Why a loop does not count as one that waits.
void add_reason(Json& loop, const Result::LoopReason& reason) {
  const std::string what = describe_reason(reason);
  if (what.empty()) return;
  loop["does_not_wait"] = {{"why", what}, {"file", reason.where.file}, {"line", reason.where.line}};
}

// What was cut off: bounds, loops, the loop that makes executions long.
void add_cuts(Json& json, const Result& result) {
  if (!result.cuts.empty()) json["bounds_reached"] = names(result.cuts);
  for (const Result::CutLoop& loop : result.cut_loops) {
    Json cut = {{"file", loop.where.file},
                {"line", loop.where.line},
                {"rounds", loop.rounds},
                {"times", loop.times}};
    add_reason(cut, loop.reason);
    json["cut_loops"].push_back(std::move(cut));
  }
  if (result.busiest.times > 0) {
    json["longest_loop"] = {{"file", result.busiest.where.file},
                            {"line", result.busiest.where.line},
                            {"times", result.busiest.times},
                            {"steps", result.busiest.steps}};
    add_reason(json["longest_loop"], result.busiest.reason);
  }
  if (!result.unmet_loop_lines.empty()) json["unmet_loop_lines"] = result.unmet_loop_lines;
}

void add_findings(Json& json, const std::vector<Finding>& findings, bool output) {
  json["errors"] = Json::array();
  for (const Finding& finding : findings) {
    if (finding.record.kind == FailureKind::kUnsupported) {
      json["unsupported"] = finding_json(finding, output);
    } else if (finding.record.kind == FailureKind::kStepLimit) {
      json["cut_off"] = finding_json(finding, output);
    } else {
      json["errors"].push_back(finding_json(finding, output));
    }
  }
}

}  // namespace

std::string json_report(const Result& result, bool output) {
  Json json;
  json["tool"] = "mazur";
  json["version"] = kVersion;
  if (!result.program.empty()) json["program"] = result.program;
  if (!result.arguments.empty()) json["arguments"] = result.arguments;
  if (!result.directory.empty()) json["directory"] = result.directory;
  json["algorithm"] = result.algorithm;
  json["verdict"] = verdict_name(result.verdict);
  json["memory_model"] = memory_name(result.memory);
  if (result.verdict == Verdict::kVerified || result.weak_operations > 0)
    json["weak_operations"] = result.weak_operations;
  if (result.has_sequential_objects) json["sequential_objects"] = true;
  if (result.has_unexplored_wakeups || result.spurious_wakeups > 0)
    json["spurious_wakeups"] = {{"most", result.spurious_wakeups},
                                {"left_out", result.has_unexplored_wakeups}};
  if (!result.svcomp.empty()) json["svcomp"] = result.svcomp;
  if (!result.reason.empty()) json["reason"] = result.reason;
  if (!result.statistics.empty()) json["statistics"] = result.statistics;
  json["executions"] = {{"complete", result.tally.complete},
                        {"blocked", result.tally.blocked},
                        {"assume_blocked", result.tally.assume_blocked},
                        {"bounded", result.tally.bounded}};
  if (result.portfolio.total() > 0)
    json["portfolio"] = {{"executions", result.portfolio.total()},
                         {"events", result.portfolio.events},
                         {"failed", result.portfolio.failures}};
  add_cuts(json, result);
  json["events"] = result.tally.events;
  json["seconds"] = rounded(result.seconds, 1e-6);
  json["executions_per_second"] =
      result.seconds > 0
          ? std::llround(static_cast<double>(result.tally.total() + result.portfolio.total()) /
                         result.seconds)
          : 0;
  json["peak_rss_kb"] = result.peak_rss_kb;
  if (!result.modules.empty()) json["modules"] = Json::array();
  for (const CheckedModule& module : result.modules) json["modules"].push_back(module_json(module));
  if (const auto names = trusted(result.modules); !names.empty()) json["trusted"] = names;
  if (const Explored& explored = result.explored;
      result.verdict == Verdict::kIncomplete && explored.known() && explored.at_least < 1) {
    if (explored.at_least > 0) json["explored"]["at_least"] = rounded(explored.at_least, 1e-9);
    json["explored"]["at_most"] = rounded(explored.at_most, 1e-9);
  }
  if (result.weakening.asked && result.verdict == Verdict::kVerified)
    json["weakening"] = weakening_json(result.weakening);
  add_findings(json, result.findings, output);
  // Only ASCII: standard output may be a terminal.
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace mazur
