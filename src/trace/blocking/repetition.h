// The search for events that can be left out (LoopVisits::repeats).
#pragma once

#include <cstdint>
#include <vector>

#include "trace/blocking/lock_round.h"
#include "trace/trace.h"

namespace mazur {

class Repetition {
 public:
  Repetition(const LoopVisits& visits, const Trace& trace, ThreadId thread);
  bool exists(std::uint64_t last_begin);

 private:
  // What a thread did between two visits in the same state: its events from position
  // `begin` on and before `end`.
  struct Window {
    ThreadId thread;
    std::uint64_t begin, end;
  };
  // Short ones first.
  void find_windows(ThreadId thread, std::vector<Window>& out) const;
  // Whether the rest of the execution is possible without `left_out_`, with more left out if
  // necessary.
  bool works();
  // The first event that would be another one, or kNoEvent. `impossible`: none can help.
  EventIndex first_conflict(bool& impossible) const;
  bool is_left_out(EventIndex e) const;

  const LoopVisits& visits_;
  const Trace& trace_;
  const ThreadId thread_;
  std::vector<EventIndex> known_;  // what has happened before the thread's last event
  std::vector<Window> left_out_;
  int budget_;
};

}  // namespace mazur
