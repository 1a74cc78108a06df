// The loop of machine, trace and explorer and nothing else: no bounds, no probe, no verdict. For
// tests and benchmarks that look at an explorer alone.
#pragma once

#include <cstdint>

#include "explore/explorer.h"
#include "machine/machine.h"

namespace mazur {

struct Count {
  std::uint64_t complete = 0;
  std::uint64_t blocked = 0;
  std::uint64_t failed = 0;
  std::uint64_t total() const { return complete + blocked; }
};

// Runs execution after execution until all is explored. Calls look() after each.
template <typename Look>
Count run_all(Machine& machine, Explorer& explorer, Look&& look) {
  Trace trace;
  Count count;
  for (bool more = true; more;) {
    trace.truncate(explorer.keep());
    machine.restart();
    bool failed = false;
    for (EventIndex i = 0; i < trace.size(); ++i) {
      machine.run(trace[i].step());
      failed = failed || machine.failure() != nullptr;
    }
    while (const auto step = explorer.choose(trace, machine.frontier())) {
      trace.append(machine.run(*step));
      failed = failed || machine.failure() != nullptr;
    }
    const bool blocked = explorer.blocked();
    ++(blocked ? count.blocked : count.complete);
    count.failed += failed ? 1 : 0;
    more = explorer.plan(trace, machine.frontier(), blocked ? End::kBlocked : End::kComplete);
    look();
  }
  return count;
}

inline Count run_all(Machine& machine, Explorer& explorer) {
  return run_all(machine, explorer, [] {});
}

}  // namespace mazur
