#include "check/loop.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/seconds.h"
#include "base/stop.h"
#include "check/conclusion.h"
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
#include "trace/blocking/look.h"
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
        weak_(weak != nullptr ? *weak : own_weak_),
        conclusion_(machine, trace_, bounds, watcher) {
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
        if (conclusion_.is_outdated() || conclusion_.over()) break;
        more = plan(end);
      } catch (const std::logic_error& error) {
        conclusion_.unsupported(error.what());
        break;
      } catch (const Stopped&) {
        conclusion_.stopped_midway();
        break;
      }
      if (conclusion_.is_outdated()) break;  // an execution on the side has shown it
      const Explorer::Standing standing = explorer_.standing();
      if (__builtin_expect(standing.restarts != restarts_, 0)) start_over(standing.restarts);
      conclusion_.note_cuts(standing.reached);
      if (!more) {
        conclusion_.all_explored(standing);
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
    machine_.know_looks(false);
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

  // Between two executions: whether a bound or the watcher ends the exploration.
  bool has_to_stop() {
    if (bounds_.max_executions != 0 && outcome_.tally.total() >= bounds_.max_executions) {
      conclusion_.stopped_by(Cut::kMaxExecutions);
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
      conclusion_.stopped_by(Cut::kTimeLimit);
      return true;
    }
    if (now < next_look_) return false;
    next_look_ = now + 0.001;
    watcher_.progress(outcome_.tally, explored());
    if (watcher_.stop()) {
      conclusion_.stopped("it was interrupted");
      return true;
    }
    if (watcher_.pause()) pause();
    return outcome_.paused;
  }

  void pause() {
    outcome_.paused = true;
    conclusion_.stopped("it is paused");
  }

  bool plan(End end) {
    const bool kept = conclusion_.failed() || standstill_;
    if (!needs_.probe && !kept) return explorer_.plan(trace_, frontier(), end);
    if (!kept) last_frontier_ = frontier();
    return explorer_.plan(trace_, last_frontier_, end);
  }

  // Runs one execution: the prefix that is kept, then what the explorer chooses.
  End execution() {
    conclusion_.start_execution();
    standstill_ = false;
    const std::size_t kept = explorer_.keep();
    trace_.truncate(kept);
    if (alone_ == Alone::kYes && block_table.values_size() > kManyValues)
      block_table.keep_values(trace_.events());
    trace_.postpone_order(explorer_.orders_itself());
    // A watcher may have used the machine.
    machine_.follow(&trace_);
    machine_.let_loops_wait(needs_.loops_wait);
    machine_.know_looks(needs_.looks);
    machine_.restart();
    unrolling_.restart();
    if (conclusion_.note_failure()) return End::kBounded;
    for (EventIndex i = 0; i < trace_.size(); ++i) {
      stop_if_wished();
      const Event& event = run(trace_[i].step());
      if (!same_event(event, trace_[i])) return diverged(event, i);
      if (conclusion_.note_failure()) return End::kBounded;
    }
    End end = End::kComplete;
    for (;;) {
      stop_if_wished();
      MaybeStep step;
      try {
        step = explorer_.choose(trace_, frontier());
      } catch (const std::logic_error& error) {
        conclusion_.unsupported(error.what());
        return End::kBounded;
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
      if (conclusion_.note_failure()) return End::kBounded;
    }
    if (conclusion_.is_outdated()) return end;
    if (__builtin_expect(unrolling_.on(), 0)) unrolling_.note_execution(trace_);
    weak_.look(trace_, kept, needs_.order && !trace_.postpones_order());
    count(end);
    if (bounds_.repeat && !conclusion_.over()) repeat();
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
        diverged(event, i);
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
      if (why == Stuck::kDeadlock && bounds_.standstill_fails) report_standstill(frontier);
    }
    if (conclusion_.failed()) {
      ++tally.failures;
      if (!standstill_) last_frontier_ = this->frontier();  // the watcher may use the machine
    }
    watcher_.ended(trace_, tally, end);
  }

  // Nobody can go on from here. The schedule that is reported shows every look that is in vain once; the
  // explorer sees the execution without them.
  void report_standstill(Frontier shown) {
    standstill_ = true;
    last_frontier_ = frontier();
    const std::size_t size = trace_.size();
    for (Pending& p : shown.mutable_threads()) {
      if (!is_look(p.op)) continue;
      const Pending* then = nullptr;
      do {
        trace_.append(run({p.thread, 0}));
        then = machine_.frontier().find(p.thread);
      } while (then != nullptr && then->op.kind == OpKind::kYield);
      if (then == nullptr || !is_in_vain(then->op))
        return conclusion_.unsupported("a loop ends that was known to wait");
      p.op = then->op;
    }
    conclusion_.report(describe_deadlock(machine_, shown));
    trace_.truncate(size);
  }

  End diverged(const Event& now, EventIndex at) {
    conclusion_.diverged(now, trace_[at], at);
    return End::kBounded;
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
  bool standstill_ = false;  // nobody could go on in the end
  Conclusion conclusion_;
  Outcome& outcome_ = conclusion_.outcome;
  bool ended_ = false;  // the explorer has nothing more to run
};

bool Exploration::Loop::run_portfolio() {
  if (!bounds_.portfolio || conclusion_.over()) return true;
  if (portfolio_ == nullptr)
    portfolio_ = std::make_unique<Portfolio>(
        bounds_.portfolio_seed, [this](std::unique_ptr<Explorer> explorer, bool spurious_wakeups) {
          return make_walk(machine_, std::move(explorer), spurious_wakeups, bounds_, watcher_);
        });
  if (__builtin_expect(!portfolio_->is_due(outcome_.tally), 1)) return true;
  watcher_.portfolio(true, portfolio_->tally());
  bool goes_on = true;
  while (goes_on && portfolio_->has_turn(outcome_.tally, explored()))
    goes_on = conclusion_.note_portfolio(portfolio_->turn(outcome_.tally, bounds_.max_steps));
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
