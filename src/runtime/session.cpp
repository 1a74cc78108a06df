#include "runtime/session.h"

#include <time.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "check/loop.h"
#include "check/minimise/minimise.h"
#include "check/seen_errors.h"
#include "explore/registry.h"
#include "machine/native/engine/fork_machine.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/hooks/spurious.h"
#include "machine/native/loops/kept_memory.h"
#include "machine/native/memory/raw.h"
#include "machine/native/races/race_report.h"
#include "machine/native/system/output.h"
#include "machine/native/watch/module_watch.h"
#include "machine/native/watch/ticks.h"
#include "machine/native/weak/used_orders.h"
#include "machine/native/weak/weak_machine.h"
#include "protocol/channel.h"
#include "protocol/record.h"
#include "protocol/request.h"
#include "runtime/notes.h"

namespace mazur::native {
namespace {

double seconds() {
  timespec t;
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&t));
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Tells `mazur` what is found. The record of an error is made when its execution is over.
class Reporter : public Watcher {
 public:
  Reporter(Channel& channel, ProgramMachine& machine)
      : channel_(channel),
        machine_(machine),
        start_(seconds()),
        errors_(std::min(channel.request.max_errors, Channel::kMaxRecords)) {}

  void failed(const Trace& trace, const Frontier& frontier, const Failure& failure) override {
    const OwnStorage storage;
    const auto number = errors_.add(trace, frontier, failure);
    if (!number) return;
    found_ = found_ || !ends_exploration(failure.kind);
    channel_.counts[*number].store(errors_.all()[*number].count, std::memory_order_relaxed);
  }

  void ended(const Trace&, const Tally&, End) override {
    errors_.execution_ended();
    write_seen();
  }

  void portfolio(bool runs, const Tally& so_far) override {
    errors_.portfolio(runs);
    channel_.portfolio.store(so_far.total(), std::memory_order_relaxed);
    channel_.portfolio_events.store(so_far.events, std::memory_order_relaxed);
    channel_.portfolio_failures.store(so_far.failures, std::memory_order_relaxed);
  }

  bool stop() override { return channel_.stop.load(std::memory_order_relaxed) != 0; }

  void progress(const Tally& tally, const Explored& explored) override {
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

  // The exploration begins again. What was written stays; what was only seen will be seen again.
  void started_over() override {
    const OwnStorage storage;
    errors_.started_over(/*kept=*/written_);
    for (auto& count : channel_.counts) count.store(0, std::memory_order_relaxed);
    progress({}, {});
    portfolio(false, {});
  }

  void write_note(const Record& note) {
    const OwnStorage storage;
    append(encode(note));
  }

  // The end of all: errors that were written before the exploration began again count at least
  // once. Returns whether there is any error.
  bool finish() {
    for (std::size_t i = 0; i < errors_.all().size(); ++i)
      if (channel_.counts[i].load() == 0) channel_.counts[i].store(1);
    return found_;
  }

  // Whether all of so many executions failed, at one place.
  bool always_the_same(std::uint64_t executions) const {
    return errors_.all().size() == 1 && channel_.counts[0].load() == executions;
  }

  void write_seen() {
    if (written_ == errors_.all().size()) return;
    const OwnStorage storage;
    while (written_ < errors_.all().size()) write(errors_.take(written_++));
  }

 private:
  // Writes the record at once, so that nothing is lost if the program dies while its schedule is
  // made shorter, and then puts the shorter one in its place.
  void write(const SeenError& error) {
    const std::uint64_t at = channel_.log_size.load();
    append(encode(completed(record_of(error))));
    const MinimiseBudget budget{.seconds = minimising_.for_one(channel_.request.minimise),
                                .steps = 4 * error.events.size() + 1000};
    if (ends_exploration(error.failure.kind) || budget.seconds <= 0 || channel_.request.replay != 0)
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
  Record completed(Record record) {
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
  void add_details(Record& record) {
    static_cast<Details&>(record) = machine_.details();
    const Failure* failure = machine_.failure();
    if (failure != nullptr && failure->kind == record.kind) describe_failure(record, *failure);
  }

  void append(const std::string& bytes) {
    const std::uint64_t at = channel_.log_size.load();
    const std::uint64_t size = bytes.size();
    if (at + sizeof size + size > Channel::kLogSize / 2) return;  // the rest is for a replay
    char* log = reinterpret_cast<char*>(&channel_) + kChannelHeader + at;
    std::memcpy(log, &size, sizeof size);
    std::copy(bytes.begin(), bytes.end(), log + sizeof size);
    channel_.log_size.store(at + sizeof size + size);
  }

  Channel& channel_;
  ProgramMachine& machine_;
  const double start_;
  MinimisingTime minimising_;
  double not_exploring_ = 0;  // seconds spent on it
  bool found_ = false;        // an error of the program
  SeenErrors errors_;
  std::size_t written_ = 0;  // of the errors
};

Outcome replay_record(Channel& channel, ProgramMachine& program, const Bounds& bounds,
                      Reporter& reporter) {
  const Request& request = channel.request;
  Outcome outcome;
  outcome.verdict = Verdict::kUnsupported;
  if (request.replay_offset + request.replay_size > kChannelBytes) return outcome;
  const char* bytes = reinterpret_cast<const char*>(&channel) + request.replay_offset;
  const auto record = decode_record({bytes, static_cast<std::size_t>(request.replay_size)});
  if (!record) {
    outcome.reason = "the trace holds no schedule";
    return outcome;
  }
  if (request.races == Races::kExplore && !record->every_access)
    share_only(record->granules, /*grows=*/false);
  if (request.gdb != 0 && !record->events.empty()) runtime.stop_at_step = record->events.size() - 1;
  spurious = allowed_in(record->events);
  if (request.races == Races::kReport) watch_all_writes(true);  // loops are not learned here
  Trace trace;
  Tally tally;
  do {
    forget_pairs();
    outcome = replay(program, record->events, bounds, trace, reporter);
    ++tally.complete;
    tally.events += trace.size();
    reporter.progress(tally, {});
  } while (outcome.verdict == Verdict::kBug && reporter.always_the_same(tally.complete) &&
           tally.complete < request.replay_times && !reporter.stop());
  runtime.stop_at_step = ~std::size_t{0};
  outcome.tally = tally;
  if (outcome.verdict == Verdict::kBug && !reporter.always_the_same(tally.complete)) {
    outcome.verdict = Verdict::kUnsupported;
    outcome.reason = "run " + std::to_string(tally.complete) +
                     " of the schedule led to another error than the runs before";
  } else if (outcome.verdict != Verdict::kBug && tally.complete > 1) {
    outcome.reason = "run " + std::to_string(tally.complete) +
                     " of the schedule did not fail as the runs before: " + outcome.reason;
    outcome.verdict = Verdict::kUnsupported;
  }
  return outcome;
}

// So often the exploration may begin again; then every plain access is an event.
constexpr int kMostBeginnings = 16;

// With --races=explore, the exploration begins again whenever an execution has shown that threads
// share more memory than was known (shared_granules.h).
Outcome explore_all(Channel& channel, ProgramMachine& program, Bounds bounds, Reporter& reporter) {
  const Request& request = channel.request;
  const ExplorerOptions options = explorer_options_of(request);
  const bool forks = request.isolation == Isolation::kFork;
  runtime.note_places = bounds.unroll != 0 || bounds.loop_count != 0;
  if (request.races == Races::kExplore && request.every_access == 0 && !forks)
    share_only({}, /*grows=*/true);
  const ExplorerEntry* entry = find_explorer(request.algorithm);
  note_quiet_writes = shared_granules.on && entry != nullptr && entry->merges_states();
  if (request.watch_loops != 0 && !forks) learn_loops(program);
  if (forks) assume_again(/*give_up=*/true);  // what a child finds out dies with it
  const double start = seconds();
  Outcome outcome;
  for (int beginning = 1;; ++beginning) {
    const auto explorer = make_explorer(request.algorithm, options);
    if (explorer == nullptr) die("there is no algorithm %s", request.algorithm);
    outcome = explore(program, *explorer, bounds, reporter);
    if (options.statistics)
      std::strncpy(channel.statistics, explorer->statistics().c_str(),
                   sizeof channel.statistics - 1);
    if (!outcome.outdated) break;
    const bool too_often = beginning >= kMostBeginnings;
    if (too_often) want_everything_shared();
    if (has_new_shared()) take_over_shared();
    assume_again(too_often);
    if (standard_locks_failed()) give_up_standard_locks();
    reporter.started_over();
    if (request.bounds.time_limit > 0)
      bounds.time_limit = std::max(request.bounds.time_limit - (seconds() - start), 1e-9);
  }
  if (reporter.finish() && outcome.verdict != Verdict::kUnsupported)
    outcome.verdict = Verdict::kBug;
  return outcome;
}

// Nothing was found, and it was not stopped: there is time for a remark.
bool is_over(const Outcome& outcome) {
  return outcome.verdict == Verdict::kVerified || outcome.finished;
}

}  // namespace

void run_session() {
  Channel& channel = *runtime.channel;
  const Request& request = channel.request;
  const bool forks = request.isolation == Isolation::kFork;
  const bool graphs =
      std::string_view(request.algorithm) == "graph" && request.races != Races::kExplore;
  const MemoryModel memory = request.explorer.memory;
  machine = graphs || memory != MemoryModel::kSc ? new WeakMachine(!forks, memory)
                                                 : new NativeMachine(!forks);
  ForkMachine fork_machine(*machine);
  ProgramMachine& program = forks ? static_cast<ProgramMachine&>(fork_machine) : *machine;
  const Bounds bounds = request.bounds;
  spurious = {request.spurious_wakeups, request.spurious_failures};
  if (request.note_orders != 0) note_orders(channel);
  watch_modules();
  Reporter reporter(channel, program);
  set_time_limit(request.replay != 0 ? 0 : request.bounds.time_limit);
  channel.phase.store(Phase::kExploring);
  Outcome outcome;
  if (request.replay != 0) {
    outcome = replay_record(channel, program, bounds, reporter);
  } else {
    outcome = explore_all(channel, program, bounds, reporter);
  }
  reporter.progress(outcome.tally, outcome.explored);
  start_output();
  reporter.write_seen();
  if (outcome.busiest.times > 0 && outcome.verdict == Verdict::kIncomplete)
    reporter.write_note(busiest_note(program, outcome.busiest));
  if (!outcome.cut_loops.empty()) reporter.write_note(unroll_note(outcome.cut_loops));
  if (!outcome.weak_examples.empty() && is_over(outcome))
    reporter.write_note(weak_note(program, outcome.weak_examples));
  std::strncpy(channel.reason, outcome.reason.c_str(), sizeof channel.reason - 1);
  channel.verdict = outcome.verdict;
  channel.cuts = outcome.cuts.bits();
  channel.phase.store(Phase::kDone);
  raw_syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

}  // namespace mazur::native
