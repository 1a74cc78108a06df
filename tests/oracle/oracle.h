// The answer by brute force: every class of maximal executions of a model program, by search over
// all interleavings.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "happens_before.h"
#include "machine/model/program.h"
#include "machine/model/state.h"
#include "observed_class.h"

namespace mazur::model {

// How a maximal execution ends.
struct Ending {
  std::uint64_t state = 0;  // hash of the final state
  bool deadlock = false;    // nobody is enabled, not all have ended, and no assume has failed
  bool assumed_away = false;
  bool failure = false;  // some thread ended badly
  friend auto operator<=>(const Ending&, const Ending&) = default;
};
Ending ending(const State& state);

struct Answer {
  // False: there was too much to search, and the rest is meaningless.
  bool complete = false;
  std::unordered_map<ClassName, Ending> classes;
  // The classes modulo observability, and what executions show then.
  std::set<ClassName> observed_classes;
  std::set<Shown> shown;
  bool awaits = false;         // some execution awaits something
  bool waiting_loops = false;  // some loop waits
  bool messages = false;       // some execution sends one
  bool parts = false;          // the program accesses parts of variables
  // Some executions show more of the order of messages than others (observed_class.h).
  bool uneven_messages = false;
  // How many interleavings there are (saturating): what the naive explorer runs.
  std::uint64_t schedules = 0;
  // How many classes of prefixes there are.
  std::uint64_t prefixes = 0;
  // Empty, or how two executions of one class came to different states: the dependence is wrong.
  std::string inconsistent;

  std::set<Ending> endings() const;
};

// Prefixes of one class lead to the same state and the same classes, so each is searched once; that
// the state is indeed the same is checked. Gives up beyond `max_prefixes` of them or executions
// longer than `max_events`. Classes modulo observability cost more: only if `observed`.
Answer brute_force(const Program& program, std::uint64_t max_prefixes, std::size_t max_events = 200,
                   bool observed = false);

}  // namespace mazur::model
