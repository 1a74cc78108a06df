#include "report/machines/reported.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "report/findings/names.h"

namespace mazur {
namespace {

using Json = nlohmann::ordered_json;

// What is wrong with the JSON, as the end of a sentence.
struct NoResult {
  std::string why;
};

const Json* find(const Json& json, const char* key) {
  if (!json.is_object()) throw NoResult{fmt::format("what should have '{}' is no object", key)};
  const auto found = json.find(key);
  return found != json.end() ? &*found : nullptr;
}

std::string text_in(const Json& json, const char* key) {
  const Json* value = find(json, key);
  if (value == nullptr) return {};
  if (!value->is_string()) throw NoResult{fmt::format("'{}' is no text", key)};
  return value->get<std::string>();
}

std::uint64_t number_in(const Json& json, const char* key) {
  const Json* value = find(json, key);
  if (value == nullptr) return 0;
  if (!value->is_number_unsigned())
    throw NoResult{fmt::format("'{}' is no whole number of at least 0", key)};
  return value->get<std::uint64_t>();
}

bool flag_in(const Json& json, const char* key) {
  const Json* value = find(json, key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) throw NoResult{fmt::format("'{}' is neither true nor false", key)};
  return value->get<bool>();
}

const Json& list_in(const Json& json, const char* key) {
  static const Json none = Json::array();
  const Json* value = find(json, key);
  if (value == nullptr) return none;
  if (!value->is_array()) throw NoResult{fmt::format("'{}' is no list", key)};
  return *value;
}

ReportedPlace place_in(const Json& json) {
  std::uint64_t line = number_in(json, "line");
  // Those who read it count lines with 31 bits: debug information that has more is damaged.
  if (line > std::numeric_limits<std::int32_t>::max()) line = 0;
  return {.function = text_in(json, "function"),
          .file = text_in(json, "file"),
          .line = static_cast<std::uint32_t>(line),
          .text = text_in(json, "text"),
          .user = flag_in(json, "user")};
}

std::vector<ReportedStack> stacks_in(const Json& json) {
  const Json& frames = list_in(json, "frames");
  std::vector<ReportedStack> stacks;
  std::size_t next = 0;
  for (const Json& stack : list_in(json, "stacks")) {
    stacks.push_back({std::nullopt, text_in(stack, "what"), {}});
    if (find(stack, "thread") != nullptr) stacks.back().thread = number_in(stack, "thread");
    const std::uint64_t size = number_in(stack, "frames");
    if (size > frames.size() - next) throw NoResult{"'stacks' speak of more than is in 'frames'"};
    for (const std::size_t end = next + size; next < end; ++next)
      stacks.back().frames.push_back(place_in(frames[next]));
  }
  return stacks;
}

std::vector<ReportedEvent> events_in(const Json& json) {
  std::vector<ReportedEvent> events;
  for (const Json& event : list_in(json, "events"))
    events.push_back({.step = number_in(event, "step"),
                      .thread = number_in(event, "thread"),
                      .operation = text_in(event, "operation"),
                      .old_value = text_in(event, "old_value"),
                      .place = place_in(event),
                      .matters = flag_in(event, "matters"),
                      .preempts = flag_in(event, "preempts")});
  return events;
}

ReportedError error_in(const Json& json) {
  ReportedError error;
  error.kind = text_in(json, "kind");
  error.message = text_in(json, "message");
  error.hint = text_in(json, "hint");
  error.trace = text_in(json, "trace");
  error.output = text_in(json, "output");
  error.count = std::max<std::uint64_t>(number_in(json, "count"), 1);
  if (const Json* place = find(json, "place")) error.place = place_in(*place);
  error.stacks = stacks_in(json);
  if (const Json* schedule = find(json, "schedule")) {
    error.steps = number_in(*schedule, "steps");
    error.preemptions = number_in(*schedule, "preemptions");
  }
  error.events = events_in(json);
  if (const Json* names = find(json, "thread_names")) {
    if (!names->is_object()) throw NoResult{"'thread_names' is no object"};
    for (const auto& [key, name] : names->items()) {
      std::uint64_t thread = 0;
      const auto [stop, problem] = std::from_chars(key.data(), key.data() + key.size(), thread);
      if (problem != std::errc{} || stop != key.data() + key.size())
        throw NoResult{"'thread_names' has what is no thread"};
      error.thread_names[thread] = text_in(*names, key.c_str());
    }
  }
  return error;
}

Verdict verdict_in(const Json& json) {
  const std::string name = text_in(json, "verdict");
  for (const Verdict verdict : {Verdict::kVerified, Verdict::kBug, Verdict::kError,
                                Verdict::kIncomplete, Verdict::kUnsupported})
    if (name == verdict_name(verdict)) return verdict;
  throw NoResult{name.empty() ? "it has no 'verdict'"
                              : fmt::format("there is no verdict '{}'", name)};
}

double seconds_in(const Json& json) {
  const Json* value = find(json, "seconds");
  if (value == nullptr) return 0;
  if (!value->is_number()) throw NoResult{"'seconds' is no number"};
  return value->get<double>();
}

ReportedResult result_in(const Json& json) {
  if (text_in(json, "tool") != "mazur") throw NoResult{"its 'tool' is not mazur"};
  ReportedResult result;
  result.verdict = verdict_in(json);
  result.version = text_in(json, "version");
  result.program = text_in(json, "program");
  result.directory = text_in(json, "directory");
  result.algorithm = text_in(json, "algorithm");
  result.memory_model = text_in(json, "memory_model");
  result.reason = text_in(json, "reason");
  for (const Json& argument : list_in(json, "arguments")) {
    if (!argument.is_string()) throw NoResult{"one of the 'arguments' is no text"};
    result.arguments.push_back(argument.get<std::string>());
  }
  result.seconds = seconds_in(json);
  if (const Json* executions = find(json, "executions"))
    for (const char* kind : {"complete", "blocked", "assume_blocked", "bounded"})
      result.executions += number_in(*executions, kind);
  result.events = number_in(json, "events");
  for (const Json& error : list_in(json, "errors")) result.errors.push_back(error_in(error));
  if (const Json* error = find(json, "unsupported")) result.unsupported = error_in(*error);
  if (const Json* error = find(json, "cut_off")) result.cut_off = error_in(*error);
  return result;
}

}  // namespace

std::variant<ReportedResult, std::string> read_result(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return "is no JSON";
  try {
    return result_in(json);
  } catch (const NoResult& problem) {
    return "is no result of mazur: " + problem.why;
  }
}

std::string thread_name(const ReportedError& error, std::uint64_t thread) {
  const std::string plain = thread == 0 ? "main" : fmt::format("thread {}", thread);
  const auto found = error.thread_names.find(thread);
  return found != error.thread_names.end() ? plain + " (" + found->second + ")" : plain;
}

}  // namespace mazur
