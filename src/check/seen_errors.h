// The errors that an exploration or a replay has met, and what becomes of them on every machine:
// each is kept once, as it was seen first, and later its schedule is run again for a record.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/minimise/minimise.h"
#include "machine/machine.h"
#include "protocol/record.h"
#include "trace/trace.h"

namespace mazur {

// An error as it was seen first.
struct SeenError {
  Failure failure;
  std::vector<Event> events;    // the schedule
  std::uint64_t place = 0;      // check/failure_place.h
  std::uint64_t execution = 0;  // its number, from 1
  bool by_portfolio = false;    // among the executions of the portfolio
  std::uint64_t count = 1;      // how often it was seen since the exploration began
};

class SeenErrors {
 public:
  // `most`: so many are kept; others are not even counted.
  explicit SeenErrors(std::size_t most) : most_(most) {}

  // An error of the execution under way. Returns its number in all(), or nothing if there are too
  // many.
  std::optional<std::size_t> add(const Trace& trace, const Frontier& frontier,
                                 const Failure& failure);
  void execution_ended() { ++(by_portfolio_ ? portfolio_executions_ : executions_); }
  // The executions that follow are the portfolio's, or again the exploration's.
  void portfolio(bool runs) { by_portfolio_ = runs; }
  // The exploration begins again. The first `kept` errors stay, and are counted anew.
  void started_over(std::size_t kept);

  const std::vector<SeenError>& all() const { return errors_; }
  // Takes the error's schedule away; its place and its count stay.
  SeenError take(std::size_t number);

 private:
  const std::size_t most_;
  std::uint64_t executions_ = 0;
  std::uint64_t portfolio_executions_ = 0;
  bool by_portfolio_ = false;
  std::vector<SeenError> errors_;
};

// The time that may be spent on making schedules shorter: a few seconds for all errors, of which
// each gets at most half of what is left.
class MinimisingTime {
 public:
  // What an error may take, whose schedule gets at most `wished` seconds.
  double for_one(double wished) const { return wished < left_ / 2 ? wished : left_ / 2; }
  void spend(double seconds) { left_ -= seconds; }

 private:
  double left_ = 4;
};

// Sets what the record says about the failure itself.
void describe_failure(Record& record, const Failure& failure);
// A record of an error, without what only another run of its schedule shows.
Record record_of(const SeenError& error);
// A record of the same error with a shorter schedule.
Record record_of(const SeenError& error, const Minimised& shorter);

// Runs the record's schedule again from the start, into the trace, and notes its preemptions. Ends
// early and returns false if an event was another one than in the record.
bool run_again(Machine& machine, Record& record, Trace& trace);

}  // namespace mazur
