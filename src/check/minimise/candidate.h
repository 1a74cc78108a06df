// Runs candidates for a shorter failing schedule, and keeps the best one.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/minimise/followed_graph.h"
#include "machine/machine.h"
#include "trace/trace.h"

namespace mazur {

// What a failing schedule asks of its reader: less is better, old values first, then preemptions. An
// old value is read or written by a step that says something about memory (Step::ref): a load of
// another store than the newest that has been run, a store that comes before that one. A preemption
// is a step of another thread although the one that ran is still enabled.
struct ScheduleCost {
  std::uint32_t old_values = 0;
  std::uint32_t preemptions = 0;
  std::uint32_t steps = 0;
  friend auto operator<=>(const ScheduleCost&, const ScheduleCost&) = default;
};

struct MinimiseBudget {
  std::uint64_t executions = 10'000;
  double seconds = 1;
  std::uint64_t steps = 100'000;  // longer executions are given up: loops may be endless
};

class CandidateRun {
 public:
  // What became of a step.
  enum class Result : std::uint8_t {
    kOn,          // the execution can go on
    kFound,       // the wanted failure
    kOver,        // another failure, or the end
    kImpossible,  // there is no such step, or the memory model does not allow what it says
  };

  // `place`: the wanted failure (failure_place.h).
  CandidateRun(Machine& machine, std::uint64_t place, const MinimiseBudget& budget,
               MemoryModel model);
  ~CandidateRun() { machine_.follow(nullptr); }
  CandidateRun(const CandidateRun&) = delete;
  CandidateRun& operator=(const CandidateRun&) = delete;

  // Begins an execution. False: the budget is used up, or the program is not deterministic.
  bool begin();
  bool spent() const;  // begin() would return false
  // `rank`: Said::rank.
  Result advance(Step step, std::uint32_t rank = Said::kSomewhere);
  // Whether a schedule with one more step cannot be better than the best. That step is a preemption
  // or not, and reads the newest value or an old one.
  bool hopeless(bool preempts, bool reads_old = false) const;

  const Frontier& frontier() { return machine_.frontier(); }
  const Trace& trace() const { return trace_; }
  ThreadId current() const { return current_; }  // the thread of the last step, or kNoThread
  // Whether the thread of the last step could go on.
  bool current_enabled();
  ScheduleCost cost() const;
  // What the last step could have said about memory instead, which was nothing.
  std::vector<Said> others() { return graph_ ? graph_->others() : std::vector<Said>{}; }
  // The name of the state that has been reached: of the Mazurkiewicz trace, or of the graph.
  std::uint64_t name() const { return graph_ ? graph_->name() : trace_name_; }
  // From now on it is looked at whether the memory model allows what the steps say about memory.
  void look_at_memory() { looks_ = graph_.has_value(); }
  // Whether others() has left something out, because of operations that graphs do not know.
  bool missed_others() const { return missed_others_; }

  // If true, failures elsewhere do not end an execution: the schedule that is to be shortened may
  // have some.
  void tolerate(bool others) { tolerant_ = others; }
  bool met_others() const { return met_others_; }

  // Whether an execution was given up for its length.
  bool gave_up() const { return gave_up_; }

  // Part of the budget is kept back from begin() until it is released.
  void reserve(double part) { reserved_ = part; }

  struct Best {
    std::vector<Event> events;
    Failure failure;
    ScheduleCost cost;
  };
  const std::optional<Best>& best() const { return best_; }
  std::uint64_t executions() const { return executions_; }

 private:
  Result judge();
  void name_last();
  void found(const Failure& failure);

  Machine& machine_;
  const std::uint64_t place_;
  const MinimiseBudget budget_;
  const double start_;
  double reserved_ = 0;
  bool tolerant_ = false;
  bool met_others_ = false;
  bool gave_up_ = false;
  bool broken_ = false;  // the machine did something that it does not control
  std::uint64_t executions_ = 0;

  Trace trace_;
  std::optional<FollowedGraph> graph_;  // under weak memory models
  bool looks_ = false;
  bool missed_others_ = false;
  std::uint64_t trace_name_ = 0;
  ThreadId current_ = kNoThread;
  std::uint32_t old_values_ = 0;
  std::uint32_t preemptions_ = 0;
  std::optional<Best> best_;
};

}  // namespace mazur
