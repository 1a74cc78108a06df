#include "check/describe.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/blocking/lock_round.h"
#include "trace/blocking/look.h"
#include "trace/fields.h"
#include "trace/operation_name.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

std::string thread_name(ThreadId thread) {
  return thread == 0 ? "main" : "thread " + std::to_string(thread);
}

Message describe_wait(const Machine& machine, const Pending& p) {
  Message text = thread_name(p.thread) + " ";
  const auto says = [&](std::string_view what) {
    text += what;
    text.mention(p.op.object);
  };
  const auto says_spins = [&] {
    std::vector<ObjectId> objects{p.op.object};
    if (reads_other_locations(p.op))
      for (const Location& other : wait_set(waits_for(p.op))) objects.push_back(other.object);
    std::ranges::sort(objects);  // not as some execution before this one has met them
    std::string_view separator = "spins until ";
    for (const ObjectId object : objects) {
      text += std::exchange(separator, " or ");
      text.mention(object);
    }
    text += " changes";
  };
  switch (p.op.kind) {
    case OpKind::kOnceEnter:
      says("waits for the initialisation at ");
      break;
    case OpKind::kReceive:
      says("waits for a message in mailbox ");
      break;
    case OpKind::kJoin:
      text += "waits to join " + thread_name(child_of(p.op));
      break;
    case OpKind::kLoad:
    case OpKind::kRmw:
    case OpKind::kCas:
      says_spins();
      break;
    case OpKind::kNever:
      if (p.op.object == 0) {
        text += "goes round in a loop for ever";
      } else if (is_in_vain(p.op) && p.op.size == 0) {
        says("goes round in a loop for ever, with ");
      } else {
        says_spins();
      }
      break;
    default:
      if (const std::string_view waits = waits_for_object(p.op.kind); !waits.empty())
        says(waits);
      else
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
    return is_waiting_round(p.op) || is_look(p.op) || p.op.kind == OpKind::kNever;
  };
  for (const Pending& p : frontier.threads()) spins |= is_spinning(p);
  failure.kind = spins ? FailureKind::kLivelock : FailureKind::kDeadlock;
  Message& text = failure.message;
  text = spins ? "livelock: " : "deadlock: ";
  bool first = true;
  for (const Pending& p : frontier.threads()) {
    if (!first) text += "; ";
    if (failure.thread == kNoThread && (!spins || is_spinning(p))) {
      failure.thread = p.thread;
      failure.stack.push_back(p.pc);
    }
    first = false;
    text.append(describe_wait(machine, p));
  }
  return failure;
}

Message describe_divergence(const Event& now, const Event& then, std::size_t at) {
  Message text;
  const auto says = [&](const Label& label) {
    text += operation_name(label.kind);
    text += " on ";
    text.mention(label.object);
    text += " (read ";
    text.mention(label.read);
    text += ", wrote ";
    text.mention(label.written);
    text += ")";
  };
  text.add("the schedule did not replay: step %zu of %s was ", at, thread_name(now.thread).c_str());
  says(then.label);
  text += " and is now ";
  says(now.label);
  text += ": the program depends on something that is not controlled";
  return text;
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
