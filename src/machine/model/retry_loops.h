// Loops of model programs that come back to where they were: a backward jump, with nothing changed.
// They are judged as on the native machine (trace/blocking/lock_round.h).
//
// The state of a program knows nothing of this. So the same program can be searched without it: its
// states are finitely many, and whatever ends can be compared (tests/model/retry_test.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "machine/model/state.h"
#include "trace/blocking/lock_round.h"

namespace mazur::model {

// Whether a program has backward jumps besides counted loops.
bool has_retry_loops(const Program& program);

class RetryLoops {
 public:
  // `heed_calls`: threads stop when a call that takes several mutexes has failed.
  RetryLoops(const Program& program, bool heed_calls);
  // Threads stand where they do in this state, and nothing has happened.
  void restart(const State& state);
  // After an event, the one with this position.
  void ran(const Event& event, const State& state, std::uint64_t step);
  // When `trace` has all events so far: stops threads that know of a repetition.
  void decide(const Trace& trace);
  // Whether a thread has stopped after a round in vain.
  bool stopped(ThreadId thread) const { return loops_[thread].stopped; }
  // What it met there first.
  ObjectId met(ThreadId thread) const { return loops_[thread].met; }
  // Whether every thread that has stopped would only do the same again. `blocked` are those that
  // would wait for a mutex in a call.
  bool stands_still(const State& state, std::vector<ThreadId>& blocked) const;
  // Which look a thread stands at (trace/blocking/look.h), or 0.
  std::uint64_t look(ThreadId thread) const { return loops_[thread].look; }
  // Whether a mutex that a call has met was tried elsewhere, so that calls must not be heeded.
  bool failed() const { return failed_; }

 private:
  // An operation that the thread has stood at since it last changed something.
  struct Visit {
    ThreadState where;
    LockRound round;         // since then
    std::uint64_t look = 0;  // its name there
    unsigned events = 0;     // of this thread since then, without yields
    std::uint64_t read = 0;  // by the first of these, which ran where it stands
  };
  struct Loop {
    std::vector<Visit> visits;
    bool stopped = false;
    bool undecided = false;
    std::uint64_t last_begin = 0;  // of its last round
    ObjectId met = 0;
    std::uint64_t look = 0;
    bool in_call = false;  // the operation at hand belongs to a call
    bool refused = false;  // in which a try has failed
  };
  // Whether the event of this thread has left everything as it was. A store that has done so looks
  // at what was there, and no explorer knows that: so only at a variable that is the thread's own.
  bool changed_nothing(ThreadId thread, const Label& did) const;
  // Before `arrives`: the thread did this.
  void note_call(const Event& event, const State& state);
  bool stands_in_call(ThreadId thread, const State& state) const;
  // The name of the look that a thread stands at, or 0.
  std::uint64_t name_of(ThreadId thread, const State& state) const;
  // After so many events.
  void arrives(ThreadId thread, const State& state, std::uint64_t events);

  const Program* program_;
  bool heed_calls_;
  bool failed_ = false;
  std::vector<ObjectId> inside_,
      outside_;                   // mutexes that calls have met, and that others looked at
  std::vector<ThreadId> owners_;  // of variables: the only thread that names it, or kNoThread
  std::vector<Loop> loops_;
  LoopVisits all_visits_;
  std::vector<ThreadState> names_;  // of states
};

}  // namespace mazur::model
