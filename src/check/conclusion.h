// What an exploration comes to: how errors, cuts and what was not controlled make its outcome.
#pragma once

#include <cstdint>
#include <string>

#include "check/loop.h"

namespace mazur {

class Conclusion {
 public:
  // All of them outlive it. `trace` has the execution at hand.
  Conclusion(Machine& machine, const Trace& trace, const Bounds& bounds, Watcher& watcher)
      : machine_(machine), trace_(trace), bounds_(bounds), watcher_(watcher) {}

  Outcome outcome;

  // Nothing more is to be run.
  bool over() const { return over_; }
  // This execution had an error. A new one has none yet.
  bool failed() const { return failed_; }
  void start_execution() { failed_ = false; }

  // Whether nothing of this counts. After an error it does: the error is real all the same.
  bool is_outdated() {
    outcome.outdated = outcome.outdated || (!over_ && machine_.outdated());
    return outcome.outdated;
  }

  // After a step: whether the exploration is over because it failed.
  bool note_failure() {
    const Failure* failure = machine_.failure();
    return __builtin_expect(failure != nullptr, 0) && note(*failure);
  }
  void report(const Failure& failure);
  // Something was not controlled: whatever is found from here on cannot be trusted.
  void unsupported(Message message, ThreadId thread = kNoThread, std::uint64_t pc = 0);
  void diverged(const Event& now, const Event& then, EventIndex at);

  // Notes what others have cut off: the explorer by its bound on schedules, the machine because it
  // tries only some values.
  void note_cuts(ScheduleBound reached);
  // The explorer has nothing more to run.
  void all_explored(const Explorer::Standing& standing);
  // It was stopped within an execution, or while the explorer planned the next one.
  void stopped_midway();
  void stopped_by(Cut cut);
  void stopped(std::string why) { finish(false, std::move(why)); }
  // A turn of the portfolio came to this. Returns whether the exploration is to go on.
  bool note_portfolio(const Outcome& found);

 private:
  bool note(const Failure& failure);
  std::string why_no_proof(const Explorer::Standing& standing) const;
  void finish(bool proof, std::string why_not);

  Machine& machine_;
  const Trace& trace_;
  const Bounds& bounds_;
  Watcher& watcher_;
  bool over_ = false;
  bool failed_ = false;
  bool found_bug_ = false;  // some execution had an error
};

}  // namespace mazur
