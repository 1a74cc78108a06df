#include "check/seen_errors.h"

#include <algorithm>
#include <utility>

#include "check/failure_place.h"
#include "check/loop.h"

namespace mazur {
namespace {

// Whether a step of `thread` interrupts the thread of the last event, which could go on.
bool preempts(const Frontier& frontier, const Trace& trace, ThreadId thread) {
  if (trace.empty()) return false;
  const ThreadId before = trace[static_cast<EventIndex>(trace.size() - 1)].thread;
  const Pending* pending = frontier.find(before);
  return before != thread && pending != nullptr && pending->enabled;
}

}  // namespace

std::optional<std::size_t> SeenErrors::add(const Trace& trace, const Frontier& frontier,
                                           const Failure& failure) {
  const std::uint64_t place = failure_place(failure, frontier);
  for (std::size_t i = 0; i < errors_.size(); ++i) {
    if (errors_[i].place != place) continue;
    ++errors_[i].count;
    return i;
  }
  if (errors_.size() >= most_) return std::nullopt;
  errors_.push_back({.failure = failure,
                     .events = {trace.events().begin(), trace.events().end()},
                     .place = place,
                     .execution = (by_portfolio_ ? portfolio_executions_ : executions_) + 1,
                     .by_portfolio = by_portfolio_});
  return errors_.size() - 1;
}

void SeenErrors::started_over(std::size_t kept) {
  executions_ = 0;
  portfolio_executions_ = 0;
  by_portfolio_ = false;
  errors_.resize(std::min(kept, errors_.size()));
  for (SeenError& error : errors_) error.count = 0;
}

SeenError SeenErrors::take(std::size_t number) {
  std::vector<Event> events = std::exchange(errors_[number].events, {});
  SeenError taken = errors_[number];
  taken.events = std::move(events);
  return taken;
}

void describe_failure(Record& record, const Failure& failure) {
  record.kind = failure.kind;
  record.thread = failure.thread;
  record.message = failure.message;
  record.stack = failure.stack;
  record.locks = failure.locks;
  record.other = failure.other;
}

Record record_of(const SeenError& error) {
  Record record;
  describe_failure(record, error.failure);
  record.execution = error.execution;
  record.by_portfolio = error.by_portfolio;
  record.events = error.events;
  return record;
}

Record record_of(const SeenError& error, const Minimised& shorter) {
  Record record;
  describe_failure(record, shorter.failure);
  record.execution = error.execution;
  record.by_portfolio = error.by_portfolio;
  record.events = shorter.events;
  record.found_steps = shorter.before.steps;
  record.found_preemptions = shorter.before.preemptions;
  record.minimal = shorter.minimal;
  return record;
}

bool run_again(Machine& machine, Record& record, Trace& trace) {
  trace.clear();
  machine.follow(&trace);
  machine.restart();
  for (const Event& event : record.events) {
    if (preempts(machine.frontier(), trace, event.thread))
      record.preemptions.push_back(trace.size());
    const Event now = machine.run(event.step());
    if (!same_event(now, event)) return false;
    trace.append(now);
  }
  return true;
}

}  // namespace mazur
