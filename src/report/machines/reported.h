// A result as reports for other programs see it. They are all made from its JSON (report/machines/json.h),
// whether that was written just now, by another process, or yesterday: so they cannot tell
// different stories, and a file of JSON is as good as a run.
//
// Several results are those of the cases of a test program.
//
// Texts are as they stand in the JSON: each report escapes what its format does not have.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/verdict.h"

namespace mazur {

struct ReportedPlace {
  std::string function;  // may be empty
  std::string file;      // relative to the result's directory, or absolute; empty: not known
  std::uint32_t line = 0;
  std::string text;   // the source line; may be empty
  bool user = false;  // of a frame: in the program's own code
};

struct ReportedStack {
  std::optional<std::uint64_t> thread;
  std::string what;                   // "waits for mutex m, held by thread 2"; may be empty
  std::vector<ReportedPlace> frames;  // innermost first
};

struct ReportedEvent {
  std::uint64_t step = 0;  // from 1
  std::uint64_t thread = 0;
  std::string operation;
  std::string old_value;  // what it saw of memory under a weak memory model, or ""
  ReportedPlace place;
  bool matters = false;
  bool preempts = false;
};

struct ReportedError {
  std::string kind, message, hint, trace, output;
  std::uint64_t count = 1;
  ReportedPlace place;  // line 0: not known
  std::vector<ReportedStack> stacks;
  std::uint64_t steps = 0, preemptions = 0;
  std::vector<ReportedEvent> events;
  std::map<std::uint64_t, std::string> thread_names;
};

struct ReportedResult {
  std::string version, program, directory, algorithm, memory_model, reason;
  std::vector<std::string> arguments;
  std::string test;  // the case of a test program that this is about; empty: it is about all of it
  bool left_out = false;  // it was not explored; `reason` says why
  Verdict verdict = Verdict::kError;
  double seconds = 0;
  std::uint64_t executions = 0, events = 0;
  std::vector<ReportedError> errors;
  std::optional<ReportedError> unsupported, cut_off;
};

// The result, or one sentence (without a file's name) that says why this is none. What else stands
// in the JSON is ignored: a later version may write more.
std::variant<ReportedResult, std::string> read_result(std::string_view json);

// "main", "thread 2 (writer)".
std::string thread_name(const ReportedError& error, std::uint64_t thread);

}  // namespace mazur
