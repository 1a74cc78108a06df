// An Explorer decides what to run next. It sees labels and the order of events, never a machine.
//
// One execution, as check/loop.cpp runs it:
//
//   trace.truncate(explorer.keep());            // the machine repeats this prefix, which is
//   verified while (auto step = explorer.choose(trace, frontier)) trace.append(machine.run(*step));
//   more = explorer.plan(trace, frontier, end)  // false: everything is explored
//
// Contract:
//  1. choose() is called once per new event, at trace.size() >= keep(), in order. It is never
//     called for the replayed prefix. It returns an enabled thread with a choice below its ways, or
//     nothing: the execution is over, either because nothing is enabled or because the rest is
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

class Explorer {
 public:
  virtual ~Explorer() = default;
  virtual MaybeStep choose(const Trace& trace, const Frontier& frontier) = 0;
  virtual bool plan(const Trace& trace, const Frontier& frontier, End end) = 0;
  // How many events of the last trace the next execution repeats.
  virtual std::size_t keep() const = 0;
  // Whether the last choose() returned nothing because the execution is redundant.
  virtual bool blocked() const { return false; }
  // Whether the trace must keep the dependence order (vector clocks and races); random walks do
  // without.
  virtual bool needs_order() const { return true; }
  // Whether choose() and plan() do without the order of the next execution beyond keep(), if it has
  // only loads, stores, creations and joins; or call Trace::complete().
  virtual bool orders_itself() const { return false; }
  // Whether frontiers must name the state; then the machine must be able to.
  virtual bool needs_states() const { return false; }
  // Whether plan() == false means that every trace has been covered. Random walks never finish, and
  // others may have had to leave something out.
  virtual bool exhaustive() const { return true; }
  // Why it has not, if exhaustive() says so.
  virtual const char* doubt() const {
    return "for some operations this algorithm did not try all orders";
  }
  // Whether the algorithm, on operations as it has met them, is proven to reach every outcome. One
  // that rests on tests alone gives no proof, however much it has explored.
  virtual bool proven() const { return true; }
  // How often it has begun again from the start. What was explored before that does not count.
  virtual unsigned restarts() const { return 0; }
  // The bound of the options, if it has kept schedules from being explored.
  virtual ScheduleBound reached() const { return ScheduleBound::kNone; }
  // Whether it can explore programs with atomic blocks (trace/block.h).
  virtual bool takes_blocks() const { return true; }
  // Gives the explorer a way to run executions on the side, for as long as it lives. Returns
  // whether it has use for it; then plan() is given a frontier that outlives such executions.
  virtual bool use_probe(Probe*) { return false; }
  // An estimate of the part of the exploration tree that is done, in [0, 1]; 0 when unknown.
  virtual double progress() const { return 0; }
  // With options.statistics, some lines for people about what it did; empty if it has none.
  virtual std::string statistics() const { return {}; }
};

// Makes the explorer with this name (registry.h). Returns nullptr for an unknown one and for one that
// cannot keep to the bound.
std::unique_ptr<Explorer> make_explorer(std::string_view name, const ExplorerOptions& options);

}  // namespace mazur
