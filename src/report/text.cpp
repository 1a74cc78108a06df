#include "report/text.h"

#include <fmt/format.h>

#include <cmath>

#include "report/findings/names.h"
#include "report/findings/relevant.h"
#include "report/module_lines.h"
#include "report/orders/order_advice.h"
#include "report/orders/weakening_table.h"
#include "report/printable.h"
#include "report/remarks.h"
#include "report/schedule_table.h"
#include "report/waiting.h"
#include "report/words.h"

namespace mazur {
namespace {

std::string bold(const std::string& text, const TextStyle& style) {
  return style.color ? fmt::format("\033[1m{}\033[0m", text) : text;
}

std::string colored(const std::string& text, int code, const TextStyle& style) {
  return style.color ? fmt::format("\033[1;{}m{}\033[0m", code, text) : text;
}

constexpr int kRed = 31, kGreen = 32, kYellow = 33;

std::string place(const Frame& frame) {
  return frame.line != 0 ? fmt::format("{}:{}", frame.file, frame.line) : frame.function;
}

std::string stack_lines(const std::vector<std::uint64_t>& pcs, const Places& places,
                        const TextStyle& style, std::string_view indent) {
  std::string text;
  for (const Frame& frame : places.stack(pcs, style.verbose)) {
    text += fmt::format("{}at {}", indent, frame.function);
    if (frame.line != 0) text += fmt::format(" ({}:{})", frame.file, frame.line);
    text += "\n";
    if (!frame.text.empty()) text += fmt::format("{}     {}\n", indent, frame.text);
  }
  return text;
}

// Where the threads are that did not fail, and what they hold.
std::string other_threads(const Finding& finding, const TextStyle& style) {
  const Record& record = finding.record;
  const auto held = held_at_end(record);
  std::string text;
  for (const ThreadState& thread : record.threads) {
    if (thread.ended || thread.thread == record.thread) continue;
    const auto locks = held.find(thread.thread);
    const std::string at = place(finding.places.where(thread.stack));
    text += fmt::format("  {} {}{}{}\n", bold(thread_name(record, thread.thread), style),
                        thread.enabled
                            ? "goes on with: " + describe_operation(thread.op, finding.places)
                            : waiting(thread, finding),
                        at.empty() ? "" : " (" + at + ")",
                        locks == held.end() ? "" : holding(locks->second, finding.places));
  }
  return text;
}

std::string deadlock_lines(const Finding& finding, const TextStyle& style) {
  const auto held = held_at_end(finding.record);
  std::string text;
  for (const ThreadState& thread : finding.record.threads) {
    if (thread.ended || thread.enabled) continue;
    const auto locks = held.find(thread.thread);
    text += fmt::format("  {} {}{}\n", bold(thread_name(finding.record, thread.thread), style),
                        waiting(thread, finding),
                        locks == held.end() ? "" : holding(locks->second, finding.places));
    text += stack_lines(thread.stack, finding.places, style, "    ");
  }
  return text;
}

std::string indented(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    result += fmt::format("  | {}\n", text.substr(at, end - at));
    at = end + 1;
  }
  return result;
}

// Both sides of a race, or the free of memory that is used, each with its stack.
std::string sides(const Finding& finding, const TextStyle& style) {
  const Record& record = finding.record;
  const OtherSide& other = record.other;
  const std::string indent = "    ";
  return fmt::format("  {}{}\n{}  {}: earlier {}{}\n{}",
                     bold(thread_name(record, record.thread), style),
                     holding(record.locks, finding.places),
                     stack_lines(record.stack, finding.places, style, indent),
                     bold(thread_name(record, other.thread), style), other.what,
                     holding(other.locks, finding.places),
                     stack_lines(other.stack, finding.places, style, indent));
}

// What was shown, if nothing was found: some algorithms leave out traces that others run.
std::string_view proof(const Result& result) {
  if (result.only_states) return "every final state was reached";
  if (result.memory != MemoryModel::kSc) return "every execution graph was explored";
  if (result.algorithm == "observers")
    return "every trace was explored, up to orders that nothing observes";
  return "every trace was explored";
}

// What the proof says nothing about, if the program has it.
std::string about_wakeups(const Result& result) {
  if (!result.has_unexplored_wakeups) return {};
  if (result.spurious_wakeups == 0) return ", without spurious wake-ups";
  return fmt::format(", with at most {} spurious wake-up{} in a thread", result.spurious_wakeups,
                     result.spurious_wakeups == 1 ? "" : "s");
}

// The memory model, and what it leaves out.
std::string model(const Result& result) {
  if (result.memory == MemoryModel::kSc) return "sequential consistency";
  return fmt::format(
      "{} without load buffering{}", memory_name(result.memory),
      result.has_sequential_objects ? ", with sequentially consistent mailboxes and tables" : "");
}

std::string verdict_line(const Result& result, const TextStyle& style) {
  switch (result.verdict) {
    case Verdict::kVerified:
      return fmt::format("{} under {}{}: {}, no error found", colored("verified", kGreen, style),
                         model(result), about_wakeups(result), proof(result));
    case Verdict::kBug: {
      std::size_t errors = 0;
      for (const Finding& finding : result.findings)
        if (!ends_exploration(finding.record.kind)) ++errors;
      return colored("bug", kRed, style) +
             (errors == 1 ? ": 1 error found" : fmt::format(": {} different errors found", errors));
    }
    case Verdict::kError:
      return colored("error", kRed, style) + ": " + printable_lines(result.reason);
    case Verdict::kIncomplete:
      return colored("incomplete", kYellow, style) + ": no error found, but " +
             (result.reason.empty() ? "not every trace was explored"
                                    : printable_lines(result.reason));
    case Verdict::kUnsupported:
      return colored("unsupported", kYellow, style) + ": " + printable_lines(result.reason);
  }
  return {};
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string text_finding(const Finding& raw, const TextStyle& style) {
  const Finding finding = printable(raw);
  const Record& record = finding.record;
  const Frame where = finding.places.where(record.stack);
  std::string text = colored(std::string(kind_heading(record.kind)), kRed, style);
  if (record.thread != kNoThread && !is_standstill(record))
    text += " in " + thread_name(record, record.thread);
  if (const std::string at = place(where); !at.empty() && !is_standstill(record))
    text += " at " + bold(at, style);
  if (record.execution != 0)
    text += fmt::format(", execution {}{}", with_commas(record.execution),
                        record.by_portfolio ? " of the portfolio" : "");
  if (record.count > 1) text += fmt::format(" (seen {} times)", with_commas(record.count));
  text += "\n";
  if (is_standstill(record) && !record.threads.empty()) {
    text += deadlock_lines(finding, style);
  } else {
    if (!record.message.text.empty()) text += indented(named_message(record, finding.places));
    text += record.other.thread != kNoThread
                ? sides(finding, style)
                : stack_lines(record.stack, finding.places, style, "  ");
  }
  if (!finding.hint.empty())
    text += "  " + colored("hint", kYellow, style) + ": " + finding.hint + "\n";
  if (const std::string table = schedule_table(finding, style); !table.empty())
    text +=
        "\n" + bold(schedule_heading(record), style) + "\n" + table + order_advice(finding, style);
  if (!is_standstill(record)) {
    if (const std::string others = other_threads(finding, style); !others.empty())
      text += "\n" + bold("Where the other threads are", style) + "\n" + others;
  }
  if (style.output && !record.output.empty())
    text += "\n" + bold("What the program printed", style) + "\n" + indented(record.output);
  if (!finding.trace.empty())
    text += fmt::format("\n{0}  {1} replay {2}\n{3:>{4}}{1} replay {2} --gdb\n",
                        bold("See it again:", style), style.command, finding.trace, "", 15);
  return text;
}

std::string text_report(const Result& result, const TextStyle& style) {
  std::string text;
  if (style.findings)
    for (const Finding& finding : result.findings) text += text_finding(finding, style) + "\n";
  text += verdict_line(result, style) + "\n" + weak_remark(result);
  if (const auto names = trusted(result.modules); !names.empty())
    text += fmt::format("trusting {}: what threads may share through it was not seen (--trust)\n",
                        fmt::join(names, ", "));
  const Tally& tally = result.tally;
  if (tally.total() > 0) {
    text +=
        fmt::format("{} execution{}", with_commas(tally.total()), tally.total() == 1 ? "" : "s");
    std::string kinds = fmt::format("{} complete", with_commas(tally.complete));
    if (tally.blocked > 0) kinds += fmt::format(", {} blocked", with_commas(tally.blocked));
    if (tally.assume_blocked > 0)
      kinds += fmt::format(", {} assume-blocked", with_commas(tally.assume_blocked));
    if (tally.bounded > 0) kinds += fmt::format(", {} bounded", with_commas(tally.bounded));
    text += fmt::format(" ({}), {} events, {}", kinds, with_commas(tally.events),
                        duration(result.seconds));
    const std::uint64_t all = tally.total() + result.portfolio.total();
    if (all >= 100 && result.seconds > 0)
      text += fmt::format(", {}/s", with_commas(static_cast<std::uint64_t>(
                                        std::llround(static_cast<double>(all) / result.seconds))));
    if (!result.algorithm.empty()) text += fmt::format(", algorithm {}", result.algorithm);
    if (result.memory != MemoryModel::kSc)
      text += fmt::format(", memory model {}", memory_name(result.memory));
    text += "\n";
  }
  if (const Tally& portfolio = result.portfolio; portfolio.total() > 0)
    text += fmt::format(
        "the portfolio: {} execution{} more, {} events, by random, pct and delay-bounded walks\n",
        with_commas(portfolio.total()), portfolio.total() == 1 ? "" : "s",
        with_commas(portfolio.events));
  if (result.verdict == Verdict::kBug && !result.cuts.empty())
    text += "not everything was explored: " + reason(result.cuts) + "\n";
  text += estimate_remark(result) + no_end_remark(result) + cut_loops_remark(result);
  text += printable_lines(result.statistics);
  if (!result.svcomp.empty()) text += "SV-COMP: " + result.svcomp + "\n";
  text += weakening_table(result, style);
  return text;
}

}  // namespace mazur
