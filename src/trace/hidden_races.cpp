#include "trace/hidden_races.h"

#include <algorithm>

#include "trace/commute.h"
#include "trace/dependence.h"

namespace mazur {

void HiddenRaces::join(std::uint32_t* clock, EventIndex e) const {
  const std::uint32_t* other = clocks_.data() + e * stride_;
  for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], other[t]);
}

void HiddenRaces::join_program_order(const Trace& trace, EventIndex y, std::uint32_t* clock) const {
  if (const EventIndex p = trace.program_predecessor(y); p != kNoEvent) join(clock, p);
  const Label& label = trace[y].label;
  if (label.kind != OpKind::kJoin) return;
  const auto child = static_cast<ThreadId>(label.object);
  const auto own = trace.events_of(child);
  const EventIndex last = own.empty() ? trace.creation_of(child) : own.back();
  if (last != kNoEvent) join(clock, last);
}

void HiddenRaces::find(const Trace& trace, const HappensBefore& before,
                       std::span<const Unfinished> unfinished, Found found) {
  const auto size = static_cast<EventIndex>(trace.size());
  equal_.clear();
  if (candidates_.size() < size) candidates_.resize(size);
  for (EventIndex y = 0; y < size; ++y) {
    candidates_[y].clear();
    for (EventIndex x = y; x-- > 0;) {
      if (trace.thread(x) == trace.thread(y) || !dependent(trace[x], trace[y]) || !before(x, y))
        continue;
      if (same_either_way(trace[x], trace[y]))
        equal_.push_back({x, y});
      else
        candidates_[y].push_back(x);
    }
  }
  if (equal_.empty()) return;
  stride_ = trace.stride();
  clocks_.assign(size * stride_, 0);
  const auto covers = [&](const std::uint32_t* clock, EventIndex x) {
    return clock[trace.thread(x)] > trace.place(x);
  };
  const auto report = [&](EventIndex x, EventIndex last, EventIndex y) {
    for (const Pair& p : equal_)
      if (before(x, p.e) && before(p.f, last)) found(p.e, p.f, y);
  };
  for (EventIndex y = 0; y < size; ++y) {
    std::uint32_t* clock = clocks_.data() + y * stride_;
    join_program_order(trace, y, clock);
    for (EventIndex x : candidates_[y]) {
      if (covers(clock, x)) continue;
      report(x, y, y);
      join(clock, x);
    }
    clock[trace.thread(y)] = trace.place(y) + 1;
  }
  for (const Unfinished& u : unfinished) {
    EventIndex last = trace.last_of(u.thread);
    if (last == kNoEvent) last = trace.creation_of(u.thread);
    if (last == kNoEvent) continue;
    scratch_.assign(clocks_.begin() + static_cast<std::ptrdiff_t>(last * stride_),
                    clocks_.begin() + static_cast<std::ptrdiff_t>((last + 1) * stride_));
    for (EventIndex x = size; x-- > 0;) {
      if (trace.thread(x) == u.thread || !before(x, last) || covers(scratch_.data(), x)) continue;
      if (may_depend(trace[x].label, u.op)) report(x, last, kNoEvent);
    }
  }
}

}  // namespace mazur
