// What mazur and a worker tell each other: a worker is a checked process that explores pieces of the
// work, one after the other, until there is no more (docs/cores.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/bounds.h"
#include "protocol/record.h"
#include "protocol/verdict.h"
#include "trace/label.h"

namespace mazur {

// What workers have found out about a program that all of them must agree on.
struct SharedKnowledge {
  // The parent of thread 1, of thread 2, ...: threads are numbered as they are met, so that workers
  // which meet them in different orders would mean different threads. One list of two that go
  // together is the beginning of the other.
  std::vector<ThreadId> parents;

  // What the judging of loops relies on (machine/native/loops/round_assumptions.h, standard_lock.h).
  std::vector<std::uint64_t> looked_at;  // granules of stacks that other threads look at, sorted
  bool relied_on_rest = false;           // a loop was judged by what these are
  bool all_looked_at = false;            // there are too many
  bool atomics_may_race = false;
  std::vector<std::uint64_t> locks, tried;  // mutexes of std::lock, mutexes tried elsewhere; sorted
  bool locks_given_up = false;
  // Somebody looks at a clock; rounds were left out in which time passes (loops/seen_time.h there).
  bool time_is_seen = false, time_left_out = false;
  // What the explorer has found out (explore/divisible.h).
  std::uint32_t lessons = 0;

  friend bool operator==(const SharedKnowledge&, const SharedKnowledge&) = default;
};

// How what somebody else knows fits to what is known here.
enum class Fit : std::uint8_t {
  kGood,          // it was taken over
  kOtherThreads,  // the numbers of threads mean different ones: what it did cannot be used
  kOutdated,      // it was taken over, but what was explored so far does not count
};
// Takes over what `other` knows.
Fit merge(SharedKnowledge& known, const SharedKnowledge& other);

// A module whose unseen code ran while several threads existed.
struct CalledModule {
  Module module;                       // path: empty for the program itself
  std::vector<std::uint64_t> callers;  // the call stack then, innermost first; may be empty
};

// What a process has noticed about the program that the verdict of all depends on, or should
// mention. It only grows, and travels with every slice: a process may end at any time.
struct Remarks {
  bool has_sequential_objects = false;  // Channel::sequential_objects
  bool has_unexplored_wakeups = false;  // Channel::no_spurious_wakeup
  std::vector<CalledModule> called;
  std::vector<Record> notes;  // of kind kNone: each message once
};
// Takes over what `more` has. Returns whether that was anything new.
bool merge(Remarks& remarks, const Remarks& more);

// What a worker is to explore.
struct Offer {
  std::string piece;  // empty: the whole program
  SharedKnowledge known;
  bool begins_again = false;  // since the last offer the exploration has begun again
};

// What became of it.
struct SliceEnd {
  Verdict verdict = Verdict::kError;  // of the piece; of one that was paused, kBug or kIncomplete
  std::string reason;
  std::uint32_t cuts = 0;
  Tally tally;
  bool paused = false;
  bool outdated = false;              // nothing of this counts: the exploration has to begin again
  bool refused = false;               // the piece, or what is known, does not fit to this process
  std::vector<std::string> pieces;    // what is left of it, in the order of the search
  std::vector<std::uint64_t> places;  // of the errors in the log: equal for the same error
  SharedKnowledge known;
  Remarks remarks;
  // It was told to stop, or its time was over, before all was explored or handed back.
  bool stopped = false;
  std::uint64_t microseconds = 0;  // spent on it; by mazur
  double explored = 0;             // an estimate: the part of the whole program that was done in it
};

std::string encode(const SharedKnowledge& known);
std::string encode(const Remarks& remarks);
std::string encode(const Offer& offer);
std::string encode(const SliceEnd& end);
// Nothing if the bytes make no sense. Never read outside of them.
std::optional<SharedKnowledge> decode_knowledge(std::span<const char> bytes);
std::optional<Remarks> decode_remarks(std::span<const char> bytes);
std::optional<Offer> decode_offer(std::span<const char> bytes);
std::optional<SliceEnd> decode_slice_end(std::span<const char> bytes);

}  // namespace mazur
