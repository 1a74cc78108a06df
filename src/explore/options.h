// What can be chosen about an exploration. Plain data: it travels between processes.
#pragma once

#include <cstdint>

#include "trace/memory_model.h"

namespace mazur {

// In which order "an arbitrary enabled process" is picked (JACM Alg. 1 line 2, Alg. 2 line 12).
enum class PickOrder : std::uint8_t { kContinue, kLowest, kHighest, kRoundRobin, kRandom };

// What may be bounded about the schedules themselves (explore/walks/switch_cost.h).
enum class ScheduleBound : std::uint8_t { kNone, kPreemptions, kDelays, kContexts };

// What `context` is built on.
enum class ContextBase : std::uint8_t { kSource, kOptimal };

struct ExplorerOptions {
  bool sleep_sets = true;      // dpor only
  bool stored_states = false;  // lazy only: every final state instead of every trace
  PickOrder pick = PickOrder::kContinue;
  std::uint64_t seed = 1;        // random, pct, PickOrder::kRandom
  std::uint64_t executions = 0;  // random, pct: nothing is left after so many; 0: there is no end
  unsigned pct_depth = 3;        // pct: number of priority change points + 1
  unsigned pct_steps = 0;        // pct: expected length of an execution; 0: learn it
  // Only schedules with at most `most` of these; for "bounded" and "naive", no other explorer knows
  // how. kContexts: for "quasi" alone, which then leaves out alternatives with more switches.
  ScheduleBound schedule_bound = ScheduleBound::kNone;
  std::uint32_t most = 0xffffffff;
  unsigned quasi_k = 0;                     // quasi: k-partial alternatives; 0: optimal
  bool statistics = false;                  // quasi: measure what statistics() tells
  ContextBase base = ContextBase::kSource;  // context only
  // context and context-observers: the rules as the paper has them, which can leave out executions
  // that matter; for comparison with it.
  bool published_rules = false;
  // observers: the machine reports data races, so it matters which messages a thread has
  // synchronised with, even if it did not look at them.
  bool data_races = false;
  // graph: which executions there are. The others know sequential consistency alone.
  MemoryModel memory = MemoryModel::kSc;
};

}  // namespace mazur
