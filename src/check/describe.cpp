#include "check/describe.h"

#include <cinttypes>
#include <cstdio>

#include "trace/fields.h"
#include "trace/operation_name.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

std::string thread_name(ThreadId thread) {
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

std::string describe_wait(const Machine& machine, const Pending& p) {
  std::string text = thread_name(p.thread) + " ";
  switch (p.op.kind) {
    case OpKind::kLock:
      text += "waits for mutex " + hex(p.op.object);
      break;
    case OpKind::kRdLock:
    case OpKind::kWrLock:
      text += "waits for rwlock " + hex(p.op.object);
      break;
    case OpKind::kSemWait:
      text += "waits for semaphore " + hex(p.op.object);
      break;
    case OpKind::kBarrierDepart:
      text += "waits at barrier " + hex(p.op.object);
      break;
    case OpKind::kCondWake:
      text += "waits on condition variable " + hex(p.op.object);
      break;
    case OpKind::kFutexWoken:
      text += "waits on futex " + hex(p.op.object);
      break;
    case OpKind::kOnceEnter:
      text += "waits for the initialisation at " + hex(p.op.object);
      break;
    case OpKind::kReceive:
      text += "waits for a message in mailbox " + hex(p.op.object);
      break;
    case OpKind::kJoin:
      text += "waits to join " + thread_name(child_of(p.op));
      break;
    case OpKind::kLoad:
    case OpKind::kRmw:
    case OpKind::kCas: {
      text += "spins until " + hex(p.op.object);
      if (reads_other_locations(p.op))
        for (const Location& other : wait_set(waits_for(p.op))) text += " or " + hex(other.object);
      text += " changes";
      break;
    }
    case OpKind::kNever:
      text += p.op.object != 0 ? "spins until " + hex(p.op.object) + " changes"
                               : "goes round in a loop for ever";
      break;
    default:
      text += "is blocked in " + std::string(operation_name(p.op.kind));
  }
  if (const ThreadId holder = machine.holder(p.op); holder != kNoThread)
    text += " held by " + (holder == p.thread ? "itself" : thread_name(holder));
  return text;
}

}  // namespace

Failure describe_deadlock(const Machine& machine, const Frontier& frontier) {
  Failure failure;
  bool spins = false;
  const auto is_spinning = [](const Pending& p) {
    return is_waiting_round(p.op) || p.op.kind == OpKind::kNever;
  };
  for (const Pending& p : frontier.threads()) spins |= is_spinning(p);
  failure.kind = spins ? FailureKind::kLivelock : FailureKind::kDeadlock;
  std::string text = spins ? "livelock: " : "deadlock: ";
  bool first = true;
  for (const Pending& p : frontier.threads()) {
    if (!first) text += "; ";
    if (failure.thread == kNoThread && (!spins || is_spinning(p))) {
      failure.thread = p.thread;
      failure.stack.push_back(p.pc);
    }
    first = false;
    text += describe_wait(machine, p);
  }
  failure.message = text;
  return failure;
}

std::string describe_divergence(const Event& now, const Event& then, std::size_t at) {
  return "the schedule did not replay: step " + std::to_string(at) + " of " +
         thread_name(now.thread) + " was " + std::string(operation_name(then.label.kind)) + " on " +
         hex(then.label.object) + " (read " + hex(then.label.read) + ", wrote " +
         hex(then.label.written) + ") and is now " + std::string(operation_name(now.label.kind)) +
         " on " + hex(now.label.object) + " (read " + hex(now.label.read) + ", wrote " +
         hex(now.label.written) + "): the program depends on something that is not controlled";
}

std::string describe_impossible(const Step& step, const Pending* pending, std::size_t at) {
  std::string text = "the trace does not fit the program: step " + std::to_string(at) + " runs " +
                     thread_name(step.thread);
  if (pending == nullptr) return text + ", which does not exist there";
  if (!pending->enabled)
    return text + ", which is blocked there (" + std::string(operation_name(pending->op.kind)) +
           ")";
  return text + " with an outcome that its operation does not have";
}

}  // namespace mazur
