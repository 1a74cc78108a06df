#include "check/loop.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/seconds.h"
#include "base/stop.h"
#include "check/describe.h"
#include "check/exploration.h"
#include "check/loop_probe.h"
#include "check/portfolio/portfolio.h"
#include "check/portfolio/walk.h"
#include "check/standstill.h"
#include "check/unrolling.h"
#include "check/weak_operations.h"
#include "trace/atomic_block/block.h"
#include "trace/blocking/lock_round.h"
#include "trace/fields.h"

namespace mazur {
namespace {

// How many values of atomic blocks are kept before those of past executions are forgotten.
constexpr std::size_t kManyValues = 100'000;

}  // namespace

class Exploration::Loop {
 public:
  Loop(Machine& machine, Explorer& explorer, const Bounds& bounds, Watcher& watcher, Alone alone,
       WeakOperations* weak)
      : machine_(machine),
        explorer_(explorer),
        bounds_(bounds),
        watcher_(watcher),
        alone_(alone),
        unrolling_(bounds),
        needs_(explorer.needs()),
        trace_(needs_.order ? Trace::Relation::kDependence : Trace::Relation::kSequence),
        probe_(machine),
        weak_(weak != nullptr ? *weak : own_weak_) {
    if (needs_.probe) explorer.use_probe(&probe_);
  }
  ~Loop() {
    if (needs_.probe) explorer_.use_probe(nullptr);
    machine_.follow(nullptr);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // May be called again after it has stopped because of max_executions: then it goes on.
  const Outcome& run() {
    if (needs_.states && !machine_.name_states()) {
      outcome_.verdict = Verdict::kUnsupported;
      outcome_.reason = "--stored-states needs states that can be compared, as those of models can";
      return outcome_;
    }
    if (!machine_.set_memory(needs_.memory)) {
      outcome_.verdict = Verdict::kUnsupported;
      outcome_.reason = "this program cannot be run under another memory model than sc";
      return outcome_;
    }
    outcome_.paused = false;
    in_slice_ = 0;
    if (unrolling_.on() && outcome_.tally.total() == 0) learn_loops();
    for (;;) {
      bool more = false;
      try {
        const End end = execution();
        if (is_outdated() || over_) break;
        more = plan(end);
      } catch (const std::logic_error& error) {
        unsupported(error.what());
        break;
      } catch (const Stopped&) {
        stopped_midway();
        break;
      }
      if (is_outdated()) break;  // an execution on the side has shown it
      const Explorer::Standing standing = explorer_.standing();
      if (__builtin_expect(standing.restarts != restarts_, 0)) start_over(standing.restarts);
      note_cuts(standing.reached);
      if (!more) {
        all_explored(standing);
        ended_ = true;
        break;
      }
      if (estimate_.is_due(outcome_.tally.total()))
        estimate_.note(outcome_.tally.total(), explorer_.progress());
      if (has_to_stop() || !run_portfolio()) break;
    }
    if (!ended_ && !outcome_.explored.known()) outcome_.explored = explored();
    if (outcome_.tally.complete == 0) outcome_.busiest = busiest(trace_);
    watcher_.progress(outcome_.tally, outcome_.explored);
    outcome_.weak_examples = weak_.examples();
    outcome_.cut_loops = unrolling_.cut_loops();
    machine_.let_loops_wait(true);
    return outcome_;
  }

  // Whether the explorer has nothing more to run.
  bool ended() const { return ended_; }

 private:
  // Gives the portfolio its turns. Returns whether the exploration is to go on.
  bool run_portfolio();

  // Which loops --unroll is about.
  void learn_loops() {
    unrolling_.learn(machine_);
    machine_.forget_reports();
  }

  void all_explored(const Explorer::Standing& standing) {
    outcome_.finished = standing.exhaustive() && outcome_.cuts.empty();
    finish(outcome_.finished && standing.proven, why_no_proof(standing));
    // Nobody knows how much lies behind a cut.
    if (outcome_.cuts.empty()) outcome_.explored = {1, 1};
  }

  // Between two executions: whether a bound or the watcher ends the exploration.
  bool has_to_stop() {
    if (bounds_.max_executions != 0 && outcome_.tally.total() >= bounds_.max_executions) {
      stopped_by(Cut::kMaxExecutions);
      return true;
    }
    if (bounds_.slice != 0 && ++in_slice_ >= bounds_.slice) {
      pause();
      return true;
    }
    if (--until_look_ != 0 && clock_ticks.load(std::memory_order_relaxed) == ticks_) return false;
    ticks_ = clock_ticks.load(std::memory_order_relaxed);
    // Looking at the clock costs as much as a short execution: do it every 64th time.
    until_look_ = 64;
    const double now = monotonic_seconds();
    if (bounds_.time_limit > 0 && now - start_ >= bounds_.time_limit) {
      stopped_by(Cut::kTimeLimit);
      return true;
    }
    if (now < next_look_) return false;
    next_look_ = now + 0.001;
    watcher_.progress(outcome_.tally, explored());
    if (watcher_.stop()) {
      finish(false, "it was interrupted");
      return true;
    }
    if (watcher_.pause()) pause();
    return outcome_.paused;
  }

  void pause() {
    outcome_.paused = true;
    finish(false, "it is paused");
  }

  // Whether nothing of this counts. After an error it does: the error is real all the same.
  bool is_outdated() {
    outcome_.outdated = outcome_.outdated || (!over_ && machine_.outdated());
    return outcome_.outdated;
  }

  bool plan(End end) {
    if (!needs_.probe && !failed_) return explorer_.plan(trace_, frontier(), end);
    if (!failed_) last_frontier_ = frontier();
    return explorer_.plan(trace_, last_frontier_, end);
  }

  // Runs one execution: the prefix that is kept, then what the explorer chooses.
  End execution() {
    failed_ = false;
    const std::size_t kept = explorer_.keep();
    trace_.truncate(kept);
    if (alone_ == Alone::kYes && block_table.values_size() > kManyValues)
      block_table.keep_values(trace_.events());
    trace_.postpone_order(explorer_.orders_itself());
    // A watcher may have used the machine.
    machine_.follow(&trace_);
    machine_.let_loops_wait(needs_.loops_wait);
    machine_.restart();
    unrolling_.restart();
    if (note_failure()) return End::kBounded;
    for (EventIndex i = 0; i < trace_.size(); ++i) {
      stop_if_wished();
      const Event& event = run(trace_[i].step());
      if (!same_event(event, trace_[i])) return diverged(event, trace_[i], i);
      if (note_failure()) return End::kBounded;
    }
    End end = End::kComplete;
    for (;;) {
      stop_if_wished();
      MaybeStep step;
      try {
        step = explorer_.choose(trace_, frontier());
      } catch (const std::logic_error& error) {
        return unsupported(error.what());
      }
      if (!step) {
        if (loop_cut_) end = End::kBounded;
        if (explorer_.blocked()) end = End::kBlocked;
        break;
      }
      if (trace_.size() >= bounds_.max_steps) {
        machine_.cut_short();
        if (!outcome_.cuts.contains(Cut::kMaxSteps)) outcome_.busiest = busiest(trace_);
        outcome_.cuts.add(Cut::kMaxSteps);
        end = End::kBounded;
        break;
      }
      trace_.append(run(*step));
      const Label& label = trace_.events().back().label;
      if (needs_.memory == MemoryModel::kSc) weak_.met(label);
      if (note_failure()) return End::kBounded;
    }
    if (is_outdated()) return end;
    if (__builtin_expect(unrolling_.on(), 0)) unrolling_.note_execution(trace_);
    weak_.look(trace_, kept, needs_.order && !trace_.postpones_order());
    count(end);
    if (bounds_.repeat && !over_) repeat();
    return end;
  }

  // What can be run next: the machine's frontier without the threads whose loops are cut.
  const Frontier& frontier() {
    const Frontier& all = machine_.frontier();
    if (__builtin_expect(!unrolling_.on(), 1)) return all;
    const Frontier& limited = unrolling_.limit(all, loop_cut_);
    if (loop_cut_) outcome_.cuts.add(Cut::kUnroll);
    return limited;
  }

  const Event& run(Step step) {
    if (__builtin_expect(unrolling_.on(), 0))
      if (const Pending* next = machine_.frontier().find(step.thread)) unrolling_.run(*next);
    return machine_.run(step);
  }

  // Runs the same steps again: every event must be what it was.
  void repeat() {
    machine_.restart();
    for (EventIndex i = 0; i < trace_.size(); ++i) {
      const Event& event = machine_.run(trace_[i].step());
      if (!same_event(event, trace_[i])) {
        diverged(event, trace_[i], i);
        return;
      }
    }
  }

  void count(End end) {
    Tally& tally = outcome_.tally;
    tally.events += trace_.size();
    tally.depth = trace_.size();
    if (end == End::kBlocked) {
      ++tally.blocked;
    } else if (end == End::kBounded) {
      ++tally.bounded;
    } else {
      const Frontier& frontier = machine_.frontier();
      const Stuck why = machine_.left_behind() ? Stuck::kNo : stuck(machine_, frontier);
      if (machine_.left_behind()) {
        ++tally.bounded;
        outcome_.cuts.add(Cut::kPlainLoop);
      } else if (why == Stuck::kNoDeadline) {
        ++tally.bounded;
      } else if (why == Stuck::kAssume) {
        ++tally.assume_blocked;
      } else {
        ++tally.complete;
      }
      if (why == Stuck::kDeadlock && bounds_.standstill_fails) {
        const Failure failure = describe_deadlock(machine_, frontier);
        report(failure);
      }
    }
    if (failed_) {
      ++tally.failures;
      last_frontier_ = this->frontier();  // the watcher may use the machine
    }
    watcher_.ended(trace_, tally, end);
  }

  // Returns whether the exploration is over because of a failure.
  bool note_failure() {
    const Failure* failure = machine_.failure();
    if (failure == nullptr) return false;
    if (failure->kind == FailureKind::kUnsupported) {
      if (is_outdated()) return true;
      watcher_.failed(trace_, machine_.frontier(), *failure);
      outcome_.verdict = Verdict::kUnsupported;
      outcome_.reason = failure->message.text;
      over_ = true;
      return true;
    }
    if (failure->kind == FailureKind::kStepLimit) {
      watcher_.failed(trace_, machine_.frontier(), *failure);
      over_ = true;
      stopped_by(Cut::kStepLimit);
      return true;
    }
    report(*failure);
    if (over_) {
      outcome_.tally.events += trace_.size();
      ++outcome_.tally.complete;
      ++outcome_.tally.failures;
    }
    return over_;
  }

  void report(const Failure& failure) {
    failed_ = true;
    found_bug_ = true;
    outcome_.verdict = Verdict::kBug;
    watcher_.failed(trace_, machine_.frontier(), failure);
    if (!bounds_.keep_going) over_ = true;
  }

  End diverged(const Event& now, const Event& then, EventIndex at) {
    return unsupported(describe_divergence(now, then, at), now.thread, now.label.pc);
  }

  // Something was not controlled: whatever is found from here on cannot be trusted.
  End unsupported(Message message, ThreadId thread = kNoThread, std::uint64_t pc = 0) {
    if (is_outdated()) return End::kBounded;
    Failure failure;
    failure.kind = FailureKind::kUnsupported;
    failure.thread = thread;
    failure.message = std::move(message);
    if (pc != 0) failure.stack.push_back(pc);
    watcher_.failed(trace_, machine_.frontier(), failure);
    outcome_.verdict = Verdict::kUnsupported;
    outcome_.reason = failure.message.text;
    over_ = true;
    return End::kBounded;
  }

  // Notes what others have cut off: the explorer by its bound on schedules, the machine because it
  // tries only some values.
  void note_cuts(ScheduleBound reached) {
    if (reached == ScheduleBound::kContexts) outcome_.cuts.add(Cut::kContexts);
    if (reached == ScheduleBound::kPreemptions) outcome_.cuts.add(Cut::kPreemptions);
    if (reached == ScheduleBound::kDelays) outcome_.cuts.add(Cut::kDelays);
    if (machine_.sampled()) outcome_.cuts.add(Cut::kNondet);
    if (machine_.skips_timeouts()) outcome_.cuts.add(Cut::kTimeouts);
    if (machine_.leaves_out_time()) outcome_.cuts.add(Cut::kTime);
  }

  std::string why_no_proof(const Explorer::Standing& standing) const {
    if (!outcome_.cuts.empty()) return reason(outcome_.cuts);
    return standing.exhaustive() ? kUnproven : standing.doubt;
  }

  void start_over(unsigned restarts) {
    restarts_ = restarts;
    outcome_.tally = {};
    estimate_ = {};
    watcher_.started_over();
  }

  // Nothing can be learned from executions that were all cut.
  Explored explored() const {
    const Tally& tally = outcome_.tally;
    return tally.complete + tally.assume_blocked > 0 ? estimate_.explored(tally.total())
                                                     : Explored{};
  }

  // It was stopped within an execution, or while the explorer planned the next one.
  void stopped_midway() {
    if (!watcher_.stop()) return stopped_by(Cut::kTimeLimit);
    finish(false, "it was interrupted");
  }

  void stopped_by(Cut cut) {
    outcome_.cuts.add(cut);
    finish(false, reason(outcome_.cuts));
  }

  void finish(bool proof, std::string why_not) {
    if (found_bug_) return;
    outcome_.verdict = proof ? Verdict::kVerified : Verdict::kIncomplete;
    if (!proof) outcome_.reason = std::move(why_not);
  }

  Machine& machine_;
  Explorer& explorer_;
  const Bounds& bounds_;
  Watcher& watcher_;
  const Alone alone_;
  std::unique_ptr<Portfolio> portfolio_;  // null: there is none, or not yet
  Unrolling unrolling_;
  bool loop_cut_ = false;  // a thread of this state would exceed --unroll
  const Explorer::Needs needs_;
  Trace trace_;
  LoopProbe probe_;
  const double start_ = monotonic_seconds();
  double next_look_ = start_;   // when the watcher is asked again
  unsigned until_look_ = 1;     // executions until the clock is looked at
  unsigned ticks_ = 0;          // of the clock, seen so far
  std::uint64_t in_slice_ = 0;  // executions since the last pause
  WeakOperations own_weak_;
  WeakOperations& weak_;
  Estimate estimate_;
  unsigned restarts_ = 0;  // of the explorer, so far
  Frontier last_frontier_;
  Outcome outcome_;
  bool ended_ = false;      // the explorer has nothing more to run
  bool over_ = false;       // nothing more is to be run
  bool failed_ = false;     // this execution had an error
  bool found_bug_ = false;  // some execution had one
};

bool Exploration::Loop::run_portfolio() {
  if (!bounds_.portfolio || over_) return true;
  if (portfolio_ == nullptr)
    portfolio_ = std::make_unique<Portfolio>(
        bounds_.portfolio_seed, [this](std::unique_ptr<Explorer> explorer, bool spurious_wakeups) {
          return make_walk(machine_, std::move(explorer), spurious_wakeups, bounds_, watcher_);
        });
  if (__builtin_expect(!portfolio_->is_due(outcome_.tally), 1)) return true;
  watcher_.portfolio(true, portfolio_->tally());
  bool goes_on = true;
  while (goes_on && portfolio_->has_turn(outcome_.tally, explored())) {
    const Outcome& found = portfolio_->turn(outcome_.tally, bounds_.max_steps);
    if (found.verdict == Verdict::kBug) {
      found_bug_ = true;
      outcome_.verdict = Verdict::kBug;
      goes_on = bounds_.keep_going;
    } else if (found.verdict == Verdict::kUnsupported) {
      outcome_.verdict = Verdict::kUnsupported;
      outcome_.reason = found.reason;
      goes_on = false;
    } else if (found.cuts.contains(Cut::kStepLimit)) {
      stopped_by(Cut::kStepLimit);
      goes_on = false;
    } else if (is_outdated()) {
      goes_on = false;
    } else if (stop_wished() || watcher_.stop()) {
      stopped_midway();
      goes_on = false;
    }
  }
  outcome_.portfolio = portfolio_->tally();
  watcher_.portfolio(false, outcome_.portfolio);
  return goes_on;
}

Exploration::Exploration(Machine& machine, Explorer& explorer, const Bounds& bounds,
                         Watcher& watcher, Alone alone, WeakOperations* weak)
    : loop_(std::make_unique<Loop>(machine, explorer, bounds, watcher, alone, weak)) {}
Exploration::~Exploration() = default;
const Outcome& Exploration::run() { return loop_->run(); }
bool Exploration::ended() const { return loop_->ended(); }

bool same_event(const Event& a, const Event& b) {
  return a.thread == b.thread && a.choice == b.choice && a.ways == b.ways &&
         a.label.kind == b.label.kind && a.label.object == b.label.object &&
         a.label.size == b.label.size && a.label.read == b.label.read &&
         a.label.written == b.label.written && a.label.success == b.label.success &&
         a.label.pc == b.label.pc && a.label.ref == b.label.ref;
}

Outcome explore(Machine& machine, Explorer& explorer, const Bounds& bounds, Watcher& watcher) {
  return Exploration(machine, explorer, bounds, watcher).run();
}

}  // namespace mazur
