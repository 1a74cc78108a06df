// What can go wrong in an execution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/label.h"
#include "trace/message.h"

namespace mazur {

enum class FailureKind : std::uint8_t {
  kNone,
  kAssertion,
  kAbort,
  kCrash,
  kUncaughtException,
  kDeadlock,
  kLivelock,
  kDataRace,
  kUseAfterFree,
  kDoubleFree,
  kInvalidFree,
  kHeapOverflow,
  kLeak,
  kMisuse,
  kExitCode,
  kUninitialised,  // used as a pointer: memory that nobody has written
  // These are no errors of the program.
  kUnsupported,  // it did something the machine does not control
  kStepLimit,    // a step took longer than it may
};

// Whether nothing can be run after it.
constexpr bool ends_exploration(FailureKind kind) {
  return kind == FailureKind::kUnsupported || kind == FailureKind::kStepLimit;
}

// Another thread's part in an error: the earlier access of a race, the free of memory that is used.
struct OtherSide {
  ThreadId thread = kNoThread;  // kNoThread: there is no other side
  std::string what;             // "write of 4 bytes", "free"
  std::vector<std::uint64_t> stack;
  std::vector<ObjectId> locks;  // what it held
};

struct Failure {
  FailureKind kind = FailureKind::kNone;
  ThreadId thread = kNoThread;
  Message message;
  std::vector<std::uint64_t> stack;  // program counters, innermost first
  std::vector<ObjectId> locks;       // what the thread held; noted for races only
  OtherSide other;
};

}  // namespace mazur
