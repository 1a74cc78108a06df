// done(E) for every prefix E of the current execution: the steps that have been explored after it.
//
// With observers a sleep set is not enough. A store that slept may run after another store to the
// same bytes, and only a later read tells whether that is new (section 2.2 of the context-sensitive
// paper, after Aronis et al.). So steps stay in here when they have run, as long as they are weak
// initials of everything that was run since: then they are the members of some done(w) that
// redundant(E', done) has to look at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/observers/consistency.h"
#include "explore/step_table.h"

namespace mazur {

class DoneSets {
 public:
  struct Entry {
    StepId step;
    EventIndex origin;  // explored after the prefix of this length
    bool asleep;        // has not run since
    bool overtaken;  // asleep, but a store that it does not count as dependent on wrote its bytes
    bool cut;        // not really explored: all that starts with it is known (dont_do.h)
    // Orders of equal operations were left out after it, and not all executions are equal to one
    // with it first. Then it covers only what starts with it: a race that turns it round may have
    // been found in an order that is left out here.
    bool pruned;
    // For a single store: its bytes that others have written since. Had the store come first, what
    // reads them now would not have seen it (Consistency::match, match_ran).
    std::uint64_t hidden = 0;
  };

  DoneSets(const StepTable& steps, const Observation& observation)
      : steps_(steps), observation_(observation), since_(observation) {}

  // Prefixes of lengths 0 .. depth() - 1 are known.
  std::size_t depth() const { return ends_.size(); }
  // For the prefix of this length: the explored steps p of its prefixes w, with p in WI(w') for the
  // rest w' of it.
  std::span<const Entry> at(std::size_t depth) const {
    const std::uint32_t begin = depth == 0 ? 0 : ends_[depth - 1];
    return {entries_.data() + begin, ends_[depth] - begin};
  }
  // Whether the step was explored after some w and is independent of all that came since.
  bool asleep(std::size_t depth, Step step) const;

  // Goes on to the prefix of length depth() of the trace.
  void push(const Trace& trace);
  // Keeps prefixes shorter than `depth`.
  void truncate(std::size_t depth);
  // The step has been explored after the longest prefix.
  void add(StepId step, bool cut, bool pruned);

 private:
  bool run(const Trace& trace, Entry& entry);
  bool still_weak_initial(const Trace& trace, const Entry& entry);

  const StepTable& steps_;
  const Observation& observation_;
  Consistency since_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> ends_;  // by length of the prefix
};

}  // namespace mazur
