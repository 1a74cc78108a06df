#include "runtime/notes.h"

#include <algorithm>

#include "check/weak_operations.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/hooks/places.h"
#include "machine/native/loops/why_not_waiting.h"
#include "machine/native/races/race_report.h"
#include "machine/native/system/output.h"
#include "machine/native/watch/module_watch.h"

namespace mazur::native {
namespace {

// Runs the schedule again, noting call stacks. The trace is shorter if a step was not possible.
Details run_noting_stacks(ProgramMachine& machine, std::span<const Step> schedule, Trace& trace) {
  start_output();
  runtime.capture_stacks = true;
  forget_pairs();
  trace.clear();
  machine.follow(&trace);
  machine.restart();
  for (const Step& step : schedule) {
    const Pending* pending = machine.frontier().find(step.thread);
    if (pending == nullptr || !pending->enabled || step.choice >= pending->ways) break;
    trace.append(machine.run(step));
  }
  Details details = machine.details();
  start_output();
  runtime.capture_stacks = false;
  machine.follow(nullptr);
  return details;
}

void add(Record& note, const Event& event, const Details& details, EventIndex at) {
  if (at >= details.event_stacks.size()) return;
  const auto& stack = details.event_stacks[at];
  const auto& stacks = note.event_stacks;
  if (std::find(stacks.begin(), stacks.end(), stack) != stacks.end()) return;
  note.events.push_back(event);
  note.event_stacks.push_back(stack);
}

}  // namespace

Record weak_note(ProgramMachine& machine, std::span<const std::vector<Step>> schedules) {
  Record note;
  note.message = kWeakNote;
  Trace trace;
  for (const std::vector<Step>& schedule : schedules) {
    const Details details = run_noting_stacks(machine, schedule, trace);
    for (EventIndex e : weak_racing(trace)) add(note, trace[e], details, e);
  }
  note.modules = loaded_modules();
  return note;
}

Record busiest_note(ProgramMachine& machine, const Busiest& busiest) {
  Record note;
  note.message = kBusiestNote;
  note.count = busiest.times;
  note.found_steps = busiest.steps;
  Trace trace;
  const Details details = run_noting_stacks(machine, busiest.schedule, trace);
  if (!trace.empty()) {
    const auto last = static_cast<EventIndex>(trace.size() - 1);
    add(note, trace[last], details, last);
  }
  note.modules = loaded_modules();
  return note;
}

void write_reason(Reporter& reporter, ProgramMachine& machine, std::span<const Step> schedule,
                  std::uint64_t loop) {
  if (schedule.empty()) return;
  Trace trace;
  LoopReason reason = why_not_waiting(machine, schedule, trace);
  if (reason.what == LoopObstacle::kNone) return;
  Record note;
  note.message = kReasonNote;
  note.count = static_cast<std::uint64_t>(reason.what);
  note.found_steps = loop;
  note.events.push_back(reason.event);
  note.event_stacks.push_back(std::move(reason.stack));
  note.modules = loaded_modules();
  reporter.write_note(note);
}

Record unroll_note(std::span<const CutLoop> loops) {
  Record note;
  note.message = kUnrollNote;
  for (const CutLoop& loop : loops) {
    Event event;
    event.label.pc = loop.pc;
    event.label.read = loop.times;
    event.label.written = loop.most;
    note.events.push_back(event);
    note.event_stacks.push_back(stack_at(loop.place));
  }
  note.modules = loaded_modules();
  return note;
}

}  // namespace mazur::native
