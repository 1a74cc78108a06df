// mazur test: each case of a test program by itself.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"
#include "cli/result/deliver.h"
#include "cli/suite/case_filter.h"
#include "cli/suite/listing.h"
#include "cli/suite/suite_report.h"
#include "cli/suite/suite_run.h"
#include "cli/suite/test_options.h"
#include "report/findings/files.h"
#include "report/findings/names.h"
#include "report/machines/json.h"
#include "report/printable.h"

namespace mazur {
namespace {

using Clock = std::chrono::steady_clock;

const Framework* choose_framework(const TestOptions& options,
                                  const std::filesystem::path& program) {
  if (options.framework == "none") return nullptr;
  for (const Framework* framework : frameworks())
    if (options.framework == framework->option) return framework;
  const auto bytes = read_file(program);
  return bytes ? framework_of(*bytes) : nullptr;
}

// Variables with which GoogleTest leaves out tests or writes files: each process runs one case.
void forget_sharding() {
  for (const char* name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_SHARD_STATUS_FILE",
                           "GTEST_FILTER", "GTEST_OUTPUT", "GTEST_REPEAT"})
    unsetenv(name);
}

// Lines of cases, as they end; on a terminal also which one is under way.
class Screen {
 public:
  Screen(const TestOptions& options, std::FILE* people, const TextStyle& style)
      : quiet_(options.check.common.quiet),
        tells_begin_(!quiet_ && options.jobs == 1 && isatty(STDERR_FILENO) == 1),
        people_(people),
        style_(style) {}

  void begins(const TestCase& test) const {
    if (!tells_begin_) return;
    fmt::print(stderr, "\r\033[K[ RUN ]         {}", printable(test.name).substr(0, 60));
    std::fflush(stderr);
  }
  void ended(const CaseResult& found) const {
    if (quiet_) return;
    if (tells_begin_) std::fputs("\r\033[K", stderr);
    print(case_line(found, style_));
  }
  void print(const std::string& text) const {
    std::fputs(text.c_str(), people_);
    std::fflush(people_);
  }

 private:
  bool quiet_, tells_begin_;
  std::FILE* people_;
  const TextStyle& style_;
};

int list(const Suite& suite) {
  for (const TestCase& test : suite.cases)
    fmt::print("{}{}\n", printable(test.name),
               test.left_out.empty() ? "" : "  (left out: " + test.left_out + ")");
  return 0;
}

// The results as other reports have them. Cases that were not explored have only a reason.
std::vector<ReportedResult> reported_cases(const std::vector<CaseResult>& results,
                                           const std::string& program, bool with_output) {
  std::vector<ReportedResult> all;
  for (const CaseResult& found : results) {
    if (found.was_run()) {
      all.push_back(reported(json_report(found.result, with_output)));
    } else {
      all.push_back({.program = program, .reason = found.note, .verdict = Verdict::kIncomplete});
      all.back().left_out = true;
    }
    all.back().test = found.test.name;
  }
  return all;
}

}  // namespace

int test_command(const Arguments& arguments) {
  bool help = false;
  const TestOptions options = parse_test(arguments, help);
  if (help) {
    std::fputs(test_help().c_str(), stdout);
    return 0;
  }
  require_outputs(options.check.common, needed_files(options.check));
  forget_sharding();
  const Clock::time_point start = Clock::now();
  const Installation installation = find_installation();
  const Subject subject = make_subject(options.check, installation);
  const std::string name = subject.program.filename().string();
  Suite suite{.options = options,
              .subject = subject,
              .framework = choose_framework(options, subject.program),
              .cases = {{.name = name, .left_out = {}}}};
  if (suite.framework != nullptr)
    suite.cases =
        listed_cases(*suite.framework, subject.program, options.check.arguments, installation);
  suite.cases = wanted(suite.cases, options.filters, suite.framework);
  if (options.list) return list(suite);

  const CommonOptions& common = options.check.common;
  std::FILE* people = common.takes_stdout() ? stderr : stdout;
  const TextStyle style = text_style(common, fileno(people));
  const Screen screen(options, people, style);
  const std::string called = fmt::format(
      "{} ({})", name, suite.framework != nullptr ? suite.framework->name : "no test framework");
  const std::vector<CaseResult> results =
      run_suite(suite, installation,
                {.begins = [&](const TestCase& test) { screen.begins(test); },
                 .ended = [&](const CaseResult& found) { screen.ended(found); }});
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!common.quiet) {
    const std::string errors = suite_errors(results, style);
    screen.print(errors.empty() ? errors : errors + "\n");
  }
  screen.print(suite_summary(results, called, seconds, style));
  if (common.has_reports())
    write_reports(suite_json(results, suite, seconds),
                  reported_cases(results, named(options.check), common.output != Shown::kNone),
                  name, common, people);
  return exit_code(suite_verdict(results));
}

}  // namespace mazur
