// The events of one execution with the dependence order over them (DESIGN: happens-before for
// exploration).
//
// The order is kept incrementally as vector clocks: append() costs O(threads) per direct
// predecessor, happens_before() O(1). truncate(n) undoes the last appends, so that the prefix
// shared by two executions is computed once.
//
// Indices are positions in the trace, from 0. e -> e' (happens before) is reflexive here:
// happens_before(e, e) is true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trace/history/history.h"
#include "trace/label.h"

namespace mazur {

class Trace {
 public:
  // What is kept between the events.
  enum class Relation : std::uint8_t {
    kSequence,    // only their sequence: append() is O(1); happens-before must not be asked for
    kDependence,  // vector clocks and races
  };

  explicit Trace(Relation relation = Relation::kDependence) : relation_(relation) {}
  bool keeps_order() const { return relation_ == Relation::kDependence; }

  void append(const Event& event);
  // From the next append() on, the order of new events may be left out until complete(). That is
  // done as long as the trace has only loads, stores, creations and joins, for which an explorer
  // may have an order of its own. Until then only the program order may be asked for.
  void postpone_order(bool postpone) { postponed_ = postpone; }
  bool postpones_order() const { return postponed_; }
  void complete() const {
    while (dependences_.size() < records_.size())
      find_dependences(static_cast<EventIndex>(dependences_.size()));
  }
  void truncate(std::size_t size);
  void clear() { truncate(0); }

  std::size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  const Event& operator[](EventIndex i) const { return events_[i]; }
  std::span<const Event> events() const { return events_; }

  // e -> f. O(1).
  bool happens_before(EventIndex e, EventIndex f) const {
    return clocks_[f * stride_ + records_[e].thread] > records_[e].place;
  }
  // The previous event of the same thread, or the creation of the thread if e is its first event.
  // kNoEvent if there is none.
  EventIndex program_predecessor(EventIndex e) const { return records_[e].program_predecessor; }
  // The last event of a thread in the trace, or kNoEvent.
  EventIndex last_of(ThreadId thread) const;
  // The events e with e <~ f: those in a race with f (JACM section 3.3), reversible or not, the
  // earliest last. Creation and join can never be reversed, and are left out.
  std::span<const EventIndex> races(EventIndex f) const {
    const std::uint32_t begin = f == 0 ? 0 : dependences_[f - 1].races_end;
    return {races_.data() + begin, dependences_[f].races_end - begin};
  }

  // What explorers need beyond that.
  ThreadId thread(EventIndex e) const { return records_[e].thread; }
  // The place of e among the events of its thread, from 0.
  std::uint32_t place(EventIndex e) const { return records_[e].place; }
  // For each thread, how many of its events are in the past of e, e included. Threads beyond the
  // end of the span have none.
  std::span<const std::uint32_t> clock(EventIndex e) const {
    return {clocks_.data() + e * stride_, stride_};
  }
  // For each thread, how many of its events come before position e.
  std::span<const std::uint32_t> counts_before(EventIndex e) const {
    return {counts_.data() + e * stride_, stride_};
  }
  // The largest e' < e with e' -> e, or kNoEvent.
  EventIndex latest_predecessor(EventIndex e) const { return dependences_[e].latest_predecessor; }
  // The events of one thread, in order.
  std::span<const EventIndex> events_of(ThreadId thread) const {
    if (thread >= of_thread_.size()) return {};
    return of_thread_[thread];
  }
  // Where in the list of all races the races of the events before f end.
  std::size_t races_before(EventIndex f) const {
    return f == 0 ? 0 : dependences_[f - 1].races_end;
  }
  // History::last_disabler of its operation, as it was before the event was appended.
  EventIndex last_disabler(EventIndex e) const { return dependences_[e].last_disabler; }
  // The first of the event's touches in the history.
  History::TouchIndex first_touch(EventIndex e) const {
    return e == 0 ? 0 : dependences_[e - 1].touches_end;
  }
  // The event that created the thread, or kNoEvent.
  EventIndex creation_of(ThreadId thread) const {
    return thread < creation_.size() ? creation_[thread] : kNoEvent;
  }
  const History& history() const { return history_; }
  // How many entries clock() has.
  std::size_t stride() const { return stride_; }
  // The clocks of all events, row by row.
  const std::uint32_t* clocks() const { return clocks_.data(); }

 private:
  struct Record {
    ThreadId thread;
    std::uint32_t place;
    EventIndex program_predecessor;
  };
  struct Dependences {
    EventIndex latest_predecessor;
    EventIndex last_disabler;
    std::uint32_t races_end;
    std::uint32_t touches_end;
  };

  void make_room(ThreadId thread);
  void find_dependences(EventIndex self) const;
  void note_predecessor(EventIndex e, ThreadId own) const;

  Relation relation_;
  bool postponed_ = false;
  EventIndex first_other_ = kNoEvent;  // the first event whose order cannot be left out
  std::vector<Event> events_;
  std::vector<Record> records_;
  std::vector<std::uint32_t> counts_;  // stride_ per event
  std::size_t stride_ = 0;
  std::vector<std::vector<EventIndex>> of_thread_;
  std::vector<EventIndex> creation_;
  // What complete() adds.
  mutable std::vector<Dependences> dependences_;  // of the first events
  mutable std::vector<std::uint32_t> clocks_;     // stride_ per event
  mutable std::vector<EventIndex> races_;
  mutable History history_;
  // While one event is looked at: its last predecessor in each thread that has one.
  mutable std::vector<EventIndex> last_in_;  // by thread; kNoEvent between events
  mutable std::vector<EventIndex> direct_;
};

// e -> f, by the clocks of a trace or by those of another order over its events.
struct HappensBefore {
  const Trace& trace;
  const std::uint32_t* clocks;  // laid out like Trace::clocks()
  bool operator()(EventIndex e, EventIndex f) const {
    return clocks[f * trace.stride() + trace.thread(e)] > trace.place(e);
  }
};

}  // namespace mazur
