// ex(C): the events that can follow the explored executions, added to U as they are met (Alg. 1
// line 4).
//
// The paper's cexp makes, for every acquisition in C, an event for every earlier place it could
// have had. That is one event per lock operation before it, but for a write one per set of the
// reads before it. It is also more than is needed. When Explore(C + {e}, D, ..) has returned and a
// maximal configuration M remains that has C and none of D + {e}, let f in M be a minimal event in
// conflict with e. All of f's history can be executed together with C, e and the events of M that
// are in conflict with D, and then f's thread, which does f's operation after e, as f': at once, or
// as soon as it is enabled. So an execution with f' has been explored, and f is f' as it would be
// without e and what depends on e: one race, reversed. Hence for every event only these are added:
// one per race, per way in which it could have been disabled (blocking.h), and per other outcome.
//
// An atomic block that reads what e wrote may touch anything without e. Then f is found by running
// it: after the events that f' happens after, but not after e, and after all ways to add to those
// others of the execution that matter to it.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "explore/probe.h"
#include "explore/unfolding/structure/configuration.h"
#include "trace/blocking/blocking.h"
#include "trace/frontier.h"
#include "trace/trace.h"

namespace mazur::unfolding {

class Extensions {
 public:
  Extensions(EventStructure& structure, const Configuration& configuration)
      : structure_(structure), configuration_(configuration) {}

  // For ended(). Without it, what atomic blocks do without others is not found.
  void use_probe(Probe* probe) { probe_ = probe; }

  // Adds the event at the end of the trace, and those that reverse its races. The configuration
  // must be of the events before it. Returns its id; the caller pushes it.
  EventId executed(const Trace& trace);

  // Adds events for what was waiting when the execution ended, and for races whose reversal
  // depends on events that came later.
  void ended(const Trace& trace, const Frontier& frontier);

  // Events from this position on are undone.
  void truncate(std::size_t size);

  // The ids of the trace's events.
  std::span<const EventId> ids() const { return ids_; }
  // False: there were too many ways to disable an operation, or to reverse a race.
  bool complete() const { return complete_; }
  void rename(std::span<const EventId> names);

 private:
  struct Race {
    EventIndex e, f;
  };

  // The event of a step that follows the trace without the dropped events and what happens after
  // them.
  void add(const Trace& trace, std::span<const EventIndex> dropped, const Event& step,
           EventIndex program_predecessor);
  void add_gaining(const Trace& trace, const Race& race);
  void add_unknown(const Trace& trace, const Race& race);
  const Label& label_after_chosen(const Trace& trace, EventIndex f);
  EventId known_after_chosen(const Trace& trace, EventIndex f) const;
  bool fits(const Trace& trace, EventId e, const Event& step) const;
  void choose(const Trace& trace, EventIndex g);
  enum class Causes : std::uint8_t { kLatest, kAll };
  void find_causes(const Trace& trace, std::span<const EventIndex> dropped, const Event& step,
                   Causes which);
  EventId add_event(const Trace& trace, const Event& step, EventIndex program_predecessor,
                    EventIndex other_predecessor);
  EventId id(EventIndex e) const { return e == kNoEvent ? kBottom : ids_[e]; }

  EventStructure& structure_;
  const Configuration& configuration_;
  std::vector<EventId> ids_;          // by position in the trace
  std::vector<EventIndex> position_;  // by id, for those in the trace
  std::vector<Race> gaining_;         // in the order of f
  Probe* probe_ = nullptr;
  // Of atomic blocks, and of what else has been run to find out what it does.
  std::unordered_map<EventId, Label> labels_;
  bool complete_ = true;
  // Scratch: positions, and ids.
  std::vector<EventIndex> candidates_;
  std::vector<EventIndex> maximal_;
  std::vector<EventId> causes_;
  std::vector<std::uint8_t> chosen_;  // by position: to run before an atomic block
  std::vector<EventIndex> order_;     // those of chosen_ that were added last, for going back
};

}  // namespace mazur::unfolding
