// An Explorer decides what to run next. It sees labels and the order of events, never a machine.
//
// One execution, as check/loop.cpp runs it:
//
//   trace.truncate(explorer.keep());  // the machine repeats this prefix, and it is compared
//   while (auto step = explorer.choose(trace, frontier))
//     trace.append(machine.run(*step));
//   more = explorer.plan(trace, frontier, end);  // false: everything is explored
//
// Contract:
//  1. choose() is called once per new event, at trace.size() >= keep(), in order. It is never
//     called for the replayed prefix. It returns an enabled thread with a choice below its ways, or
//     nothing if the execution is over: because nothing is enabled, or because the rest is
//     redundant (then blocked() is true).
//  2. plan() is called once at the end of every execution, with the frontier of the last state.
//  3. Between executions an explorer's state is plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "explore/options.h"
#include "explore/probe.h"
#include "trace/frontier.h"
#include "trace/trace.h"

namespace mazur {

// How an execution ended.
enum class End : std::uint8_t {
  kComplete,  // ran to its end: finished, deadlocked, or stopped by failed assumes
  kBlocked,   // choose() gave up on a redundant execution
  kBounded,   // cut by a bound: the trace is not maximal
};

class Divisible;

class Explorer {
 public:
  // What it asks of trace, machine and loop. The same for as long as it lives.
  struct Needs {
    // The trace keeps the dependence order: vector clocks and races. Random walks do without.
    bool order = true;
    // Frontiers name the state. Then the machine must be able to.
    bool states = false;
    // Executions on the side (use_probe). Then plan() is given a frontier that outlives them.
    bool probe = false;
    // A thread that has gone round in a loop in vain waits there, and may go on. Otherwise it stops
    // for good, because another execution does without that round; a walk has only this one.
    bool loops_wait = false;
    // Knows looks (trace/blocking/look.h): a load of which it is known that its thread would only come
    // back to it is not enabled.
    bool looks = false;
    // Whose executions it explores. Then the machine must know the model.
    MemoryModel memory = MemoryModel::kSc;
  };

  // What the exploration so far is worth.
  struct Standing {
    // Why not everything is covered although plan() has returned false; nullptr if everything is.
    // Random walks never finish, and others may have had to leave something out.
    const char* doubt = nullptr;
    // Whether the algorithm, on operations as it has met them, is proven to reach every outcome.
    // One that rests on tests alone gives no proof, however much it has explored.
    bool proven = true;
    // How often it has begun again from the start. What was explored before that does not count.
    unsigned restarts = 0;
    // The bound of the options, if it has kept schedules from being explored.
    ScheduleBound reached = ScheduleBound::kNone;

    bool exhaustive() const { return doubt == nullptr; }
  };
  // A doubt that several have.
  static constexpr char kSomeOrders[] = "for some operations this algorithm did not try all orders";

  virtual ~Explorer() = default;

  virtual MaybeStep choose(const Trace& trace, const Frontier& frontier) = 0;
  virtual bool plan(const Trace& trace, const Frontier& frontier, End end) = 0;
  // How many events of the last trace the next execution repeats.
  virtual std::size_t keep() const = 0;
  // After choose() has returned nothing: whether it did so because the execution is redundant.
  virtual bool blocked() const { return false; }
  // Whether choose() and plan() do without the order of the next execution beyond keep(), or call
  // Trace::complete(), as long as it has only loads, stores, creations and joins.
  virtual bool orders_itself() const { return false; }

  virtual Needs needs() const { return {}; }
  virtual Standing standing() const { return {}; }
  // With Needs::probe: a way to run executions on the side, until it is given nullptr.
  virtual void use_probe(Probe*) {}

  // The same explorer as one whose work can be shared, or nullptr.
  virtual Divisible* divisible() { return nullptr; }

  // An estimate of the part of the exploration tree that is done, in [0, 1]; 0 when unknown.
  virtual double progress() const { return 0; }
  // With options.statistics, some lines for people about what it did; empty if it has none.
  virtual std::string statistics() const { return {}; }
};

// Makes the explorer with this name (registry.h). Returns nullptr for an unknown one and for one
// that cannot keep to the bound.
std::unique_ptr<Explorer> make_explorer(std::string_view name, const ExplorerOptions& options);

}  // namespace mazur
