#include "report/machines/story.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/findings/names.h"
#include "report/printable.h"

namespace mazur {
namespace {

std::string at(const ReportedPlace& place) {
  return place.line != 0 ? fmt::format("{}:{}", printable(place.file), place.line)
                         : printable(place.function);
}

// Where a reader begins to look: the innermost frame in the program's own code.
const ReportedPlace* innermost(const ReportedStack& stack) {
  for (const ReportedPlace& frame : stack.frames)
    if (frame.user && frame.line != 0) return &frame;
  return stack.frames.empty() ? nullptr : &stack.frames.front();
}

std::string stack_lines(const ReportedStack& stack) {
  const bool any = std::any_of(stack.frames.begin(), stack.frames.end(),
                               [](const ReportedPlace& frame) { return frame.user; });
  std::string text;
  for (const ReportedPlace& frame : stack.frames) {
    if (any && !frame.user) continue;
    text += fmt::format("  at {}", printable(frame.function));
    if (frame.line != 0) text += fmt::format(" ({}:{})", printable(frame.file), frame.line);
    text += "\n";
  }
  return text;
}

std::string event_line(const ReportedError& error, const ReportedEvent& event) {
  std::string text =
      fmt::format("{:>7}{}  {}: {}", event.step, event.preempts ? "*" : " ",
                  printable(thread_name(error, event.thread)),
                  printable(event.old_value.empty() ? event.operation : event.old_value));
  if (event.place.line != 0) text += "  (" + at(event.place) + ")";
  return text + "\n";
}

std::string schedule(const ReportedError& error) {
  if (error.events.empty()) return {};
  std::string text = fmt::format("\nThe schedule: {} step{}, {} preemption{}\n", error.steps,
                                 error.steps == 1 ? "" : "s", error.preemptions,
                                 error.preemptions == 1 ? "" : "s");
  bool preempts = false;
  for (const ReportedEvent& event : error.events) {
    if (!event.matters) continue;
    text += event_line(error, event);
    preempts = preempts || event.preempts;
  }
  if (preempts) text += "  * another thread goes on here, although the one that ran could have\n";
  return text;
}

}  // namespace

std::string case_name(const ReportedResult& result) {
  if (!result.test.empty()) return printable(result.test);
  std::string name = result.program.empty() ? "program" : result.program;
  for (const std::string& argument : result.arguments) name += " " + argument;
  if (!result.memory_model.empty() && result.memory_model != "sc")
    name += " (" + result.memory_model + ")";
  return printable(name);
}

std::string heading(const ReportedError& error) {
  const FailureKind kind = find_kind(error.kind);
  return kind == FailureKind::kNone ? printable(error.kind) : std::string(kind_heading(kind));
}

std::string headline(const ReportedError& error) {
  std::string text = heading(error);
  if (const std::string place = at(error.place); !place.empty()) text += " at " + place;
  return text;
}

std::string side_name(const ReportedError& error, const ReportedStack& stack) {
  std::string what = printable(stack.what);
  if (!stack.thread) return what;
  const std::string name = printable(thread_name(error, *stack.thread));
  return what.empty() ? name : name + ": " + what;
}

std::string sides(const ReportedError& error) {
  std::string text;
  for (const ReportedStack& stack : error.stacks) {
    const std::string name = side_name(error, stack);
    const ReportedPlace* place = innermost(stack);
    if (name.empty() || place == nullptr) continue;
    text += fmt::format("{}{} ({})", text.empty() ? "" : "\n", name, at(*place));
  }
  return text;
}

std::string story(const ReportedError& error) {
  std::string text = headline(error);
  if (error.count > 1) text += fmt::format(" (seen {} times)", error.count);
  text += "\n" + printable_lines(error.message) + "\n";
  if (!error.place.text.empty()) text += "    " + printable(error.place.text) + "\n";
  if (!error.hint.empty()) text += "hint: " + printable_lines(error.hint) + "\n";
  for (const ReportedStack& stack : error.stacks) {
    const std::string name = side_name(error, stack);
    text += "\n" + (name.empty() ? "" : name + "\n") + stack_lines(stack);
  }
  text += schedule(error);
  if (!error.trace.empty()) text += "\nSee it again: mazur replay " + printable(error.trace) + "\n";
  return text;
}

std::string verdict_sentence(const ReportedResult& result) {
  if (result.left_out) return printable(result.reason);
  const std::string reason = printable_lines(result.reason);
  switch (result.verdict) {
    case Verdict::kVerified:
      return "verified: no error found";
    case Verdict::kBug:
      return result.errors.size() == 1
                 ? "1 error found"
                 : fmt::format("{} different errors found", result.errors.size());
    case Verdict::kIncomplete:
      return "incomplete: no error found, but " +
             (reason.empty() ? "not every trace was explored" : reason);
    case Verdict::kError:
    case Verdict::kUnsupported:
      break;
  }
  return fmt::format("{}: {}", verdict_name(result.verdict), reason);
}

}  // namespace mazur
