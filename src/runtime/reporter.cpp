#include "runtime/reporter.h"

#include <time.h>

#include <algorithm>
#include <cstring>

#include "check/minimise/minimise.h"
#include "machine/native/engine/fiber.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/memory/raw.h"
#include "machine/native/races/race_report.h"
#include "machine/native/system/output.h"
#include "machine/native/watch/module_watch.h"

namespace mazur::native {

double seconds() {
  timespec t;
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&t));
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

Reporter::Reporter(Channel& channel, ProgramMachine& machine)
    : channel_(channel),
      machine_(machine),
      start_(seconds()),
      errors_(std::min(channel.request.max_errors, Channel::kMaxRecords)) {}

void Reporter::failed(const Trace& trace, const Frontier& frontier, const Failure& failure) {
  const OwnStorage storage;
  const auto number = errors_.add(trace, frontier, failure);
  if (!number) return;
  found_ = found_ || !ends_exploration(failure.kind);
  channel_.counts[*number].store(errors_.all()[*number].count, std::memory_order_relaxed);
}

void Reporter::ended(const Trace&, const Tally&, End) {
  errors_.execution_ended();
  write_seen();
}

void Reporter::portfolio(bool runs, const Tally& so_far) {
  errors_.portfolio(runs);
  channel_.portfolio.store(so_far.total(), std::memory_order_relaxed);
  channel_.portfolio_events.store(so_far.events, std::memory_order_relaxed);
  channel_.portfolio_failures.store(so_far.failures, std::memory_order_relaxed);
}

void Reporter::progress(const Tally& tally, const Explored& explored) {
  const OwnStorage storage;
  channel_.complete.store(tally.complete, std::memory_order_relaxed);
  channel_.blocked.store(tally.blocked, std::memory_order_relaxed);
  channel_.assume_blocked.store(tally.assume_blocked, std::memory_order_relaxed);
  channel_.bounded.store(tally.bounded, std::memory_order_relaxed);
  channel_.events.store(tally.events, std::memory_order_relaxed);
  channel_.failures.store(tally.failures, std::memory_order_relaxed);
  channel_.depth.store(tally.depth, std::memory_order_relaxed);
  channel_.explored.store(explored.at_least, std::memory_order_relaxed);
  channel_.explored_most.store(explored.at_most, std::memory_order_relaxed);
  channel_.seconds.store(seconds() - start_ - not_exploring_, std::memory_order_relaxed);
}

void Reporter::started_over() {
  const OwnStorage storage;
  errors_.started_over(/*kept=*/written_);
  for (auto& count : channel_.counts) count.store(0, std::memory_order_relaxed);
  progress({}, {});
  portfolio(false, {});
}

void Reporter::write_note(const Record& note) {
  const OwnStorage storage;
  append(encode(note));
}

bool Reporter::finish() {
  for (std::size_t i = 0; i < errors_.all().size(); ++i)
    if (channel_.counts[i].load() == 0) channel_.counts[i].store(1);
  return found_;
}

bool Reporter::always_the_same(std::uint64_t executions) const {
  return errors_.all().size() == 1 && channel_.counts[0].load() == executions;
}

void Reporter::write_seen() {
  if (written_ == errors_.all().size()) return;
  const OwnStorage storage;
  while (written_ < errors_.all().size()) write(errors_.take(written_++));
}

// Writes the record at once, so that nothing is lost if the program dies while its schedule is
// made shorter, and then puts the shorter one in its place.
void Reporter::write(const SeenError& error) {
  const LastingNumbers same_threads;
  const std::uint64_t at = channel_.log_size.load();
  append(encode(completed(record_of(error))));
  const MinimiseBudget budget{.seconds = minimising_.for_one(channel_.request.minimise),
                              .steps = 4 * error.events.size() + 1000};
  if (ends_exploration(error.failure.kind) || budget.seconds <= 0 ||
      (channel_.request.replay != 0 && channel_.request.shorten == 0))
    return;
  const double start = seconds();
  channel_.minimising.store(1);
  const Minimised shorter = minimise(machine_, error.events, error.failure, error.place, budget,
                                     channel_.request.explorer.memory);
  if (shorter.executions > 1) {
    const Record record = completed(record_of(error, shorter));
    if (!record.threads.empty()) {  // it failed again
      channel_.log_size.store(at);
      append(encode(record));
    }
  }
  channel_.minimising.store(0);
  const double taken = seconds() - start;
  minimising_.spend(taken);
  not_exploring_ += taken;
}

// Runs the schedule again, noting call stacks. The record has no threads if it went another way.
Record Reporter::completed(Record record) {
  start_output();
  runtime.capture_stacks = true;
  forget_pairs();
  record.every_access = !shared_granules.on;
  record.granules = shared_list();
  Trace trace;
  // What took too long once would do so again.
  if (record.kind != FailureKind::kStepLimit && run_again(machine_, record, trace))
    add_details(record);
  start_output();
  runtime.capture_stacks = false;
  machine_.follow(nullptr);
  record.event_stacks.resize(record.events.size());
  record.modules = loaded_modules();
  return record;
}

// What the machine knows when the record's schedule has just been run.
void Reporter::add_details(Record& record) {
  static_cast<Details&>(record) = machine_.details();
  const Failure* failure = machine_.failure();
  if (failure != nullptr && failure->kind == record.kind) describe_failure(record, *failure);
}

void Reporter::append(const std::string& bytes) {
  const std::uint64_t at = channel_.log_size.load();
  const std::uint64_t size = bytes.size();
  if (at + sizeof size + size > Channel::kLogSize / 2) return;  // the rest is for a replay
  char* log = reinterpret_cast<char*>(&channel_) + kChannelHeader + at;
  std::memcpy(log, &size, sizeof size);
  std::copy(bytes.begin(), bytes.end(), log + sizeof size);
  channel_.log_size.store(at + sizeof size + size);
}

}  // namespace mazur::native
