// An error together with its source lines: all that a report needs, without the program.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "modules/checked_module.h"
#include "protocol/bounds.h"
#include "protocol/loop_obstacle.h"
#include "protocol/record.h"
#include "protocol/verdict.h"
#include "trace/memory_model.h"

namespace mazur {

// One frame of a call stack; inlined functions have frames of their own.
struct Frame {
  std::string function;  // demangled; may be empty
  std::string file;      // relative to the current folder if below it; may be empty
  std::uint32_t line = 0;
  std::string text;   // the source line; may be empty
  bool user = false;  // in the program or its own libraries, not in libc, libstdc++ or the runtime
  friend bool operator==(const Frame&, const Frame&) = default;
};

// What the addresses in a record mean.
struct Places {
  std::map<std::uint64_t, std::vector<Frame>> code;  // program counter -> frames, innermost first
  std::map<std::uint64_t, std::string> objects;      // address of a global -> its name
  friend bool operator==(const Places&, const Places&) = default;

  // The frames of a whole stack. `all`: also those outside of user code (unless nothing else is
  // there).
  std::vector<Frame> stack(const std::vector<std::uint64_t>& pcs, bool all) const;
  // The innermost frame in user code, else the innermost one that has a line, else an empty one.
  Frame where(const std::vector<std::uint64_t>& pcs) const;
  // Where an event of the record was.
  Frame where(const Record& record, std::size_t event) const;
};

// The record's message with the names of globals in place of their addresses.
std::string named_message(const Record& record, const Places& places);

// "main", "thread 2", or "thread 2 (writer)" if the program gave it a name.
std::string thread_name(const Record& record, ThreadId thread);

// Which memory orders would forbid a failing execution that has read old values.
struct OrderChange {
  Frame where;
  OpKind kind = OpKind::kNone;
  std::uint8_t order = 0;  // __ATOMIC_*
  friend bool operator==(const OrderChange&, const OrderChange&) = default;
};
// A fence that is not there.
struct NewFence {
  Frame after, before;  // two lines of a function, one after the other
  std::uint8_t order = 0;
  friend bool operator==(const NewFence&, const NewFence&) = default;
};
struct OrderAdvice {
  std::vector<OrderChange> forbidden_by;  // all of them together; none: not known
  // Instead: all of them together, at most two. Only if no single order is enough.
  std::vector<NewFence> forbidden_by_fences = {};
  bool fails_under_sc = false;  // the execution needs no weak memory model
  friend bool operator==(const OrderAdvice&, const OrderAdvice&) = default;
};

struct Finding {
  Record record;
  Places places;
  std::string trace;  // its trace file, if one was written
  std::string hint;   // why it may be no error; or empty
  OrderAdvice orders;
};

// Whether no thread could go on: then the error is where all of them wait, and no single one is at
// fault. (A thread that joins itself is a deadlock of its own.)
bool is_standstill(const Record& record);

// An operation of the program with a memory order that might be weaker.
struct WeakerOrder {
  Frame where;
  OpKind kind = OpKind::kNone;
  std::uint8_t written = 0;   // __ATOMIC_*
  std::uint8_t suffices = 0;  // of a fence, __ATOMIC_RELAXED: it is not needed
  bool tried = false;
  bool is_weaker() const { return suffices != written; }
};

// What --weaken has found in a verified program.
struct Weakening {
  bool asked = false;
  std::vector<WeakerOrder> orders;  // by line
  std::string stopped;              // why not all were tried; or empty
  // The exploration in which all weaker orders were in place together.
  Tally proof;
  double proof_seconds = 0;
  std::uint64_t runs = 0;  // explorations in all
};

// The result of one check or replay.
struct Result {
  // What was checked, as the user named it, its arguments, and the folder that relative names of
  // files start from.
  std::string program = {};
  std::vector<std::string> arguments = {};
  std::string directory = {};
  std::string algorithm;
  MemoryModel memory = MemoryModel::kSc;
  Verdict verdict = Verdict::kError;
  std::string reason;
  std::string statistics;  // of the explorer, if they were asked for
  Cuts cuts;               // what was cut off by bounds
  Tally tally;
  Tally portfolio;  // executions beside the exploration, which looked for errors only
  double seconds = 0;
  Explored explored;
  std::uint64_t peak_rss_kb = 0;
  std::vector<Finding> findings;  // errors, and what was not supported
  // Why a loop does not count as one that waits: what its rounds do, and where.
  struct LoopReason {
    LoopObstacle what = LoopObstacle::kNone;
    std::string operation;  // "update x 1 -> 2"; of kOperation
    Frame where;
  };
  // If no execution ran to its end: where the last one was most of the time. Else the same of an
  // execution that had too many steps.
  struct {
    Frame where;
    std::uint64_t times = 0, steps = 0;  // 0: nowhere
    LoopReason reason;
  } busiest;
  // Loops that were cut by --unroll: after so many rounds, so often.
  struct CutLoop {
    Frame where;
    std::uint64_t rounds = 0, times = 0;
    LoopReason reason = {};
  };
  std::vector<CutLoop> cut_loops;
  std::vector<std::string> unmet_loop_lines;  // FILE:LINE of --unroll, where no operation was
  // Operations weaker than seq_cst that were in a race, and where the first of them is. Counted
  // only if nothing was found and nothing was stopped.
  std::uint64_t weak_operations = 0;
  Frame first_weak;
  // Threads waited where a spurious wake-up was not tried: there are none, or at most so many in a
  // thread.
  bool has_unexplored_wakeups = false;
  std::uint32_t spurious_wakeups = 0;
  // Mailboxes or tables were used under a weak memory model. They are sequentially consistent.
  bool has_sequential_objects = false;
  bool only_states = false;            // verified means every final state, not every trace
  std::vector<CheckedModule> modules;  // what was loaded into the program
  std::string svcomp;                  // with --svcomp: the answer in SV-COMP's words
  Weakening weakening;
};

// Puts errors of the same kind at the same place together: the first is kept, the counts are added.
std::vector<Finding> merge_same(std::vector<Finding> findings);

}  // namespace mazur
