#include "report/remarks.h"

#include <fmt/format.h>

#include "report/text.h"
#include "report/words.h"

namespace mazur {
namespace {

std::string place(const Frame& frame) {
  return frame.line != 0 ? fmt::format("{}:{}", frame.file, frame.line) : frame.function;
}

// A line about a loop, after the one that names it.
std::string reason_line(const Result::LoopReason& reason) {
  const std::string what = describe_reason(reason);
  if (what.empty()) return {};
  const std::string at = place(reason.where);
  return fmt::format("  that loop is not taken for one that waits: {}{}{}\n", what,
                     at.empty() ? "" : " at " + at,
                     reason.where.text.empty() ? "" : ": " + reason.where.text);
}

}  // namespace

std::string describe_reason(const Result::LoopReason& reason) {
  switch (reason.what) {
    case LoopObstacle::kOperation:
      return fmt::format("in each round, '{}'", reason.operation);
    case LoopObstacle::kWrite:
      return "each round writes to memory";
    case LoopObstacle::kAllocation:
      return "each round allocates or frees memory";
    case LoopObstacle::kClock:
      return "each round looks at a clock";
    case LoopObstacle::kRandom:
      return "each round draws a random number";
    case LoopObstacle::kChange:
      return "each round changes memory, after what it does";
    case LoopObstacle::kCounter:
      return "a register or a local variable is another one after each round";
    case LoopObstacle::kReads:
      return "a round has too many operations";
    case LoopObstacle::kDeepStack:
      return "its stack is too deep to be compared";
    case LoopObstacle::kHolds:
      return "a round does not give back what it took, or gives away more";
    case LoopObstacle::kSeen:
      return "others try the locks that each round takes";
    case LoopObstacle::kShownLocals:
      return "each round writes to local variables of which others know, and gives back a lock";
    case LoopObstacle::kNone:
      break;
  }
  return {};
}

std::string weak_remark(const Result& result) {
  if (result.weak_operations == 0) return {};
  const std::string at = place(result.first_weak);
  const bool one = result.weak_operations == 1;
  return fmt::format(
      "{} operation{} weaker than seq_cst raced with others ({}{}): processors and compilers may "
      "reorder {}, and this {} says nothing about that\n",
      with_commas(result.weak_operations), one ? "" : "s",
      one ? "" : "the first: ", at.empty() ? "at an unknown place" : at, one ? "it" : "them",
      result.verdict == Verdict::kVerified ? "proof" : "result");
}

std::string estimate_remark(const Result& result) {
  const Explored& explored = result.explored;
  if (result.verdict != Verdict::kIncomplete || !explored.known() || explored.at_least >= 1)
    return {};
  if (explored.at_least <= 0)
    return fmt::format("{} explored, it seems; all of it would take {}\n",
                       at_most_percent(explored.at_most),
                       at_least_duration(result.seconds / explored.at_most));
  return fmt::format("{} explored, it seems; all of it would take {}\n",
                     range(percent(explored.at_least), percent(explored.at_most)),
                     range(duration(result.seconds / explored.at_most),
                           duration(result.seconds / explored.at_least)));
}

std::string no_end_remark(const Result& result) {
  const Tally& tally = result.tally;
  if (result.verdict != Verdict::kIncomplete) return {};
  if (tally.complete > 0 && result.busiest.times > 0) {
    const std::string at = place(result.busiest.where);
    return fmt::format("an execution was cut after {} steps, {} of them at {}{}\n{}",
                       with_commas(result.busiest.steps), with_commas(result.busiest.times),
                       at.empty() ? "one place" : at,
                       result.busiest.where.text.empty() ? "" : ": " + result.busiest.where.text,
                       reason_line(result.busiest.reason));
  }
  if (tally.complete > 0) return {};
  if (tally.total() > 0 && tally.assume_blocked == tally.total())
    return "every execution was stopped by a failed assume: perhaps it cannot hold\n";
  if (tally.total() > 0 && tally.blocked == tally.total())
    return "every execution turned out to be redundant: --algorithm=optimal starts no such ones\n";
  if (result.busiest.times == 0) return {};
  const std::string at = place(result.busiest.where);
  return fmt::format(
      "no execution ran to its end: of the {} steps of the last one {} were at {}{}. If that is a "
      "loop, try fewer rounds in the test, or a bound: --unroll=N for its rounds, --max-steps=N "
      "for "
      "whole executions\n{}",
      with_commas(result.busiest.steps), with_commas(result.busiest.times),
      at.empty() ? "one place" : at,
      result.busiest.where.text.empty() ? "" : " (" + result.busiest.where.text + ")",
      reason_line(result.busiest.reason));
}

std::string cut_loops_remark(const Result& result) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < result.cut_loops.size() && i < kShown; ++i) {
    const Result::CutLoop& loop = result.cut_loops[i];
    const std::string at = place(loop.where);
    text += fmt::format(
        "cut after {} round{}: the loop at {}, {} time{}{}\n", with_commas(loop.rounds),
        loop.rounds == 1 ? "" : "s", at.empty() ? "an unknown place" : at, with_commas(loop.times),
        loop.times == 1 ? "" : "s", loop.where.text.empty() ? "" : ": " + loop.where.text);
    text += reason_line(loop.reason);
  }
  if (result.cut_loops.size() > kShown)
    text += fmt::format("and {} loops more\n", result.cut_loops.size() - kShown);
  for (const std::string& line : result.unmet_loop_lines)
    text += fmt::format(
        "no thread was seen at {}: --unroll cut nothing there. Name a line with a visible "
        "operation "
        "of the loop, or a call of one\n",
        line);
  return text;
}

}  // namespace mazur
