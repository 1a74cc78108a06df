#include "trace/hidden_races.h"

#include <algorithm>

#include "trace/dependence.h"
#include "trace/memory_use.h"

namespace mazur {
namespace {

bool is_block(const Event& e) { return e.label.kind == OpKind::kBlock; }

// Whether the value of the write was there without it: somebody else wrote it, or it is the first
// one.
bool has_other_source(const Trace& trace, EventIndex write) {
  const Label& l = trace[write].label;
  bool first = true;
  for (EventIndex i = 0; i < trace.size(); ++i) {
    const Label& other = trace[i].label;
    if (!any_use(other, [&](const MemoryUse& use) {
          return use.writes && use.begin < l.object + l.size && l.object < use.end;
        }))
      continue;
    if (is_block(trace[i]) || other.object != l.object || other.size != l.size) return true;
    if ((first && other.before == l.written) || (i != write && other.written == l.written))
      return true;
    first = false;
  }
  return false;
}

// Whether the two commute here, or may do so in an execution that differs from this one only in the
// order of operations that commute. They do not if they have different values.
bool may_commute(const Trace& trace, EventIndex x, EventIndex y) {
  const Label& a = trace[x].label;
  const Label& b = trace[y].label;
  const auto is_single = [](const Label& l) {
    return l.kind >= OpKind::kLoad && l.kind <= OpKind::kCas && l.object2 == 0 && l.size <= 8;
  };
  if (!is_single(a) || !is_single(b)) return false;
  if (a.object != b.object || a.size != b.size) return true;
  const std::uint64_t value = writes_memory(a) ? a.written : b.written;
  for (const Label* l : {&a, &b})
    if ((reads_memory(*l) && l->read != value) || (writes_memory(*l) && l->written != value))
      return false;
  if (!reads_memory(a) && !reads_memory(b)) return true;
  return has_other_source(trace, writes_memory(a) ? x : y);
}

}  // namespace

// Joins the clock of x to that of y.
void HiddenRaces::join(Clocks& clocks, EventIndex y, EventIndex x) const {
  std::uint32_t* clock = clocks.data() + y * stride_;
  const std::uint32_t* other = clocks.data() + x * stride_;
  for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], other[t]);
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
                       std::span<const Unfinished> unfinished, Equal equal, Found found) {
  follow(trace, keep, before);
  const auto size = static_cast<EventIndex>(trace.size());
  equal_.clear();
  bool blocks = false;
  if (candidates_.size() < size) candidates_.resize(size);
  for (EventIndex y = 0; y < size; ++y) {
    candidates_[y].clear();
    for (EventIndex x : dependent_[y]) {
      if (may_commute(trace, x, y)) {
        equal_.push_back({x, y});
        continue;
      }
      candidates_[y].push_back(x);
      blocks = blocks || is_block(trace[x]) || is_block(trace[y]);
    }
  }
  if (equal_.empty() && !blocks) return;
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
    join_program_order(trace, clocks_, y);
    for (EventIndex x : candidates_[y]) {
      if (covers(clock, x)) continue;
      if (is_block(trace[x]) || is_block(trace[y])) {
        between_.clear();
        for (EventIndex i = x + 1; i < y; ++i)
          if (covers(clock, i)) between_.push_back(i);
        if (equal(between_, x, y)) {
          equal_.push_back({x, y});
          continue;
        }
      }
      report(x, y, y);
      join(clocks_, y, x);
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
