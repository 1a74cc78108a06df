#include "report/machines/junit.h"

#include <fmt/format.h>

#include "report/findings/names.h"
#include "report/machines/story.h"
#include "report/printable.h"

namespace mazur {
namespace {

// A line between quotes. A line feed would be read as a space.
std::string attribute(std::string_view text) { return markup(printable(text)); }

std::string seconds(double value) { return fmt::format("{:.6f}", value); }

std::string failure(const ReportedResult& result) {
  std::string text;
  for (const ReportedError& error : result.errors)
    text += (text.empty() ? "" : "\n") + story(error);
  if (result.errors.empty())
    return fmt::format("    <failure type=\"bug\" message=\"{}\"/>\n",
                       attribute(verdict_sentence(result)));
  const ReportedError& first = result.errors.front();
  std::string message = headline(first);
  if (result.errors.size() > 1) message = verdict_sentence(result) + ", the first: " + message;
  return fmt::format("    <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                     attribute(first.kind), attribute(message), markup(text));
}

std::string outcome(const ReportedResult& result) {
  switch (result.verdict) {
    case Verdict::kVerified:
      return {};
    case Verdict::kBug:
      return failure(result);
    case Verdict::kIncomplete:
      return fmt::format("    <skipped message=\"{}\"/>\n", attribute(verdict_sentence(result)));
    case Verdict::kError:
    case Verdict::kUnsupported:
      break;
  }
  return fmt::format("    <error type=\"{}\" message=\"{}\">{}</error>\n",
                     verdict_name(result.verdict), attribute(verdict_sentence(result)),
                     result.unsupported ? markup(story(*result.unsupported)) : "");
}

// What the program printed in the failing executions.
std::string printed(const ReportedResult& result) {
  std::string text;
  for (const ReportedError& error : result.errors) text += printable_lines(error.output);
  if (result.unsupported) text += printable_lines(result.unsupported->output);
  return text.empty() ? "" : fmt::format("    <system-out>{}</system-out>\n", markup(text));
}

}  // namespace

std::string junit_report(std::span<const ReportedResult> results, std::string_view suite) {
  std::size_t failures = 0, errors = 0, skipped = 0;
  double time = 0;
  std::string cases;
  for (const ReportedResult& result : results) {
    failures += result.verdict == Verdict::kBug ? 1 : 0;
    skipped += result.verdict == Verdict::kIncomplete ? 1 : 0;
    errors += result.verdict == Verdict::kError || result.verdict == Verdict::kUnsupported ? 1 : 0;
    time += result.seconds;
    const std::string inside = outcome(result) + printed(result);
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{}\"", attribute(suite),
                         markup(case_name(result)), seconds(result.seconds));
    cases += inside.empty() ? "/>\n" : ">\n" + inside + "  </testcase>\n";
  }
  const std::string counts = fmt::format(
      "name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
      attribute(suite), results.size(), failures, errors, skipped, seconds(time));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n <testsuite {0}>\n{1}"
      " </testsuite>\n</testsuites>\n",
      counts, cases);
}

}  // namespace mazur
