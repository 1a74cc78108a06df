// The loop: machine, trace and explorer, execution after execution, with bounds and verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/busiest.h"
#include "check/estimate.h"
#include "check/unrolling.h"
#include "explore/explorer.h"
#include "machine/machine.h"
#include "protocol/bounds.h"
#include "protocol/verdict.h"
#include "trace/trace.h"

namespace mazur {

// Watches the loop. All functions are called between steps or executions, never concurrently.
class Watcher {
 public:
  virtual ~Watcher() = default;
  // An error, with the trace up to it and the frontier after it.
  virtual void failed(const Trace& trace, const Frontier& frontier, const Failure& failure) = 0;
  // An execution is over.
  virtual void ended(const Trace&, const Tally&, End) {}
  // The explorer begins again: the executions so far do not count. Errors in them are real.
  virtual void started_over() {}
  // The portfolio (check/portfolio) begins a turn: the executions that follow are its own. Or it is
  // over. `so_far`: its executions.
  virtual void portfolio(bool /*runs*/, const Tally& /*so_far*/) {}
  // Asked now and then: true ends the exploration early.
  virtual bool stop() { return false; }
  // Asked as often, and between two executions: true pauses the exploration (Outcome::paused).
  virtual bool pause() { return false; }
  // Asked between executions, about every millisecond at most.
  virtual void progress(const Tally&, const Explored&) {}
};

// Outcome::reason when all was explored by an algorithm that rests on tests alone.
inline constexpr char kUnproven[] = "this algorithm is not proven to reach every outcome";

struct Outcome {
  Verdict verdict = Verdict::kVerified;
  Tally tally;
  Tally portfolio;     // of the executions beside the exploration (check/portfolio)
  std::string reason;  // why it is not a proof: the bound that was hit, what was not controlled
  Explored explored;   // how much is done
  Cuts cuts;           // what was cut off; filled in for a bug, too
  // Of the last execution, if none ran to its end; else of the first that had too many steps.
  Busiest busiest;
  std::vector<CutLoop> cut_loops;  // by --unroll
  // Schedules that show operations weaker than seq_cst in races (check/weak_operations.h).
  std::vector<std::vector<Step>> weak_examples;
  // Everything was explored that the explorer would ever explore, and nothing was cut. It is a
  // proof if the explorer is proven, too (Explorer::Standing).
  bool finished = false;
  // It has stopped between two executions because somebody wished so: the watcher, or bounds.slice.
  // What is left can be gone on with (Exploration::run), or handed on (Divisible).
  bool paused = false;
  // Nothing of this counts: the machine is outdated() and has to be explored from the beginning by
  // a new explorer.
  bool outdated = false;
};

// Runs the explorer on the machine until everything is explored, an error is found (unless
// bounds.keep_going), a bound is hit or the watcher stops it. With bounds.portfolio, other walks
// look for errors between the executions of a long exploration.
//
// Every replayed prefix is verified: an event that differs from what was recorded gives
// kUnsupported. The verdict is never kVerified if an execution was cut by a bound, or if the
// explorer is not exhaustive.
Outcome explore(Machine& machine, Explorer& explorer, const Bounds& bounds, Watcher& watcher);

// Runs one given schedule. If the schedule ends early, continues with the lowest enabled thread.
// `trace` holds the events afterwards. Stops at the first failure at the end of the schedule or
// behind it. An earlier failure is reported if there is no other, or if the schedule cannot go on
// from there. Returns kUnsupported if a step of the schedule is not possible.
Outcome replay(Machine& machine, std::span<const Event> schedule, const Bounds& bounds,
               Trace& trace, Watcher& watcher);

// The error of an execution in which no thread is enabled: a deadlock, or none.
std::optional<Failure> failure_at_end(Machine& machine);

// Whether two executions of the same step did the same thing.
bool same_event(const Event& a, const Event& b);

// The same for executions in different processes, where libraries may lie elsewhere. Addresses are
// not compared, nor are values that may be addresses.
bool same_operation(const Event& a, const Event& b);

}  // namespace mazur
