// Running a recorded schedule again.
#include "check/describe.h"
#include "check/loop.h"

namespace mazur {

bool same_operation(const Event& a, const Event& b) {
  const auto same_value = [](std::uint64_t x, std::uint64_t y) {
    constexpr std::uint64_t kLowestAddress = std::uint64_t{1} << 32;
    return x == y || (x >= kLowestAddress && y >= kLowestAddress);
  };
  return a.thread == b.thread && a.choice == b.choice && a.ways == b.ways &&
         a.label.kind == b.label.kind && a.label.size == b.label.size &&
         a.label.success == b.label.success && a.label.ref == b.label.ref &&
         same_value(a.label.read, b.label.read) && same_value(a.label.written, b.label.written);
}

Outcome replay(Machine& machine, std::span<const Event> schedule, const Bounds& bounds,
               Trace& trace, Watcher& watcher) {
  Outcome outcome;
  std::optional<Failure> earlier;  // the first before the schedule's end
  const auto report = [&](const Failure& failure) {
    watcher.failed(trace, machine.frontier(), failure);
    outcome.verdict = failure.kind == FailureKind::kUnsupported ? Verdict::kUnsupported
                      : failure.kind == FailureKind::kStepLimit ? Verdict::kIncomplete
                                                                : Verdict::kBug;
    outcome.reason = failure.message.text;
  };
  const auto unfit = [&](std::string why) {
    if (earlier) {
      report(*earlier);
      return outcome;
    }
    outcome.verdict = Verdict::kUnsupported;
    outcome.reason = std::move(why);
    return outcome;
  };
  // A schedule that was found with --keep-going may pass by other errors.
  const auto over = [&] {
    const Failure* failure = machine.failure();
    if (failure == nullptr) return false;
    if (!ends_exploration(failure->kind) && trace.size() < schedule.size()) {
      if (!earlier) earlier = *failure;
      return false;
    }
    report(*failure);
    return true;
  };
  trace.clear();
  machine.follow(&trace);
  machine.follow_schedule(true);
  machine.know_looks(false);
  machine.restart();
  if (over()) return outcome;
  while (trace.size() < bounds.max_steps) {
    if (trace.size() >= schedule.size()) machine.follow_schedule(false);
    const Frontier& frontier = machine.frontier();
    Step step;
    if (trace.size() < schedule.size()) {
      step = schedule[trace.size()].step();
      const Pending* pending = frontier.find(step.thread);
      // Whether the process can end depends on loops that were recognised as such earlier then.
      const bool exits = pending != nullptr && pending->op.kind == OpKind::kExit;
      if (pending == nullptr || (!pending->enabled && !exits) || step.choice >= pending->ways)
        return unfit(describe_impossible(step, pending, trace.size()));
    } else {
      if (earlier) break;
      for (const Pending& p : frontier.threads())
        if (p.enabled && step.thread == kNoThread) step.thread = p.thread;
      if (step.thread == kNoThread) break;
    }
    const Event event = machine.run(step);
    if (trace.size() < schedule.size() && !same_operation(event, schedule[trace.size()]))
      return unfit(describe_divergence(event, schedule[trace.size()], trace.size()).text);
    trace.append(event);
    if (over()) return outcome;
  }
  if (const auto failure = failure_at_end(machine))
    report(*failure);
  else if (earlier)
    report(*earlier);
  return outcome;
}

}  // namespace mazur
