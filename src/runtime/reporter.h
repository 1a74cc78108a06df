// Tells `mazur` what an exploration finds, through the channel.
#pragma once

#include <cstdint>
#include <string>

#include "check/loop.h"
#include "check/seen_errors.h"
#include "machine/native/engine/program_machine.h"
#include "protocol/channel.h"
#include "protocol/record.h"

namespace mazur::native {

double seconds();  // by a clock that only goes forward

// The record of an error is made when its execution is over.
class Reporter : public Watcher {
 public:
  Reporter(Channel& channel, ProgramMachine& machine);

  void failed(const Trace& trace, const Frontier& frontier, const Failure& failure) override;
  void ended(const Trace&, const Tally&, End) override;
  void portfolio(bool runs, const Tally& so_far) override;
  bool stop() override { return channel_.stop.load(std::memory_order_relaxed) != 0; }
  void progress(const Tally& tally, const Explored& explored) override;
  // The exploration begins again. What was written stays; what was only seen will be seen again.
  void started_over() override;

  void write_note(const Record& note);
  // Writes a record of each error that has none yet.
  void write_seen();
  // The end of all: errors that were written before the exploration began again count at least
  // once. Returns whether there is any error.
  bool finish();
  // Whether all of so many executions failed, at one place.
  bool always_the_same(std::uint64_t executions) const;
  const SeenErrors& errors() const { return errors_; }

 private:
  void write(const SeenError& error);
  Record completed(Record record);
  void add_details(Record& record);
  void append(const std::string& bytes);

  Channel& channel_;
  ProgramMachine& machine_;
  const double start_;
  MinimisingTime minimising_;
  double not_exploring_ = 0;  // seconds spent on it
  bool found_ = false;        // an error of the program
  SeenErrors errors_;
  std::size_t written_ = 0;  // of the errors
};

}  // namespace mazur::native
