#include "cli/suite/suite_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "cli/result/deliver.h"
#include "cli/result/findings.h"
#include "cli/run/interrupts.h"
#include "cli/run/program_run.h"
#include "cli/subject/trace_output.h"
#include "cli/usage.h"

namespace mazur {
namespace {

using Clock = std::chrono::steady_clock;

CaseStatus status_of(const Result& result, bool has_threads) {
  switch (result.verdict) {
    case Verdict::kVerified:
      return !has_threads && result.tally.total() == 1 ? CaseStatus::kOneRun
                                                       : CaseStatus::kVerified;
    case Verdict::kBug:
      return CaseStatus::kBug;
    case Verdict::kIncomplete:
      return result.cuts.empty() ? CaseStatus::kIncomplete : CaseStatus::kBounded;
    default:
      return CaseStatus::kUnsupported;
  }
}

// Whether it has stopped where a death test starts a process.
bool is_death_test(const Result& result) {
  if (result.verdict != Verdict::kUnsupported) return false;
  return std::ranges::any_of(result.findings, [](const Finding& finding) {
    const std::vector<Frame> stack = finding.places.stack(finding.record.stack, /*all=*/true);
    return std::ranges::any_of(stack, [](const Frame& frame) {
      return frame.function.find("DeathTest::AssumeRole") != std::string::npos;
    });
  });
}

// Whether Catch2 says that what it was asked for is no case: the program prints other lines among its
// list.
bool is_no_case(const Result& result) {
  return std::ranges::any_of(result.findings, [](const Finding& finding) {
    return finding.record.kind == FailureKind::kExitCode &&
           finding.record.output.find("No test cases matched '") != std::string::npos;
  });
}

// Whether the first error may be none for the framework: a check that was allowed to fail, or one
// whose failure the test looks for (EXPECT_NONFATAL_FAILURE), which nobody has printed.
bool may_be_allowed(const Result& result, const Framework& framework) {
  if (result.verdict != Verdict::kBug || result.findings.empty()) return false;
  const Record& record = result.findings.front().record;
  return (record.kind == FailureKind::kCrash && record.message.text.starts_with("SIGTRAP")) ||
         (record.kind == FailureKind::kAssertion && framework.allows_failures);
}

// What a file may be called: "Queue.push_2" of "Queue.push/2". No two cases have the same.
std::string file_name_of(const std::string& name, std::set<std::string>& taken) {
  constexpr std::size_t kLongest = 100;
  std::string plain;
  for (const char c : name.substr(0, kLongest)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    plain += is_plain ? c : '_';
  }
  std::string unique = plain;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", plain, n);
  return unique;
}

class SuiteRun {
 public:
  SuiteRun(const Suite& suite, const Installation& installation, const SuiteWatcher& watcher);
  std::vector<CaseResult> run();

 private:
  void work();
  CaseResult explore(std::size_t n) const;
  struct Explored {
    CheckOptions options;
    std::vector<std::string> arguments;
    Result result;
    bool has_threads = false;
  };
  Explored explore_once(const TestCase& test, bool stops) const;
  ProgramEnd run_case(const CheckOptions& options, const std::vector<std::string>& arguments) const;
  std::string why_not_run() const;
  double left() const;

  const Suite& suite_;
  const Installation& installation_;
  const SuiteWatcher& watcher_;
  const Clock::time_point start_ = Clock::now();
  std::vector<std::string> files_;  // what the trace files of each case are called
  std::mutex mutex_;                // guards what follows
  std::size_t next_ = 0;
  std::vector<CaseResult> results_;
  std::exception_ptr failure_;
};

SuiteRun::SuiteRun(const Suite& suite, const Installation& installation,
                   const SuiteWatcher& watcher)
    : suite_(suite), installation_(installation), watcher_(watcher) {
  const std::string prefix = trace_prefix(suite.options.check, suite.subject);
  std::set<std::string> taken;
  for (const TestCase& test : suite.cases) {
    const std::string name = file_name_of(test.name, taken);
    files_.push_back(suite.framework == nullptr ? prefix : fmt::format("{}-{}", prefix, name));
    results_.push_back({.test = test, .note = {}, .result = {}});
  }
}

// Seconds until the time for all cases is over; 0: there is no such limit.
double SuiteRun::left() const {
  const double limit = suite_.options.total_time_limit;
  if (limit <= 0) return 0;
  return std::max(limit - std::chrono::duration<double>(Clock::now() - start_).count(), 1e-9);
}

std::string SuiteRun::why_not_run() const {
  if (interrupts() > 0) return "it was interrupted";
  const double limit = suite_.options.total_time_limit;
  return limit > 0 && left() <= 1e-9 ? "--total-time-limit was reached" : "";
}

// `options.request` as it is for this case.
ProgramEnd SuiteRun::run_case(const CheckOptions& options,
                              const std::vector<std::string>& arguments) const {
  ProgramRun run{.program = suite_.subject.program,
                 .arguments = arguments,
                 .directory = {},
                 .request = options.request,
                 .replay = {},
                 .output_to_stderr = options.common.takes_stdout(),
                 .progress = suite_.options.jobs == 1 ? progress_of(options) : Progress::kNone,
                 .trust = options.trust};
  run.request.list_modules = 1;
  return run_program(run, installation_);
}

// Explores a case, with the arguments that it was run with; its result has no trace files yet.
SuiteRun::Explored SuiteRun::explore_once(const TestCase& test, bool stops) const {
  Explored once{.options = suite_.options.check, .arguments = {}, .result = {}};
  once.options.request.failed_checks = stops ? 1 : 0;
  once.arguments = once.options.arguments;
  if (suite_.framework != nullptr)
    once.arguments = with_words(once.arguments, suite_.framework->selection(test, stops));
  double& limit = once.options.request.bounds.time_limit;
  const double all = left();
  const bool all_decides = all > 0 && (limit <= 0 || all < limit);
  if (all_decides) limit = all;
  ProgramEnd end = run_case(once.options, once.arguments);
  once.has_threads = end.has_threads;
  once.result = complete_result(end, once.options.request);
  name_subject(once.result, named(once.options), once.arguments);
  constexpr std::string_view kLimit = "--time-limit";
  if (const std::size_t at = once.result.reason.find(kLimit);
      all_decides && at != std::string::npos)
    once.result.reason.replace(at, kLimit.size(), "--total-time-limit");
  return once;
}

// A case whose process does not start is no reason to lose the others.
CaseResult SuiteRun::explore(std::size_t n) const try {
  const Framework* framework = suite_.framework;
  CaseResult found{.test = suite_.cases[n], .note = {}, .result = {}};
  Explored last = explore_once(found.test, framework != nullptr);
  if (framework != nullptr && may_be_allowed(last.result, *framework)) {
    Explored without = explore_once(found.test, /*stops=*/false);
    // The first one has the place of the check.
    const bool is_check = last.result.findings.front().record.kind == FailureKind::kAssertion;
    if (!is_check || without.result.verdict != Verdict::kBug) last = std::move(without);
    if (last.result.verdict != Verdict::kBug) found.note = "a check failed, as the test allows";
  }
  found.status = status_of(last.result, last.has_threads);
  if (framework != nullptr && (is_death_test(last.result) || is_no_case(last.result))) {
    found.status = CaseStatus::kLeftOut;
    found.note = is_no_case(last.result) ? "no case, but a line that the program prints"
                                         : "a death test: it starts processes";
  } else if (last.options.write_traces && !last.result.findings.empty()) {
    write_traces(last.result, last.options, suite_.subject, last.arguments, files_[n]);
  }
  found.result = std::move(last.result);
  return found;
} catch (const UsageError& error) {
  CaseResult found{
      .test = suite_.cases[n], .status = CaseStatus::kUnsupported, .note = {}, .result = {}};
  found.result.verdict = Verdict::kUnsupported;
  found.result.reason = error.what();
  return found;
}

void SuiteRun::work() {
  std::unique_lock lock(mutex_);
  while (next_ < results_.size() && failure_ == nullptr) {
    const std::size_t n = next_++;
    CaseResult& result = results_[n];
    if (!result.test.left_out.empty()) {
      result.status = CaseStatus::kLeftOut;
      result.note = result.test.left_out;
    } else if (std::string why = why_not_run(); !why.empty()) {
      result.note = std::move(why);
    } else {
      watcher_.begins(result.test);
      lock.unlock();
      try {
        CaseResult found = explore(n);
        lock.lock();
        result = std::move(found);
      } catch (...) {
        lock.lock();
        failure_ = std::current_exception();
        return;
      }
    }
    watcher_.ended(result);
  }
}

std::vector<CaseResult> SuiteRun::run() {
  const InterruptGuard guard;
  {
    const std::size_t workers = std::min<std::size_t>(suite_.options.jobs, results_.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers; ++i) threads.emplace_back([this] { work(); });
    work();
  }
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  return std::move(results_);
}

}  // namespace

std::vector<CaseResult> run_suite(const Suite& suite, const Installation& installation,
                                  const SuiteWatcher& watcher) {
  return SuiteRun(suite, installation, watcher).run();
}

}  // namespace mazur
