#include "runtime/session.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "check/loop.h"
#include "explore/registry.h"
#include "machine/native/engine/fiber.h"
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
#include "runtime/beginning.h"
#include "runtime/notes.h"
#include "runtime/reporter.h"
#include "runtime/worker.h"

namespace mazur::native {
namespace {

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
  number_threads_as(record->events);
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

// With --races=explore, the exploration begins again whenever an execution has shown that threads
// share more memory than was known (shared_granules.h).
Outcome explore_all(Channel& channel, ProgramMachine& program, Bounds bounds, Reporter& reporter) {
  const Request& request = channel.request;
  const ExplorerOptions options = explorer_options_of(request);
  begin_exploration(request, program);
  const double start = seconds();
  Outcome outcome;
  for (unsigned beginning = 1;; ++beginning) {
    const auto explorer = make_explorer(request.algorithm, options);
    if (explorer == nullptr) die("there is no algorithm %s", request.algorithm);
    outcome = explore(program, *explorer, bounds, reporter);
    if (options.statistics)
      std::strncpy(channel.statistics, explorer->statistics().c_str(),
                   sizeof channel.statistics - 1);
    if (!outcome.outdated) break;
    begin_again(beginning >= kMostBeginnings);
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
  } else if (request.worker != 0) {
    work_on_offers(channel, program);
  } else {
    outcome = explore_all(channel, program, bounds, reporter);
  }
  if (request.worker == 0) reporter.progress(outcome.tally, outcome.explored);
  start_output();
  reporter.write_seen();
  // In a process of its own an execution tells nothing of its loops.
  const bool tells_reasons = !forks && runtime.watch_loops;
  if (outcome.busiest.times > 0 && outcome.verdict == Verdict::kIncomplete) {
    reporter.write_note(busiest_note(program, outcome.busiest));
    if (tells_reasons) write_reason(reporter, program, outcome.busiest.schedule, kNoLoop);
  }
  if (!outcome.cut_loops.empty()) reporter.write_note(unroll_note(outcome.cut_loops));
  for (std::size_t i = 0; tells_reasons && i < outcome.cut_loops.size(); ++i)
    write_reason(reporter, program, outcome.cut_loops[i].schedule, i);
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
