// C: a configuration, as a sequence of events that grows and shrinks at its end.
//
// A set of events is a configuration iff it can be built here event by event, causes first. That
// replaces conflict between pairs of events where that would not be enough: of the arrivals at a
// barrier any two go together, but no more than its capacity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/unfolding/structure/event_structure.h"

namespace mazur::unfolding {

class Configuration {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // An event on an object, the latest last.
  struct Entry {
    EventId event;
    TouchIndex touch;
    std::uint32_t place;
    std::uint32_t phase;
    std::uint32_t position;  // in events()
    ThreadId thread;
    Mode mode;
    bool total;
  };

  // How far from each other in their tree the events are that are asked about (section 6.2).
  struct Distances {
    Histogram causality;  // in the tree of a thread
    Histogram conflict;   // in the tree of an object
  };

  explicit Configuration(const EventStructure& structure) : structure_(structure) {}

  void measure(Distances* distances) { distances_ = distances; }

  std::size_t size() const { return events_.size(); }
  std::span<const EventId> events() const { return events_; }
  bool contains(EventId e) const { return e < status_.size() && status_[e].serial == kIncluded; }
  // Whether an event is included that has this place in its thread.
  bool has_place(ThreadId thread, std::uint32_t place) const {
    return thread < last_.size() && last_[thread] != kBottom &&
           structure_[last_[thread]].place >= place;
  }
  std::span<const Entry> on(ObjectIndex object) const {
    if (object >= entries_.size()) return {};
    return entries_[object];
  }
  // The last total one on the object, or kNoTouch.
  TouchIndex last_total(ObjectIndex object) const;

  // e must be enabled: a cause, if it has any, is included, and it is not in conflict.
  void push(EventId e);
  void truncate(std::size_t size);

  // Whether e, whose history is included and which is not, cannot be added.
  bool conflicts(EventId e) const { return conflict(e) != kNone; }
  // Where an event is that e is known, from an earlier include(), to be in conflict with; kNone if
  // no such event is known.
  std::uint32_t rejected(EventId e) const {
    if (e >= status_.size()) return kNone;
    const Status& s = status_[e];
    const bool valid = s.position < serials_.size() && serials_[s.position] == s.serial;
    return valid ? s.position : kNone;
  }
  // e, or the event of its history that is in conflict with that one.
  EventId rejected_because(EventId e) const { return status_[e].because; }

  // Adds e with its history, causes first. False if that is not possible without an event for which
  // forbidden[event] holds: then some of it may have been added.
  bool include(EventId e, std::span<const std::uint8_t> forbidden);
  // The forbidden event that the last include() was not possible without, or kBottom.
  EventId hindrance() const { return hindrance_; }

  // The events have got new names.
  void rename(std::span<const EventId> names);

 private:
  static constexpr std::uint64_t kIncluded = ~std::uint64_t{0};

  // Where an event is, if it is included. If not: it is in conflict with the event at that
  // position, as long as that is the one with this serial number.
  struct Status {
    std::uint32_t position = kNone;
    EventId because = kBottom;
    std::uint64_t serial = 0;  // or kIncluded
  };

  // The position of an event that e, whose history is included, is in conflict with; kNone if there
  // is none.
  std::uint32_t conflict(EventId e) const;
  void reject(EventId e, std::uint32_t position, EventId because);

  void note_distances(EventId e) const;

  const EventStructure& structure_;
  Distances* distances_ = nullptr;
  std::vector<EventId> events_;
  std::vector<std::uint64_t> serials_;  // by position: how many pushes there were before
  std::uint64_t pushes_ = 0;
  std::vector<Status> status_;               // by event
  std::vector<EventId> last_;                // by thread
  std::vector<std::vector<Entry>> entries_;  // by object
  EventId hindrance_ = kBottom;
  std::vector<EventId> path_;  // scratch
};

}  // namespace mazur::unfolding
