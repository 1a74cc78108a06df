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
#include <memory>
#include <span>

#include "trace/label.h"

namespace mazur {

using EventIndex = std::uint32_t;
inline constexpr EventIndex kNoEvent = 0xffffffff;

class Trace {
 public:
  enum class Order : std::uint8_t {
    kSequence,    // only the sequence of events: append() is O(1); the order must not be asked for
    kDependence,  // vector clocks and races
  };

  explicit Trace(Order order = Order::kDependence);
  ~Trace();
  Trace(Trace&&) noexcept;
  Trace& operator=(Trace&&) noexcept;

  void append(const Event& event);
  void truncate(std::size_t size);
  void clear() { truncate(0); }

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  const Event& operator[](EventIndex i) const;
  std::span<const Event> events() const;

  // e -> f. O(1).
  bool happens_before(EventIndex e, EventIndex f) const;
  // The previous event of the same thread (or, for a thread's first event, its creation), or
  // kNoEvent.
  EventIndex program_predecessor(EventIndex e) const;
  // The last event of a thread in the trace, or kNoEvent.
  EventIndex last_of(ThreadId thread) const;
  // How many events are in the causal past of e, e included: the thread's clock on the native
  // machine.
  std::size_t causal_past(EventIndex e) const;
  // The events e with e <~ f: in a race with f (JACM section 3.3), earliest last, reversible or
  // not.
  std::span<const EventIndex> races(EventIndex f) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mazur
