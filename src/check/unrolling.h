// Counts the iterations of loops in an execution, from the outside: by where operations are.
//
// A thread that comes back to a place (the same program counter, called the same way) has begun
// another iteration. The places a thread has been at are kept in the order of their first visit.
// When it comes back to one, those after it are forgotten: they belong to the iteration that is
// over. For example, the inner loop of
//
//   A B C B C B C A B C
//
// is counted at B: 3 iterations, and then 1 in the second iteration of A's loop.
//
// Which loops are cut: those with a bound of their own (Bounds::loops), and with Bounds::unroll all
// in which some operation races with another thread's, or which seem to have no end. That leaves
// alone what a thread does before others exist, or with memory that nobody else looks at. Trial
// runs before the exploration (learn) tell which loops these are; one whose race they do not show
// is not cut. It must be known before, because cutting a loop changes the program that is explored.
//
// The counts depend on the thread's own steps only. So a program whose loops are cut is again a
// program, and explorers lose none of its traces.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "machine/machine.h"
#include "protocol/bounds.h"
#include "trace/trace.h"

namespace mazur {

// A loop that was cut before a round too many.
struct CutLoop {
  std::uint64_t place = 0, pc = 0;  // where a round begins: Pending::place, Pending::pc
  std::uint32_t most = 0;           // rounds
  std::uint64_t times = 0;  // executions in which a thread was stopped there; of each thread
  // Of the first of these executions, up to where a round begins. Not of every loop, if there are
  // many.
  std::vector<Step> schedule = {};
};

class Unrolling {
 public:
  explicit Unrolling(const Bounds& bounds) : bounds_(bounds) {}

  bool on() const { return bounds_.unroll != 0 || bounds_.loop_count != 0; }
  // Finds out by trial runs which loops have operations that race.
  void learn(Machine& machine);
  // Takes every loop to have one.
  void take_all() { all_ = true; }

  void restart();
  // The thread runs its next operation.
  void run(const Pending& next);
  // Whether its next operation would begin an iteration too many.
  bool exceeded(const Pending& next) const;
  // The frontier with all threads that exceed the bound stopped for good, as after a failed assume.
  // `cut` says whether there is one. Valid until the next call.
  const Frontier& limit(const Frontier& frontier, bool& cut);

  // The execution in which limit() has cut something, perhaps, is over.
  void note_execution(const Trace& trace);

  const std::vector<CutLoop>& cut_loops() const { return cut_loops_; }

 private:
  struct Visits {
    std::uint64_t place;
    std::uint32_t count;
  };
  struct Thread {
    std::vector<Visits> places;
    bool cut = false;  // it has been counted in cut_loops_
  };
  // Whether it counts. Creating and joining threads and the end of the process do not: they happen
  // once for each thread.
  static bool counts(OpKind kind) {
    return kind != OpKind::kCreate && kind != OpKind::kJoin && kind != OpKind::kExit &&
           kind != OpKind::kNever;
  }
  // One call may be two operations (wait and wake up): they are told apart by their kind.
  static std::uint64_t place_of(const Pending& p) {
    return (p.place != 0 ? p.place : p.pc) * 256 + static_cast<std::uint64_t>(p.op.kind);
  }
  // How many iterations a loop may have that begins with this operation; 0: any number.
  std::uint32_t most(const Pending& p) const;
  void note_cut(const Pending& p);

  const Bounds& bounds_;
  bool all_ = false;
  std::unordered_set<std::uint64_t> racing_;  // places at which loops begin that have a race
  std::vector<Thread> threads_;
  Frontier limited_;
  std::vector<CutLoop> cut_loops_;
  // Loops that were first cut in this execution, with their threads.
  std::vector<std::pair<std::size_t, ThreadId>> new_cuts_;

  // While learning: the places in the loop that begins at a place.
  bool learning_ = false;
  std::unordered_map<std::uint64_t, std::unordered_set<std::uint64_t>> bodies_;
};

}  // namespace mazur
