// Runs a program with our runtime in libtsan's place and waits for what it reports.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/build/installation.h"
#include "cli/run/channel_block.h"
#include "cli/run/fixed_place.h"
#include "cli/run/progress_line.h"
#include "modules/checked_module.h"
#include "protocol/channel.h"
#include "protocol/record.h"

namespace mazur {

struct ProgramRun {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // without the program's name
  std::string directory;               // where it runs; empty: here
  Request request;
  std::string replay;                   // an encoded record whose schedule is to be run; or empty
  bool output_to_stderr = false;        // our standard output is not for what the program prints
  int output = -1;                      // a descriptor for it instead; -1: none
  Progress progress = Progress::kNone;  // what standard error tells meanwhile
  std::vector<std::string> trust;       // modules that are not watched
  // Where processes are started that must look the same on every machine. Null: they have this
  // machine's environment, and the program's own path.
  std::shared_ptr<const FixedPlace> place;
  // With request.note_orders, as ChannelBlock::use_orders has them.
  std::vector<UsedOrder> used_orders;
  std::vector<std::uint64_t> deep_calls;
};

struct ProgramEnd {
  Verdict verdict = Verdict::kError;
  std::string reason;
  std::string statistics;  // of the explorer, if they were asked for
  Cuts cuts;
  Tally tally;
  Tally portfolio;                            // executions beside the exploration
  std::vector<std::string> unmet_loop_lines;  // of --unroll: no operation was there
  bool has_sequential_objects = false;        // Channel::sequential_objects
  bool has_threads = false;                   // the program has created some
  bool has_unexplored_wakeups = false;        // threads waited where none woke up spuriously
  double seconds = 0;
  Explored explored;
  std::uint64_t peak_rss_kb = 0;
  bool was_killed = false;  // by SIGKILL
  std::vector<Record> records;
  std::vector<CheckedModule> modules;  // if the request asked for their list
  std::vector<Record> notes;           // records that are no errors
  // With request.note_orders; nothing if there are too many.
  std::optional<std::vector<OrderSite>> order_sites;
};

// Throws UsageError if the program cannot be started. Ctrl-C ends the exploration, a second one the
// program.
ProgramEnd run_program(const ProgramRun& run, const Installation& installation);

// Starts the program up to main to see what is loaded into it; again if somebody kills it. Throws
// UsageError.
std::vector<CheckedModule> list_modules(const ProgramRun& run, const Installation& installation);

// What a process of the run calls `listed`, as it is called outside.
inline std::string real_path(const ProgramRun& run, const std::string& listed) {
  return run.place != nullptr ? run.place->path_of(listed) : listed;
}
// What others can make use of who have the same program elsewhere: the reverse of name_modules().
void forget_paths(Record& record, const ProgramRun& run);
// A record from the channel names its modules as the process does: gives them their paths.
void name_modules(Record& record, const ProgramRun& run);

// What the block says after the program has ended with this wait status, whatever it has written
// there. `stopped`: nobody wanted to wait for it any longer. Throws UsageError if it says nothing.
ProgramEnd read_end(const ChannelBlock& channel, const ProgramRun& run, int status,
                    std::uint64_t peak_rss_kb, bool stopped = false);

// Runs gdb, which runs the program with the replayed schedule. Returns gdb's exit code.
int debug_program(const ProgramRun& run, const Installation& installation);

}  // namespace mazur
