#include "report/waiting.h"

#include "report/findings/names.h"
#include "report/schedule_table.h"
#include "trace/blocking/lock_round.h"
#include "trace/operation_name.h"

namespace mazur {

std::string waiting(const ThreadState& thread, const Finding& finding) {
  const Places& places = finding.places;
  const auto object = [&places](ObjectId id) { return object_name(id, places); };
  std::string text;
  switch (thread.op.kind) {
    case OpKind::kOnceEnter:
      text = "waits for the initialisation of " + object(thread.op.object);
      break;
    case OpKind::kReceive:
      text = "waits for a message: " + describe_operation(thread.op, finding.places);
      break;
    case OpKind::kJoin:
      text = "waits for " + thread_name(finding.record, static_cast<ThreadId>(thread.op.object)) +
             " to end";
      break;
    case OpKind::kNever:
      text = !is_endless(thread.op) && !is_in_vain(thread.op) ? "has failed an assume"
             : thread.op.object == 0 || (is_in_vain(thread.op) && thread.op.size == 0)
                 ? "goes round in a loop for ever"
                 : "spins until " + object(thread.op.object) + " changes";
      break;
    default:
      if (const std::string_view waits = waits_for_object(thread.op.kind); !waits.empty())
        text = std::string(waits) + object(thread.op.object);
      else
        text = "is blocked in " + std::string(operation_name(thread.op.kind));
  }
  if (thread.holder != kNoThread && thread.op.kind != OpKind::kJoin)
    text +=
        ", held by " +
        (thread.holder == thread.thread ? "itself" : thread_name(finding.record, thread.holder));
  return text;
}

std::string holding(const std::vector<ObjectId>& locks, const Places& places) {
  std::string text;
  for (const ObjectId lock : locks)
    text += (text.empty() ? ", holding " : ", ") + object_name(lock, places);
  return text;
}

}  // namespace mazur
