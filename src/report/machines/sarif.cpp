#include "report/machines/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "mazur_version.h"
#include "report/findings/names.h"
#include "report/machines/story.h"
#include "report/machines/uri.h"
#include "report/printable.h"

namespace mazur {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFolder = "%SRCROOT%";  // what relative URIs start from

// Section 3.11: braces are for placeholders, and a bracket before a parenthesis makes a link.
Json message(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    if (c == '(' && out.ends_with(']')) out += ' ';
    out += c;
    if (c == '{' || c == '}') out += c;
  }
  return {{"text", out}};
}

Json plain(std::string_view text) { return {{"text", printable_lines(text)}}; }

// The files of one result, named from `folder`, or by whole paths if that is "".
class Locations {
 public:
  Locations(const ReportedResult& result, const std::string& folder)
      : result_(result), folder_(folder) {}

  Json artifact(const std::string& file) const {
    const std::filesystem::path path = std::filesystem::path(result_.directory) / file;
    const FileUri uri = file_uri(path.string(), folder_);
    Json json = {{"uri", uri.text}};
    if (uri.below && !folder_.empty()) json["uriBaseId"] = kFolder;
    return json;
  }

  Json location(const ReportedPlace& place) const {
    Json json = Json::object();
    if (!place.file.empty()) {
      json["physicalLocation"]["artifactLocation"] = artifact(place.file);
      if (place.line != 0) json["physicalLocation"]["region"] = {{"startLine", place.line}};
    }
    if (!place.function.empty())
      json["logicalLocations"].push_back(
          {{"fullyQualifiedName", printable(place.function)}, {"kind", "function"}});
    return json;
  }

  // A viewer needs a place for every result. Without a line it is what was checked.
  Json main_location(const ReportedError& error) const {
    if (!error.place.file.empty()) return location(error.place);
    Json json = location(error.place);
    json["physicalLocation"]["artifactLocation"] =
        artifact(result_.program.empty() ? "program" : result_.program);
    return json;
  }

 private:
  const ReportedResult& result_;
  const std::string& folder_;
};

Json stacks(const ReportedError& error, const Locations& locations) {
  Json all = Json::array();
  for (const ReportedStack& stack : error.stacks) {
    Json frames = Json::array();
    for (const ReportedPlace& frame : stack.frames) {
      Json& json = frames.emplace_back(Json{{"location", locations.location(frame)}});
      if (stack.thread) json["threadId"] = *stack.thread;
    }
    Json json = Json::object();
    if (const std::string name = side_name(error, stack); !name.empty())
      json["message"] = message(name);
    json["frames"] = std::move(frames);
    // No two of them may be alike.
    if (std::find(all.begin(), all.end(), json) == all.end()) all.push_back(std::move(json));
  }
  return all;
}

Json flow_step(const ReportedError& error, const ReportedEvent& event, const Locations& locations,
               bool last) {
  Json location = locations.location(event.place);
  location["message"] =
      message(fmt::format("step {}, {}: {}", event.step, thread_name(error, event.thread),
                          event.old_value.empty() ? event.operation : event.old_value));
  Json json = {{"location", std::move(location)}, {"executionOrder", event.step}};
  json["importance"] = last                              ? "essential"
                       : event.preempts && event.matters ? "essential"
                       : event.matters                   ? "important"
                                                         : "unimportant";
  return json;
}

// One code flow with a thread flow for each thread, in the order in which they first run.
Json code_flows(const ReportedError& error, const Locations& locations) {
  if (error.events.empty()) return Json::array();
  Json threads = Json::array();
  std::map<std::uint64_t, std::size_t> place_of;
  for (const ReportedEvent& event : error.events) {
    const auto [found, fresh] = place_of.emplace(event.thread, threads.size());
    if (fresh)
      threads.push_back({{"id", fmt::format("{}", event.thread)},
                         {"message", message(thread_name(error, event.thread))},
                         {"locations", Json::array()}});
    threads[found->second]["locations"].push_back(
        flow_step(error, event, locations, &event == &error.events.back()));
  }
  Json flow;
  flow["message"] = message(fmt::format("The schedule: {} step{}, {} preemption{}", error.steps,
                                        error.steps == 1 ? "" : "s", error.preemptions,
                                        error.preemptions == 1 ? "" : "s"));
  flow["threadFlows"] = std::move(threads);
  return Json::array({std::move(flow)});
}

Json result_json(const ReportedError& error, std::size_t rule, const Locations& locations) {
  std::string text = error.message.empty() ? headline(error) : error.message;
  if (!error.hint.empty()) text += "\nhint: " + error.hint;
  Json json = {{"ruleId", error.kind},
               {"ruleIndex", rule},
               {"level", "error"},
               {"message", message(text)},
               {"occurrenceCount", error.count}};
  json["locations"].push_back(locations.main_location(error));
  if (Json found = stacks(error, locations); !found.empty()) json["stacks"] = std::move(found);
  if (Json flows = code_flows(error, locations); !flows.empty())
    json["codeFlows"] = std::move(flows);
  if (!error.trace.empty())
    json["attachments"].push_back(
        {{"description", plain("The schedule, for mazur replay and mazur show")},
         {"artifactLocation", locations.artifact(error.trace)}});
  return json;
}

Json rule_json(const std::string& id) {
  const FailureKind kind = find_kind(id);
  const bool known = kind != FailureKind::kNone;
  const Json meaning = known ? plain(kind_meaning(kind)) : plain(id);
  return {{"id", id},
          {"shortDescription", known ? plain(kind_heading(kind)) : plain(id)},
          {"fullDescription", meaning},
          {"help", meaning},
          {"defaultConfiguration", {{"level", "error"}}},
          {"properties", {{"tags", {"concurrency", "correctness"}}, {"precision", "very-high"}}}};
}

void add_notification(Json& invocation, const ReportedResult& result, const Locations& locations) {
  if (result.verdict == Verdict::kVerified || result.verdict == Verdict::kBug) return;
  const bool incomplete = result.verdict == Verdict::kIncomplete;
  Json json = {{"descriptor", {{"id", verdict_name(result.verdict)}}},
               {"level", incomplete ? "warning" : "error"},
               {"message", message(verdict_sentence(result))}};
  if (const auto& where = incomplete ? result.cut_off : result.unsupported;
      where && where->place.line != 0)
    json["locations"].push_back(locations.location(where->place));
  invocation["toolExecutionNotifications"].push_back(std::move(json));
}

Json invocation_json(const ReportedResult& result, const Locations& locations) {
  const bool stopped = result.verdict == Verdict::kError || result.verdict == Verdict::kUnsupported;
  Json json = {{"executionSuccessful", !stopped}, {"exitCode", exit_code(result.verdict)}};
  if (!result.directory.empty()) json["workingDirectory"] = {{"uri", folder_uri(result.directory)}};
  add_notification(json, result, locations);
  json["properties"] = {
      {"program", case_name(result)},    {"verdict", verdict_name(result.verdict)},
      {"algorithm", result.algorithm},   {"memoryModel", result.memory_model},
      {"executions", result.executions}, {"events", result.events},
      {"seconds", result.seconds}};
  return json;
}

// GitHub keeps the alerts of different programs apart by what stands before the last slash.
std::string category(std::span<const ReportedResult> results) {
  if (results.empty()) return "mazur/";
  const ReportedResult& first = results.front();
  if (!first.test.empty()) return "mazur/" + printable(first.program) + "/";
  return results.size() == 1 ? "mazur/" + case_name(first) + "/" : "mazur/";
}

// All relative URIs start from one folder, or from none.
std::string common_folder(std::span<const ReportedResult> results) {
  for (const ReportedResult& result : results)
    if (result.directory != results.front().directory) return {};
  return results.empty() ? "" : results.front().directory;
}

}  // namespace

std::string sarif_report(std::span<const ReportedResult> results) {
  const std::string folder = common_folder(results);
  Json rules = Json::array(), found = Json::array(), invocations = Json::array();
  std::map<std::string, std::size_t> rule_of;
  for (const ReportedResult& result : results) {
    if (result.left_out) continue;
    const Locations locations(result, folder);
    for (const ReportedError& error : result.errors) {
      const auto [rule, fresh] = rule_of.emplace(error.kind, rules.size());
      if (fresh) rules.push_back(rule_json(error.kind));
      found.push_back(result_json(error, rule->second, locations));
    }
    invocations.push_back(invocation_json(result, locations));
  }
  Json run;
  run["tool"]["driver"] = {{"name", "mazur"}, {"version", kVersion}, {"rules", std::move(rules)}};
  run["automationDetails"] = {{"id", category(results)}};
  if (!folder.empty()) run["originalUriBaseIds"][kFolder] = {{"uri", folder_uri(folder)}};
  run["invocations"] = std::move(invocations);
  run["results"] = std::move(found);
  run["columnKind"] = "utf16CodeUnits";
  Json log;
  log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  log["version"] = "2.1.0";
  log["runs"].push_back(std::move(run));
  return log.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace mazur
