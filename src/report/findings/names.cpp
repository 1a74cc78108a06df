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
  std::string_view name, heading, meaning;
};

KindWords words_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNone:
      return {"none", "No error", "Nothing went wrong."};
    case FailureKind::kAssertion:
      return {"assertion", "Assertion failed",
              "Under some schedule of its threads the program fails an assertion."};
    case FailureKind::kAbort:
      return {"abort", "Abort", "Under some schedule of its threads the program calls abort()."};
    case FailureKind::kCrash:
      return {
          "crash", "Crash",
          "Under some schedule of its threads the program is ended by a signal, such as SIGSEGV."};
    case FailureKind::kUncaughtException:
      return {"uncaught-exception", "Uncaught exception",
              "Under some schedule of its threads an exception is thrown that nobody catches."};
    case FailureKind::kDeadlock:
      return {"deadlock", "Deadlock",
              "Under some schedule no thread can go on: each waits for something that only another "
              "one can give."};
    case FailureKind::kLivelock:
      return {"livelock", "Livelock",
              "Under some schedule threads go round in loops for ever, and nobody can end that."};
    case FailureKind::kDataRace:
      return {"data-race", "Data race",
              "Two threads access the same memory, at least one of them writes, and nothing orders "
              "the two accesses. In C and C++ the behaviour is then undefined."};
    case FailureKind::kUseAfterFree:
      return {"use-after-free", "Use after free",
              "Under some schedule a thread accesses memory that has been freed, or that has ended "
              "with the thread that had it."};
    case FailureKind::kDoubleFree:
      return {"double-free", "Double free",
              "Under some schedule a block of memory is freed twice."};
    case FailureKind::kInvalidFree:
      return {"invalid-free", "Invalid free",
              "Under some schedule something is freed that no allocation has returned."};
    case FailureKind::kHeapOverflow:
      return {"heap-overflow", "Heap overflow",
              "Under some schedule a thread accesses memory beside a block of the heap."};
    case FailureKind::kLeak:
      return {"leak", "Leak",
              "At the end of some execution a block of the heap is left that nothing points to."};
    case FailureKind::kMisuse:
      return {"misuse", "Misuse of an object",
              "Under some schedule a mutex or another object that threads synchronise with is used "
              "as it must not be."};
    case FailureKind::kExitCode:
      return {"exit-code", "Exit code",
              "Under some schedule the program ends with an exit code that is not 0."};
    case FailureKind::kUninitialised:
      return {"uninitialised", "Uninitialised memory",
              "Under some schedule a thread follows a pointer that lay in memory which nobody has "
              "written."};
    case FailureKind::kUnsupported:
      return {"unsupported", "Not supported",
              "The program did something that is not controlled, so nothing is known about its "
              "schedules."};
    case FailureKind::kStepLimit:
      return {"step-limit", "Step limit",
              "A step of a thread took longer than --step-limit allows."};
  }
  return {"none", "No error", "Nothing went wrong."};
}

}  // namespace

std::string_view kind_name(FailureKind kind) { return words_of(kind).name; }
FailureKind find_kind(std::string_view name) {
  for (auto kind = FailureKind::kNone; kind <= FailureKind::kStepLimit;
       kind = static_cast<FailureKind>(static_cast<std::uint8_t>(kind) + 1))
    if (words_of(kind).name == name) return kind;
  return FailureKind::kNone;
}

std::string_view kind_heading(FailureKind kind) { return words_of(kind).heading; }
std::string_view kind_meaning(FailureKind kind) { return words_of(kind).meaning; }

std::string thread_name(ThreadId thread) {
  return thread == 0 ? "main" : fmt::format("thread {}", thread);
}

std::string hex(std::uint64_t value) { return fmt::format("{:#x}", value); }

}  // namespace mazur
