#include "cli/crew/crew.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "cli/run/interrupts.h"
#include "cli/run/patience.h"
#include "cli/usage.h"
#include "explore/explorer.h"

namespace mazur {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A piece should take longer than it takes to hand it on: between two processes of this machine, and
// through a database.
constexpr milliseconds kShortestSlice{4}, kShortestDurableSlice{50};
// With a durable ledger a piece is handed back after so long.
constexpr milliseconds kSlice{1000};
// Whoever has to end and cannot pause is told to stop after so long.
constexpr milliseconds kGrace{250};
// At most so many pieces at once, for workers that are elsewhere.
constexpr std::size_t kMostPieces = 16;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string own_name() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return fmt::format("{}:{}", host, getpid());
}

// The errors that a worker has found in its last piece. Their modules have the names that its
// process calls them by.
std::vector<FoundError> errors_of(const ChannelBlock& channel, const SliceEnd& end) {
  std::vector<FoundError> errors;
  std::vector<Record> records = channel.records();
  for (std::size_t i = 0; i < records.size() && i < end.places.size(); ++i)
    errors.push_back({end.places[i], std::move(records[i])});
  return errors;
}

// A walk that was shared ends because all of its executions were run, or because it was told to. Its
// pieces do not know which.
void tell_end_of_walk(ProgramEnd& all, const Bounds& bounds, bool errors) {
  const bool failed = all.verdict == Verdict::kUnsupported || (errors && !bounds.keep_going);
  const bool ran_all = bounds.max_executions != 0 && all.tally.total() >= bounds.max_executions;
  if (ran_all && !failed) all.cuts.add(Cut::kMaxExecutions);
  if (all.verdict != Verdict::kIncomplete) return;
  if (ran_all)
    all.reason = reason(all.cuts);
  else if (all.reason == Explorer::kSomeOrders)
    all.reason = "it was interrupted";
}

}  // namespace

Crew::Crew(const ProgramRun& run, const Installation& installation, Ledger& ledger)
    : run_(run),
      installation_(installation),
      ledger_(ledger),
      name_(own_name()),
      estimate_(ledger) {}

Crew::~Crew() = default;

void Crew::expect(std::vector<CheckedModule> modules) {
  modules_ = std::move(modules);
  modules_are_known_ = true;
}

// Seconds until the time limit; 0: there is none.
double Crew::left() const {
  const double limit = run_.request.bounds.time_limit;
  return limit > 0 ? std::max(limit - seconds_since(start_), 1e-3) : 0;
}

bool Crew::leaving() const {
  const double limit = run_.request.bounds.time_limit;
  return interrupts() > 0 || (limit > 0 && seconds_since(start_) >= limit);
}

void Crew::start(Hand& hand) {
  ProgramRun run = run_;
  // Its end by the limit would be an end of the run for all.
  if (ledger_.is_durable())
    run.request.bounds.time_limit = 0;
  else
    run.request.bounds.time_limit = left();
  auto process = std::make_unique<WorkerProcess>(run, installation_);
  const std::lock_guard lock(hand.mutex);
  hand.process = std::move(process);
}

void Crew::work(Hand& hand) try {
  unsigned beginning = 1;
  while (!ledger_.is_over() && !leaving() && !failed_) {
    if (hand.process == nullptr) {
      start(hand);
      beginning = 1;
    }
    std::optional<Claim> claim = ledger_.claim();
    {
      const std::lock_guard lock(hand.mutex);
      hand.idle = !claim;
    }
    if (!claim) {
      ask_longest();
      continue;
    }
    claim->offer.begins_again = claim->beginning != std::exchange(beginning, claim->beginning);
    if (!explore(hand, *claim)) leave(hand);
  }
  leave(hand);
} catch (...) {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::current_exception();
  failed_ = true;
}

// Returns whether the process can go on with another piece.
bool Crew::explore(Hand& hand, const Claim& claim) {
  WorkerProcess& process = *hand.process;
  Patience patience(left());
  bool offered = false, killed = false;
  for (;;) {
    const WorkerProcess::State state = process.wait();
    if (state == WorkerProcess::State::kEnded) break;
    if (state == WorkerProcess::State::kWantsWork) {
      if (std::exchange(offered, true)) return take(hand, claim);
      check_modules(process);
      offer(hand, claim);
    }
    if (!ledger_.is_useful(claim) || failed_) process.stop();
    if (offered) urge(hand);
    if (patience.is_over(process.channel().phase()) || interrupts() > 1) {
      process.kill();
      killed = true;
    }
  }
  bury(hand, claim, killed);
  return false;
}

void Crew::offer(Hand& hand, const Claim& claim) {
  hand.process->offer(claim.offer);
  const std::lock_guard lock(hand.mutex);
  hand.busy = true;
  hand.asked = false;
  hand.since = Clock::now();
}

// Asks the worker for what is left if it has been at its piece for long enough, or if all have to end.
void Crew::urge(Hand& hand) {
  const std::lock_guard lock(hand.mutex);
  const bool ending = leaving();
  if (!ledger_.is_durable()) {  // the process knows the time limit
    if (interrupts() > 0) hand.process->stop();
    return;
  }
  const auto age = Clock::now() - hand.since;
  if (ending && hand.asked && age > kGrace) hand.process->stop();
  if (hand.asked && !ending) return;
  if (!ending && age < kSlice) return;
  if (ending && !hand.asked) hand.since = Clock::now();
  if (!hand.asked)
    hand.process->ask_for_pieces(
        ending ? 1 : static_cast<std::uint32_t>(1 + std::min(ledger_.wanted(), kMostPieces)));
  hand.asked = true;
}

// What the worker says about its piece. Returns whether its process can go on.
bool Crew::take(Hand& hand, const Claim& claim) {
  const WorkerProcess& process = *hand.process;
  auto end = process.channel().slice_end();
  Clock::duration taken{};
  {
    const std::lock_guard lock(hand.mutex);
    hand.busy = false;
    taken = Clock::now() - hand.since;
  }
  if (!end) {
    ledger_.stop(Verdict::kUnsupported,
                 "the program wrote into the memory that it shares with Mazur", {});
    return false;
  }
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(taken).count();
  end->microseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(microseconds, 0));
  {
    const std::lock_guard lock(mutex_);
    executions_ += end->tally.total();
  }
  std::vector<FoundError> errors = errors_of(process.channel(), *end);
  return ledger_.finish(claim, *std::move(end), std::move(errors));
}

// The process has ended in the middle of its piece.
void Crew::bury(Hand& hand, const Claim& claim, bool killed) {
  {
    const std::lock_guard lock(hand.mutex);
    hand.busy = false;
  }
  if (killed || !ledger_.is_useful(claim)) {
    ledger_.release(claim, Ledger::Why::kStopped);
    return;
  }
  // The program cannot kill itself, so that was somebody else, or there is too little memory. What
  // dies in another way twice would do so again.
  constexpr unsigned kMostKills = 10, kMostCrashes = 2;
  const unsigned most = hand.process->was_killed() ? kMostKills : kMostCrashes;
  if (ledger_.release(claim, Ledger::Why::kDied) < most) return;
  ProgramEnd death = hand.process->end(killed);  // throws if the runtime has not even started
  for (Record& record : death.records) forget_paths(record, run_);
  ledger_.stop(death.verdict, death.reason, death.cuts, std::move(death.records));
}

// Ends the process of a worker.
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
  const std::lock_guard lock(mutex_);
  peak_rss_kb_ += process->peak_rss_kb();
}

// Asks the worker that has been at its piece for longest.
void Crew::ask_longest() {
  Hand* chosen = nullptr;
  const milliseconds shortest = ledger_.is_durable() ? kShortestDurableSlice : kShortestSlice;
  Clock::time_point since = Clock::now() - shortest;
  for (const auto& hand : hands_) {
    const std::lock_guard lock(hand->mutex);
    if (!hand->busy || hand->asked || hand->since >= since) continue;
    chosen = hand.get();
    since = hand->since;
  }
  if (chosen == nullptr) return;
  const std::lock_guard lock(chosen->mutex);
  if (!chosen->busy || chosen->asked || chosen->process == nullptr) return;
  // Some for others, who will be idle soon.
  chosen->process->ask_for_pieces(static_cast<std::uint32_t>(2 * hands_.size()));
  chosen->asked = ledger_.is_durable();
  if (!chosen->asked) chosen->since = Clock::now();
}

// The first process says where modules lie; those that come later must agree.
void Crew::check_modules(const WorkerProcess& process) {
  std::vector<CheckedModule> modules = process.modules();
  const std::lock_guard lock(mutex_);
  if (!std::exchange(modules_are_known_, true)) modules_ = std::move(modules);
  if (!ledger_.is_durable()) return;
  const auto same = [](const CheckedModule& a, const CheckedModule& b) {
    return a.path == b.path && a.base == b.base;
  };
  if (!std::ranges::equal(modules_, process.modules(), same))
    throw UsageError(
        "two processes with the program do not have their libraries at the same addresses.");
}

Crew::Progress Crew::progress() {
  const Ledger::Totals totals = ledger_.totals();
  Progress sum{totals.tally, totals.explored};
  for (const auto& hand : hands_) {
    const std::lock_guard lock(hand->mutex);
    if (!hand->busy || hand->process == nullptr) continue;
    add(sum.tally, hand->process->channel().tally());
    sum.explored += hand->process->channel().explored().at_most;
  }
  return sum;
}

WorkerInfo Crew::info() {
  WorkerInfo info{.name = name_, .processes = hands_.size()};
  for (const auto& hand : hands_) {
    const std::lock_guard lock(hand->mutex);
    if (hand->idle) ++info.idle;
  }
  const std::lock_guard lock(mutex_);
  info.executions = executions_;
  return info;
}

// Others should know soon that somebody here has nothing to do, or has again.
void Crew::renew() {
  if (!ledger_.is_durable()) return;
  WorkerInfo now = info();
  const double age = seconds_since(told_);
  const bool news = now.idle != said_.idle || now.processes != said_.processes;
  if (age < ledger_.lease_seconds() / 3 && !(news && age > 1)) return;
  ledger_.renew(now);
  told_ = Clock::now();
  said_ = std::move(now);
}

bool Crew::run(unsigned processes) {
  for (unsigned i = 0; i < processes; ++i) hands_.push_back(std::make_unique<Hand>());
  renew();
  std::vector<std::jthread> threads;
  for (const auto& hand : hands_) threads.emplace_back([this, &hand = *hand] { work(hand); });
  try {
    ProgressLine line(run_.progress, ledger_.totals().tally.total());
    while (!ledger_.is_over() && !leaving() && !failed_) {
      std::this_thread::sleep_for(milliseconds(20));
      const auto [tally, explored] = progress();
      estimate_.note(tally, explored);
      line.update(tally, estimate_.told(tally), false);
      // Somebody waits on another machine.
      if (ledger_.is_durable() && ledger_.wanted() > 0) ask_longest();
      renew();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (error_ == nullptr) error_ = std::current_exception();
    failed_ = true;
  }
  threads.clear();
  seconds_ = seconds_since(start_);
  if (error_ != nullptr) std::rethrow_exception(error_);
  if (ledger_.is_over()) return true;
  estimate_.keep();
  Cuts cuts;
  if (interrupts() == 0) cuts.add(Cut::kTimeLimit);
  ledger_.interrupt(Verdict::kIncomplete, cuts.empty() ? "it was interrupted" : reason(cuts), cuts);
  return false;
}

ProgramEnd Crew::end() {
  Ledger::Result result = ledger_.result();
  ProgramEnd all;
  all.verdict = result.verdict;
  all.reason = result.reason;
  all.cuts = result.cuts;
  all.tally = result.tally;
  if (result.verdict == Verdict::kIncomplete && !ledger_.is_durable())
    all.explored = estimate_.told(result.tally);
  all.seconds = seconds_;
  all.peak_rss_kb = peak_rss_kb_;
  all.has_sequential_objects = result.remarks.has_sequential_objects;
  all.has_unexplored_wakeups = result.remarks.has_unexplored_wakeups;
  tell_end_of_walk(all, run_.request.bounds, !result.errors.empty());
  for (FoundError& error : result.errors) all.records.push_back(std::move(error.record));
  for (Record& record : result.records) all.records.push_back(std::move(record));
  if (result.finished) all.notes = std::move(result.remarks.notes);
  for (Record& record : all.records) name_modules(record, run_);
  for (Record& record : all.notes) name_modules(record, run_);
  all.modules = modules_;
  for (CalledModule& called : result.remarks.called)
    called.module.path = real_path(run_, called.module.path);
  note_called(all.modules, result.remarks.called, run_.program.string());
  return all;
}

}  // namespace mazur
