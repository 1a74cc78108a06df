// Explores the cases of a suite, each by itself and in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/build/installation.h"
#include "cli/subject/subject.h"
#include "cli/suite/framework.h"
#include "cli/suite/test_options.h"
#include "report/findings/finding.h"

namespace mazur {

enum class CaseStatus : unsigned char {
  kVerified,
  kOneRun,  // verified, and has no threads: there is one execution
  kBug,
  kBounded,     // a bound or a limit has cut it
  kIncomplete,  // it is no proof for another reason
  kUnsupported,
  kLeftOut,  // not for Mazur, or disabled
  kNotRun,   // the time for all cases was over, or somebody has interrupted
};

struct CaseResult {
  TestCase test;
  CaseStatus status = CaseStatus::kNotRun;
  std::string note;  // why it was left out or not run, or what else there is to say; or empty
  Result result;     // if it was run
  bool was_run() const { return status != CaseStatus::kLeftOut && status != CaseStatus::kNotRun; }
};

struct Suite {
  const TestOptions& options;
  const Subject& subject;
  const Framework* framework = nullptr;  // null: the program is one case, with its name
  std::vector<TestCase> cases;
};

// Called as cases begin and end, one call at a time.
struct SuiteWatcher {
  std::function<void(const TestCase&)> begins;
  std::function<void(const CaseResult&)> ended;
};

// The results in the order of the cases. The trace files of a case are written before it has ended.
// Ctrl-C ends the cases that are under way, and leaves the others.
std::vector<CaseResult> run_suite(const Suite& suite, const Installation& installation,
                                  const SuiteWatcher& watcher);

}  // namespace mazur
