#include "explore/context/hidden_races.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "explore/context/commute.h"
#include "explore/context/single_access.h"
#include "explore/observers/memory_use.h"
#include "trace/clock_row.h"
#include "trace/comparison.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

bool is_block(const Event& e) { return e.label.kind == OpKind::kAtomicBlock; }

// Whether the thread of the read would have seen the same with this value in its place.
bool agrees(const Label& read, std::uint64_t value) {
  return is_observed_assertion(read) ? holds(read, value) == read.success : read.read == value;
}

// Whether y could have seen the same without the write: from another one, or from the beginning, if
// no write that would show it something else came in between.
bool has_other_source(const HappensBefore& before, EventIndex write, EventIndex y) {
  const Trace& trace = before.trace;
  const Label& read = trace[y].label;
  const auto writes = [&](EventIndex i) {
    return any_use(trace[i].label, [&](const MemoryUse& use) {
      return use.writes && use.begin < read.object + read.size && read.object < use.end;
    });
  };
  const auto is_exact = [&](const Label& l) {
    return is_single_access(l) && l.object == read.object && l.size == read.size;
  };
  bool hidden = false;  // the beginning, or it would show something else
  bool first = true;
  for (EventIndex u = 0; u < trace.size(); ++u) {
    if (!writes(u)) continue;
    const Label& l = trace[u].label;
    if (first) hidden = is_exact(l) && !agrees(read, l.before);
    first = false;
    if (u != y && before(u, y)) hidden = hidden || (is_exact(l) && !agrees(read, l.written));
  }
  if (!hidden) return true;
  for (EventIndex s = 0; s < trace.size(); ++s) {
    if (s == write || s == y || !writes(s)) continue;
    if (!is_exact(trace[s].label)) return true;
    if (!agrees(read, trace[s].label.written)) continue;
    bool overwritten = false;
    for (EventIndex u = s + 1; u < y && !overwritten; ++u)
      overwritten = before(s, u) && before(u, y) && writes(u) && is_exact(trace[u].label) &&
                    !agrees(read, trace[u].label.written);
    if (!overwritten) return true;
  }
  return false;
}

// Whether the two commute here, or may do so in an execution that differs from this one only in the
// order of operations that commute. They do not if one would see another value than it did.
bool may_commute(const HappensBefore& before, EventIndex x, EventIndex y) {
  const Label& a = before.trace[x].label;
  const Label& b = before.trace[y].label;
  if (!is_single_access(a) || !is_single_access(b)) return false;
  if (a.object != b.object || a.size != b.size) return true;
  if (writes_memory(a) && writes_memory(b) && a.written != b.written) return false;
  for (const auto& [write, read] : {std::pair{&a, &b}, std::pair{&b, &a}})
    if (writes_memory(*write) && reads_memory(*read) && !agrees(*read, write->written))
      return false;
  // What reads first has its value from somewhere else.
  return !reads_memory(b) || !writes_memory(a) || has_other_source(before, x, y);
}

}  // namespace

// Joins the clock of x to that of y.
void HiddenRaces::join(Clocks& clocks, EventIndex y, EventIndex x) const {
  join_clock(clocks.data() + y * stride_, clocks.data() + x * stride_, stride_);
}

void HiddenRaces::join_program_order(const Trace& trace, Clocks& clocks, EventIndex y) const {
  if (const EventIndex p = trace.program_predecessor(y); p != kNoEvent) join(clocks, y, p);
  const Label& label = trace[y].label;
  if (label.kind != OpKind::kJoin) return;
  const auto child = static_cast<ThreadId>(label.object);
  const auto own = trace.events_of(child);
  const EventIndex last = own.empty() ? trace.creation_of(child) : own.back();
  if (last != kNoEvent) join(clocks, y, last);
}

// The dependent pairs as `before` has them, without those that program order, creation and join
// order anyway.
void HiddenRaces::follow(const Trace& trace, std::size_t keep, const HappensBefore& before) {
  const auto size = static_cast<EventIndex>(trace.size());
  if (stride_ != trace.stride()) keep = 0;
  stride_ = trace.stride();
  if (dependent_.size() < size) dependent_.resize(size);
  forced_.resize(keep * stride_);
  forced_.resize(size * stride_, 0);
  for (auto y = static_cast<EventIndex>(keep); y < size; ++y) {
    stop_if_wished();
    dependent_[y].clear();
    join_program_order(trace, forced_, y);
    std::uint32_t* forced = forced_.data() + y * stride_;
    forced[trace.thread(y)] = trace.place(y) + 1;
    const Event& last = trace[y];
    if (!touches_anything(last.label)) continue;
    for (EventIndex x = y; x-- > 0;)
      if (forced[trace.thread(x)] <= trace.place(x) &&
          !clearly_independent(trace[x].label, last.label) && dependent(trace[x], last) &&
          before(x, y))
        dependent_[y].push_back(x);
  }
}

void HiddenRaces::find(const Trace& trace, std::size_t keep, const HappensBefore& before,
                       std::span<const Unfinished> unfinished, Equal equal, Ordered ordered,
                       Race race, Hides hides) {
  follow(trace, keep, before);
  const auto size = static_cast<EventIndex>(trace.size());
  equal_.clear();
  for (EventIndex y = 0; y < size; ++y) {
    stop_if_wished();
    for (EventIndex x : dependent_[y])
      if (is_block(trace[x]) || is_block(trace[y]) ? is_equal_race(before, x, y, equal)
                                                   : may_commute(before, x, y))
        equal_.push_back({x, y});
  }
  if (equal_.empty()) return;
  hidden_.clear();
  notdep_.clear();
  clocks_.assign(before.clocks, before.clocks + size * stride_);
  for (const Pair& pair : equal_) find_hidden_by(before, pair, unfinished, equal, ordered);
  find_hidden_by_several(before, unfinished, equal, ordered);
  for (const Hidden& h : hidden_) {
    stop_if_wished();
    const auto [x, y] = h.race;
    if (h.known && race(x, y, h.last, std::span(notdep_).subspan(h.begin, h.end - h.begin)))
      continue;
    if (h.by.e != x || h.by.f != y) {
      hides(h.by.e, h.by.f, x, y);
      continue;
    }
    for (const Pair& pair : equal_)
      if (before(x, pair.e) && before(pair.f, y)) hides(pair.e, pair.f, x, y);
  }
}

// The races that the orders of several pairs of equal events hide together: those that have no
// order without those of all pairs.
void HiddenRaces::find_hidden_by_several(const HappensBefore& before,
                                         std::span<const Unfinished> unfinished, Equal equal,
                                         Ordered ordered) {
  const Trace& trace = before.trace;
  const auto size = static_cast<EventIndex>(trace.size());
  clocks_.assign(size * stride_, 0);
  races_.clear();
  auto next = equal_.begin();  // it has the order of this loop
  for (EventIndex y = 0; y < size; ++y) {
    stop_if_wished();
    std::uint32_t* clock = clocks_.data() + y * stride_;
    join_program_order(trace, clocks_, y);
    for (EventIndex x : dependent_[y]) {
      const bool is_equal = next != equal_.end() && next->f == y && next->e == x;
      if (is_equal) ++next;
      if (covers(clock, trace, x)) continue;
      const bool block = is_block(trace[x]) || is_block(trace[y]);
      if (block ? is_equal || commutes(clock, before, x, y, equal)
                : is_equal && same_either_way(trace[x], trace[y]))
        continue;
      if (!is_equal && ordered(x, y)) join(clocks_, y, x);
      const auto is_same = [&](const Hidden& h) { return h.race.e == x && h.race.f == y; };
      if (std::none_of(hidden_.begin(), hidden_.end(), is_same)) races_.push_back({x, y});
    }
    clock[trace.thread(y)] = trace.place(y) + 1;
  }
  for (const Pair& race : races_) {
    const auto hides = [&](const Pair& p) {
      return before(race.e, p.e) && before(p.f, race.f) && (p.e != race.e || p.f != race.f);
    };
    if (std::none_of(equal_.begin(), equal_.end(), hides)) continue;  // a race of the trace
    hide(trace, race, race);
  }
  for (const Unfinished& u : unfinished)
    find_unfinished(before, u, [&](EventIndex x, EventIndex last) {
      for (const Pair& p : equal_)
        if (before(x, p.e) && before(p.f, last)) hide(trace, {x, kNoEvent}, p);
    });
}

// Calls found(x, last) for what an unfinished operation may depend on and comes before `last`, the
// last event of its thread, but not in the order of the clocks.
template <typename Found>
void HiddenRaces::find_unfinished(const HappensBefore& before, const Unfinished& unfinished,
                                  Found&& found) {
  const Trace& trace = before.trace;
  EventIndex last = trace.last_of(unfinished.thread);
  if (last == kNoEvent) last = trace.creation_of(unfinished.thread);
  if (last == kNoEvent) return;
  const std::uint32_t* clock = clocks_.data() + last * stride_;
  for (EventIndex x = 0; x < last; ++x)
    if (trace.thread(x) != unfinished.thread && before(x, last) && !covers(clock, trace, x) &&
        may_depend(trace[x].label, unfinished.op))
      found(x, last);
}

void HiddenRaces::hide(const Trace& trace, const Pair& race, const Pair& by) {
  const std::size_t begin = notdep_.size();
  Event last;
  const bool known = is_known(trace, race, last);
  if (!known) notdep_.resize(begin);
  hidden_.push_back({race, by, known, last, begin, notdep_.size()});
}

// Adds notdep(x) of a race. The clocks are those of the order without what hides it. Returns
// whether it can be executed.
bool HiddenRaces::is_known(const Trace& trace, const Pair& race, Event& last) {
  const auto [x, y] = race;
  if (y == kNoEvent) return false;
  last = trace[y];
  const std::size_t begin = notdep_.size();
  for (auto i = x + 1; i < trace.size(); ++i)
    if (trace[i].label.kind != OpKind::kExit && !covers(clocks_.data() + i * stride_, trace, x) &&
        !covers(clocks_.data() + i * stride_, trace, y))
      notdep_.push_back(i);
  return reordering_.same_results(trace, x, std::span(notdep_).subspan(begin), last);
}

// Whether a block commutes with the other event, where the clock is that of what comes before y.
bool HiddenRaces::commutes(const std::uint32_t* clock, const HappensBefore& before, EventIndex x,
                           EventIndex y, Equal equal) {
  const Trace& trace = before.trace;
  between_.clear();
  for (EventIndex i = x + 1; i < y; ++i)
    if (clock[trace.thread(i)] > trace.place(i)) between_.push_back(i);
  return equal(between_, x, y);
}

// The same in the order of the trace, if the two are in a race there.
bool HiddenRaces::is_equal_race(const HappensBefore& before, EventIndex x, EventIndex y,
                                Equal equal) {
  between_.clear();
  for (EventIndex i = x + 1; i < y; ++i) {
    if (!before(i, y)) continue;
    if (before(x, i)) return false;
    between_.push_back(i);
  }
  return equal(between_, x, y);
}

// The order again without that of the pair, for what happens after its second event.
void HiddenRaces::find_hidden_by(const HappensBefore& before, const Pair& pair,
                                 std::span<const Unfinished> unfinished, Equal equal,
                                 Ordered ordered) {
  const Trace& trace = before.trace;
  const auto size = static_cast<EventIndex>(trace.size());
  const EventIndex e = pair.e, f = pair.f;
  races_.clear();
  const bool observed = !reads_memory(trace[e].label) && !reads_memory(trace[f].label);
  for (EventIndex y = f; y < size; ++y) {
    stop_if_wished();
    if (!before(f, y)) continue;
    std::uint32_t* clock = clocks_.data() + y * stride_;
    std::fill_n(clock, stride_, 0);
    join_program_order(trace, clocks_, y);
    for (EventIndex x : dependent_[y]) {
      if (covers(clock, trace, x) || (x == e && y == f)) continue;
      const bool block = is_block(trace[x]) || is_block(trace[y]);
      const bool commute = block ? commutes(clock, before, x, y, equal) : may_commute(before, x, y);
      // What has observed the pair is run before e, too, if it sees the same there.
      if (x == e && observed && commute && reads_memory(trace[y].label)) continue;
      // Two that commute only in some other order are a race in this one.
      const bool race = block ? !commute : !same_either_way(trace[x], trace[y]);
      if (y != f && race && before(x, e)) races_.push_back({x, y});
      if (ordered(x, y)) join(clocks_, y, x);
    }
    clock[trace.thread(y)] = trace.place(y) + 1;
  }
  for (const Unfinished& u : unfinished)
    find_unfinished(before, u, [&](EventIndex x, EventIndex last) {
      if (before(x, e) && before(f, last)) races_.push_back({x, kNoEvent});
    });
  for (const Pair& race : races_) hide(trace, race, pair);
  std::copy(before.clocks + f * stride_, before.clocks + size * stride_,
            clocks_.begin() + static_cast<std::ptrdiff_t>(f * stride_));
}

}  // namespace mazur
