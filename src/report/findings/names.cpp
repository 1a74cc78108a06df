#include "report/findings/names.h"

#include <fmt/format.h>

namespace mazur {

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kVerified:
      return "verified";
    case Verdict::kBug:
      return "bug";
    case Verdict::kError:
      return "error";
    case Verdict::kIncomplete:
      return "incomplete";
    case Verdict::kUnsupported:
      return "unsupported";
  }
  return "error";
}

int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kVerified:
      return 0;
    case Verdict::kBug:
      return 1;
    case Verdict::kError:
      return 2;
    case Verdict::kIncomplete:
      return 3;
    case Verdict::kUnsupported:
      return 4;
  }
  return 2;
}

namespace {

struct KindWords {
  std::string_view name, heading;
};

KindWords words_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNone:
      return {"none", "No error"};
    case FailureKind::kAssertion:
      return {"assertion", "Assertion failed"};
    case FailureKind::kAbort:
      return {"abort", "Abort"};
    case FailureKind::kCrash:
      return {"crash", "Crash"};
    case FailureKind::kUncaughtException:
      return {"uncaught-exception", "Uncaught exception"};
    case FailureKind::kDeadlock:
      return {"deadlock", "Deadlock"};
    case FailureKind::kLivelock:
      return {"livelock", "Livelock"};
    case FailureKind::kDataRace:
      return {"data-race", "Data race"};
    case FailureKind::kUseAfterFree:
      return {"use-after-free", "Use after free"};
    case FailureKind::kDoubleFree:
      return {"double-free", "Double free"};
    case FailureKind::kInvalidFree:
      return {"invalid-free", "Invalid free"};
    case FailureKind::kHeapOverflow:
      return {"heap-overflow", "Heap overflow"};
    case FailureKind::kLeak:
      return {"leak", "Leak"};
    case FailureKind::kMisuse:
      return {"misuse", "Misuse of an object"};
    case FailureKind::kExitCode:
      return {"exit-code", "Exit code"};
    case FailureKind::kUninitialised:
      return {"uninitialised", "Uninitialised memory"};
    case FailureKind::kUnsupported:
      return {"unsupported", "Not supported"};
    case FailureKind::kStepLimit:
      return {"step-limit", "Step limit"};
  }
  return {"none", "No error"};
}

}  // namespace

std::string_view kind_name(FailureKind kind) { return words_of(kind).name; }
std::string_view kind_heading(FailureKind kind) { return words_of(kind).heading; }

std::string thread_name(ThreadId thread) {
  return thread == 0 ? "main" : fmt::format("thread {}", thread);
}

std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

}  // namespace mazur
