// What the runtime tells about an error: plain data with a byte encoding. The same bytes travel
// through the channel and lie, with a checksum, in a trace file (docs/trace-format.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/failure.h"
#include "trace/label.h"

namespace mazur {

// A loaded object of the program, for turning program counters into source lines.
struct Module {
  std::uint64_t base = 0;  // what to subtract from an address to get one of the file
  std::uint64_t begin = 0, end = 0;
  std::string path;
};

// A thread as it was at the error.
struct ThreadState {
  ThreadId thread = kNoThread;
  ThreadId parent = kNoThread;
  bool ended = false;
  bool enabled = false;
  Operation op;                      // what it was about to do
  ThreadId holder = kNoThread;       // who holds what it waits for
  std::vector<std::uint64_t> stack;  // program counters, innermost first
};

// What a machine that runs a real program knows after the last step of an execution.
struct Details {
  // The call stack of each event, innermost first: as many as events, or none.
  std::vector<std::vector<std::uint64_t>> event_stacks;
  std::vector<ThreadState> threads;
  std::string output;  // what the program printed in this execution
  // The names that the program gave (pthread_setname_np, mazur_name_thread, mazur_name_object).
  std::vector<std::pair<ThreadId, std::string>> thread_names;
  std::vector<std::pair<ObjectId, std::string>> object_names;
};

// Every program counter in a record is a return address (one past a faulting instruction): readers
// subtract one before they look up its line.
struct Record : Details {
  FailureKind kind = FailureKind::kNone;
  ThreadId thread = kNoThread;
  Message message;
  std::vector<std::uint64_t> stack;  // of the failing thread, innermost first
  std::vector<ObjectId> locks;       // what it held, for races
  OtherSide other;
  std::uint64_t execution = 0;  // the number of the execution, from 1
  bool by_portfolio = false;    // among the executions of the portfolio (check/portfolio)
  std::uint64_t count = 1;      // how often the same error was seen at the same place
  std::vector<Event> events;    // the schedule
  std::vector<Module> modules;
  // The events before which the thread that ran is still enabled, in order.
  std::vector<std::uint64_t> preemptions;
  // The schedule as it was found, before it was minimised (check/minimise/minimise.h). 0 steps: it
  // was not.
  std::uint64_t found_steps = 0, found_preemptions = 0;
  bool minimal = false;  // no failing schedule is shorter
  // With --races=explore: every plain access was an event, or only those to these granules
  // (addresses divided by 8).
  bool every_access = true;
  std::vector<std::uint64_t> granules;
};

// A record of kind kNone is a note, not an error: its events are places in the program, and its
// message says what about them. This one: operations weaker than seq_cst that were in races.
inline constexpr char kWeakNote[] = "weak-operations";
// And this one: where the last execution was `count` times in `found_steps` steps.
inline constexpr char kBusiestNote[] = "busiest";
// And this one: loops that were cut by --unroll: each event is at one, after label.written rounds,
// label.read times.
inline constexpr char kUnrollNote[] = "unroll";
// And this one: why a loop did not count as one that waits. Its event and that event's stack are
// what stood in the way, its `count` is a LoopObstacle. The loop is number `found_steps` of the
// unroll note, or if that is kNoLoop, that of the busiest note.
inline constexpr char kReasonNote[] = "loop-reason";
inline constexpr std::uint64_t kNoLoop = ~std::uint64_t{0};

std::string encode(const Record& record);
// Nothing if the bytes are not an encoded record. Never reads outside of them. Whoever wrote them,
// kinds are known ones, created and joined threads have a ThreadId, and the memory needed is in
// proportion to the bytes.
// What the records of older trace files do not have: which objects their messages mention; which
// stores loads have read; how often locations have begun anew (Label::epoch).
struct RecordParts {
  bool mentions = true;
  bool refs = true;
  bool epochs = true;
};
std::optional<Record> decode_record(std::span<const char> bytes, RecordParts parts = {});

}  // namespace mazur
