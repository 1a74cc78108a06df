// Operations weaker than seq_cst that were in a race: what a proof under sequential consistency
// leaves open, because processors and compilers may reorder them.
//
// A race is one of the dependence order (Trace::races): two accesses to the same bytes, one of them
// a write, that nothing else orders. All atomic accesses with another memory order are weaker, and
// so are plain accesses that are events.
//
// Cost: a look at every new race of an execution, once a weak operation has been met. Where the
// trace has no order (random walks, naive, some executions of observers), a sample of the
// executions gets one: all of them at first, and then one event out of 64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace mazur {

inline bool is_weak(const Label& label) {
  constexpr std::uint8_t kSeqCst = 5;
  constexpr std::uint8_t kPlain = 0xff;
  const bool memory = label.kind >= OpKind::kLoad && label.kind <= OpKind::kCas;
  return memory && (label.order < kSeqCst || label.order == kPlain);
}

// The weak events that are in a race of the trace, in order.
std::vector<EventIndex> weak_racing(const Trace& trace);

class WeakOperations {
 public:
  // To be called for every new event when it has run. Hot.
  void met(const Label& label) { any_ = any_ || is_weak(label); }
  // An execution is over that shares its first `keep` events with the last one. `ordered`: its
  // trace keeps the dependence order.
  void look(const Trace& trace, std::size_t keep, bool ordered) {
    if (any_) look_at_all(trace, keep, ordered);
  }

  // Schedules of executions in which weak operations were seen. Each shows one that those before it
  // do not.
  const std::vector<std::vector<Step>>& examples() const { return examples_; }

 private:
  void look_at_all(const Trace& trace, std::size_t keep, bool ordered);
  void look_at(const Trace& trace, std::size_t from);
  bool note(const Event& event);

  bool any_ = false;                                                  // whether one has been met
  std::vector<std::uint64_t> seen_ = std::vector<std::uint64_t>(64);  // a hash table; 0: empty
  std::size_t count_ = 0;
  std::vector<std::vector<Step>> examples_;
  std::size_t looked_at_ = 0;  // so many events of the last execution need no look
  // Where the trace has no order.
  Trace order_;
  std::uint64_t events_ = 0, ordered_ = 0;
};

}  // namespace mazur
