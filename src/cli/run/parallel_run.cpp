#include "cli/run/parallel_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "cli/run/interrupts.h"
#include "cli/run/patience.h"
#include "cli/run/start_program.h"
#include "cli/run/worker_process.h"
#include "cli/usage.h"
#include "work/ledger.h"

namespace mazur {
namespace {

using Clock = std::chrono::steady_clock;

// A piece should take longer than it takes to hand it on.
constexpr std::chrono::milliseconds kShortestSlice{4};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The errors that a worker has found in its last piece.
std::vector<FoundError> errors_of(const ChannelBlock& channel, const SliceEnd& end,
                                  const ProgramRun& run) {
  std::vector<FoundError> errors;
  std::vector<Record> records = channel.records();
  for (std::size_t i = 0; i < records.size() && i < end.places.size(); ++i) {
    for (Module& module : records[i].modules)
      if (module.path.empty()) module.path = run.program.string();
    errors.push_back({end.places[i], std::move(records[i])});
  }
  return errors;
}

// The workers, a thread of mazur for each, and what they share.
class Crew {
 public:
  Crew(const ProgramRun& run, const Installation& installation, bool first)
      : run_(run), installation_(installation), ledger_(run.request.bounds.keep_going, first) {}

  // Runs until all is explored.
  void run(unsigned workers);
  ProgramEnd end();

 private:
  // A worker as the others see it.
  struct Hand {
    std::mutex mutex;
    std::unique_ptr<WorkerProcess> process;  // null: it has none
    bool busy = false;
    Clock::time_point since;
  };

  void work(Hand& hand);
  void start(Hand& hand);
  bool explore(Hand& hand, const Claim& claim);
  void leave(Hand& hand);
  void ask_for_pieces();
  Tally tally();

  const ProgramRun& run_;
  const Installation& installation_;
  Ledger ledger_;
  const Clock::time_point start_ = Clock::now();
  std::vector<std::unique_ptr<Hand>> hands_;
  std::mutex mutex_;                    // for what follows
  std::vector<ProgramEnd> ends_;        // of the processes
  std::vector<CheckedModule> modules_;  // as the first process that answered had them
  std::exception_ptr error_;            // what a thread could not go on with
  double seconds_ = 0;
};

void Crew::start(Hand& hand) {
  ProgramRun run = run_;
  double& limit = run.request.bounds.time_limit;
  if (limit > 0) limit = std::max(limit - seconds_since(start_), 1e-3);
  auto process = std::make_unique<WorkerProcess>(run, installation_);
  const std::lock_guard lock(hand.mutex);
  hand.process = std::move(process);
}

void Crew::work(Hand& hand) try {
  unsigned beginning = 1;
  while (!ledger_.is_over()) {
    if (hand.process == nullptr) {
      start(hand);
      beginning = 1;
    }
    std::optional<Claim> claim = ledger_.claim();
    if (!claim) {
      ask_for_pieces();
      continue;
    }
    claim->offer.begins_again = claim->beginning != std::exchange(beginning, claim->beginning);
    if (!explore(hand, *claim)) leave(hand);
  }
  leave(hand);
} catch (...) {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::current_exception();
  ledger_.stop(Verdict::kError, "", {});
}

// Returns whether the process can go on with another piece.
bool Crew::explore(Hand& hand, const Claim& claim) {
  WorkerProcess& process = *hand.process;
  Patience patience(run_.request.bounds.time_limit > 0
                        ? std::max(run_.request.bounds.time_limit - seconds_since(start_), 1e-3)
                        : 0);
  bool offered = false, killed = false;
  for (;;) {
    const WorkerProcess::State state = process.wait();
    if (state == WorkerProcess::State::kEnded) break;
    if (state == WorkerProcess::State::kWantsWork && offered) {
      const auto end = process.channel().slice_end();
      {
        const std::lock_guard lock(hand.mutex);
        hand.busy = false;
      }
      if (!end) {
        ledger_.stop(Verdict::kUnsupported,
                     "the program wrote into the memory that it shares with Mazur", {});
        return false;
      }
      {
        const std::lock_guard lock(mutex_);
        if (modules_.empty()) modules_ = process.modules();
      }
      return ledger_.finish(claim, *end, errors_of(process.channel(), *end, run_));
    }
    if (state == WorkerProcess::State::kWantsWork) {
      process.offer(claim.offer);
      offered = true;
      const std::lock_guard lock(hand.mutex);
      hand.busy = true;
      hand.since = Clock::now();
    }
    if (!ledger_.is_useful(claim) || interrupts() > 0) process.stop();
    if (patience.is_over(process.channel().phase()) || interrupts() > 1) {
      process.kill();
      killed = true;
    }
  }
  {
    const std::lock_guard lock(hand.mutex);
    hand.busy = false;
  }
  ProgramEnd death = process.end(killed);
  if (killed || !ledger_.is_useful(claim)) {
    if (killed) ledger_.stop(death.verdict, death.reason, death.cuts);
    return false;
  }
  // The program cannot kill itself, so that was somebody else, or there is too little memory. What
  // dies in another way twice would do so again.
  constexpr unsigned kMostKills = 10, kMostCrashes = 2;
  if (ledger_.release(claim) < (process.was_killed() ? kMostKills : kMostCrashes)) return false;
  ledger_.stop(death.verdict, death.reason, death.cuts);
  const std::lock_guard lock(mutex_);
  ends_.push_back(std::move(death));
  return false;
}

// Ends the process of a worker, and takes what it has to say.
void Crew::leave(Hand& hand) {
  std::unique_ptr<WorkerProcess> process;
  {
    const std::lock_guard lock(hand.mutex);
    process = std::move(hand.process);
  }
  if (process == nullptr) return;
  process->stop();
  const Clock::time_point begin = Clock::now();
  for (bool told = false;;) {
    const WorkerProcess::State state = process->wait();
    if (state == WorkerProcess::State::kEnded) break;
    if (state == WorkerProcess::State::kWantsWork && !told) {
      process->channel().offer(std::nullopt);
      told = true;
    }
    if (seconds_since(begin) > 2) process->kill();
  }
  if (process->channel().phase() != Phase::kDone) return;
  ProgramEnd end = process->end(false);
  const std::lock_guard lock(mutex_);
  ends_.push_back(std::move(end));
}

// Asks the worker that has been at its piece for longest.
void Crew::ask_for_pieces() {
  Hand* chosen = nullptr;
  Clock::time_point since = Clock::now() - kShortestSlice;
  for (const auto& hand : hands_) {
    const std::lock_guard lock(hand->mutex);
    if (!hand->busy || hand->since >= since) continue;
    chosen = hand.get();
    since = hand->since;
  }
  if (chosen == nullptr) return;
  const std::lock_guard lock(chosen->mutex);
  if (!chosen->busy || chosen->process == nullptr) return;
  // Some for others, who will be idle soon.
  chosen->process->ask_for_pieces(static_cast<std::uint32_t>(2 * hands_.size()));
  chosen->since = Clock::now();
}

Tally Crew::tally() {
  Tally sum = ledger_.totals().tally;
  for (const auto& hand : hands_) {
    const std::lock_guard lock(hand->mutex);
    if (!hand->busy || hand->process == nullptr) continue;
    const Tally now = hand->process->channel().tally();
    sum.complete += now.complete;
    sum.blocked += now.blocked;
    sum.assume_blocked += now.assume_blocked;
    sum.bounded += now.bounded;
    sum.events += now.events;
    sum.failures += now.failures;
    sum.depth = now.depth;
  }
  return sum;
}

void Crew::run(unsigned workers) {
  for (unsigned i = 0; i < workers; ++i) hands_.push_back(std::make_unique<Hand>());
  std::vector<std::jthread> threads;
  for (const auto& hand : hands_) threads.emplace_back([this, &hand = *hand] { work(hand); });
  ProgressLine progress(run_.progress);
  while (!ledger_.is_over()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress.update(tally(), {}, false);
  }
  threads.clear();
  seconds_ = seconds_since(start_);
}

ProgramEnd Crew::end() {
  if (error_ != nullptr) std::rethrow_exception(error_);
  Ledger::Result result = ledger_.result();
  ProgramEnd all;
  all.verdict = result.verdict;
  all.reason = result.reason;
  all.cuts = result.cuts;
  all.tally = result.tally;
  all.seconds = seconds_;
  for (FoundError& error : result.errors) all.records.push_back(std::move(error.record));
  all.has_sequential_objects = result.remarks.has_sequential_objects;
  all.has_unexplored_wakeups = result.remarks.has_unexplored_wakeups;
  if (result.finished) all.notes = std::move(result.remarks.notes);
  all.modules = std::move(modules_);
  note_called(all.modules, result.remarks.called, run_.program.string());
  for (ProgramEnd& end : ends_) {
    all.peak_rss_kb += end.peak_rss_kb;
    if (end.verdict == Verdict::kUnsupported)
      std::move(end.records.begin(), end.records.end(), std::back_inserter(all.records));
  }
  return all;
}

// The same error with a shorter schedule, if there is one.
Record shortened(const ProgramRun& run, const Installation& installation, Record record) {
  ProgramRun again = run;
  again.request.shorten = 1;
  again.request.worker = 0;
  again.request.list_modules = 0;
  again.request.bounds.time_limit = 0;
  again.progress = Progress::kNone;
  again.replay = encode(record);
  ProgramEnd end = run_program(again, installation);
  if (end.verdict != Verdict::kBug || end.records.empty() ||
      end.records.front().kind != record.kind)
    return record;
  Record shorter = std::move(end.records.front());
  shorter.execution = record.execution;
  shorter.count = record.count;
  return shorter;
}

}  // namespace

ProgramEnd run_in_parallel(const ProgramRun& run, unsigned workers, bool first,
                           const Installation& installation) {
  require_runtime(installation);
  const InterruptGuard guard;
  Crew crew(run, installation, first);
  crew.run(workers);
  ProgramEnd end = crew.end();
  if (run.request.minimise <= 0) return end;
  double left = 4;  // as MinimisingTime has it
  for (Record& record : end.records) {
    if (ends_exploration(record.kind) || left <= 0 || interrupts() > 0) continue;
    const Clock::time_point begin = Clock::now();
    record = shortened(run, installation, std::move(record));
    left -= seconds_since(begin);
  }
  return end;
}

}  // namespace mazur
