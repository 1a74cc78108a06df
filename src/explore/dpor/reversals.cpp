#include "explore/dpor/reversals.h"

namespace mazur {
namespace {

// Writes every v into one Reversal.
struct Reverser {
  const Trace& trace;
  EventIndex end;
  Reversal& v;
  Reversals::Reverse reverse;

  EventIndex race(EventIndex e, EventIndex f) const {
    if (!reversible(trace, e, f)) return f;
    v.race(trace, e, f, end);
    return reverse(v);
  }
  EventIndex disabling(const Waiting& w, std::span<const EventIndex> dropped,
                       const Event& step) const {
    v.disabling(trace, dropped, step, w.program_predecessor, end);
    return reverse(v);
  }
  EventIndex choice(EventIndex e, std::uint16_t choice) const {
    v.choice(trace, e, choice, end);
    return reverse(v);
  }
};

}  // namespace

void Reversals::for_each(const Trace& trace, const Frontier& frontier, std::size_t kept,
                         Reverse reverse) {
  const Reverser all{trace, static_cast<EventIndex>(trace.size()), reversal_, reverse};
  settled_.for_each(trace, trace, frontier, static_cast<EventIndex>(kept), all);
}

bool Reversals::resolve(const Trace& trace, Reversal& v) {
  if (probe_ == nullptr) {
    complete_ = false;
    return false;
  }
  mazur::resolve(*probe_, trace, v);
  return true;
}

}  // namespace mazur
