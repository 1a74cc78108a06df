#include "trace/blocking/subsets.h"

#include <algorithm>
#include <vector>

#include "base/stop.h"
#include "trace/blocking/memory_value.h"

namespace mazur {
namespace {

// Enough for 12 events that do not depend on each other. If there are more, the largest subsets
// come first. The others are reached from those, by reversing the races of the operation once it
// has run.
constexpr int kMaxSubsets = 1 << 12;

HappensBefore order_of(const Trace& trace, const Waiting& w) {
  return {trace, w.clocks != nullptr ? w.clocks : trace.clocks()};
}

bool happens_after_any(const HappensBefore& before, std::span<const EventIndex> events,
                       EventIndex x) {
  return std::any_of(events.begin(), events.end(), [&](EventIndex d) { return before(d, x); });
}

// All ways to drop: what must be dropped, some of `events` (which are in trace order), and what
// happens after all of those.
template <typename Visit>
class Subsets {
 public:
  Subsets(const HappensBefore& before, std::vector<EventIndex> must,
          std::span<const EventIndex> events, Visit visit)
      : before_(before), events_(events), visit_(visit), dropped_(std::move(must)) {}

  // Returns false if there were too many and some were left out.
  bool search_all() {
    search(0);
    return budget_ >= 0;
  }

 private:
  void search(std::size_t from) {
    stop_if_wished();
    while (from < events_.size() && happens_after_any(before_, dropped_, events_[from])) ++from;
    if (from == events_.size()) {
      if (--budget_ >= 0) visit_(std::span<const EventIndex>(dropped_));
      return;
    }
    if (budget_ < 0) return;
    search(from + 1);
    dropped_.push_back(events_[from]);
    search(from + 1);
    dropped_.pop_back();
  }

  HappensBefore before_;
  std::span<const EventIndex> events_;
  Visit visit_;
  std::vector<EventIndex> dropped_;
  int budget_ = kMaxSubsets;
};

Event step_of(const Waiting& w) {
  Event step{.thread = w.thread, .choice = 0, .ways = 1, .label = {}};
  static_cast<Operation&>(step.label) = w.op;
  return step;
}

// Whether p stands at its operation after E'.u.
bool gets_there(const Trace& trace, const Waiting& w, std::span<const EventIndex> dropped) {
  return w.program_predecessor == kNoEvent ||
         !happens_after_any(order_of(trace, w), dropped, w.program_predecessor);
}

// `independent` are the readers' events that do not depend on e. Keeps those that the writer had to
// wait for: what happens before the release of e's lock, or before the releases by other readers
// that are kept.
//
// If the writer did run, the others need not be left out. In the correctness proof, only events
// that bring the writer to run as soon as it can come after u and e (blocking.h). So any reader
// that is not kept here was in u.
void keep_forced(const HappensBefore& before, std::span<const EventIndex> readers, EventIndex e,
                 std::vector<EventIndex>& independent) {
  const Trace& trace = before.trace;
  std::vector<EventIndex> forcing = {e};
  std::vector<EventIndex> forced;
  for (std::size_t k = 0; k < forcing.size(); ++k) {
    EventIndex release = forcing[k];
    for (EventIndex x : readers)
      if (trace.thread(x) == trace.thread(forcing[k])) release = std::max(release, x);
    for (EventIndex x : independent) {
      if (!before(x, release)) continue;
      if (std::find(forced.begin(), forced.end(), x) != forced.end()) continue;
      forced.push_back(x);
      forcing.push_back(x);
    }
  }
  std::sort(forced.begin(), forced.end());
  independent = forced;
}

// e, and the readers whose lock is not released among the events that do not depend on e: with any
// of them the writer stays blocked.
std::vector<EventIndex> must_drop(const Trace& trace, EventIndex e,
                                  std::span<const EventIndex> independent) {
  std::vector<EventIndex> dropped = {e};
  for (std::size_t k = 0; k < independent.size(); ++k) {
    if (!is_read_lock(trace[independent[k]].label)) continue;
    const bool released = std::any_of(independent.begin() + static_cast<std::ptrdiff_t>(k),
                                      independent.end(), [&](EventIndex x) {
                                        return trace[x].label.kind == OpKind::kRdUnlock &&
                                               trace.thread(x) == trace.thread(independent[k]);
                                      });
    if (!released) dropped.push_back(independent[k]);
  }
  return dropped;
}

}  // namespace

bool writer_races(const Trace& trace, const Waiting& w, Disabled found) {
  bool all = true;
  const Event step = step_of(w);
  const HappensBefore before = order_of(trace, w);
  // The last writer, and the readers since then.
  std::vector<EventIndex> readers;
  EventIndex writer = kNoEvent;
  const auto look = [&](EventIndex x) {
    const Label& l = trace[x].label;
    if (is_read_lock(l) || l.kind == OpKind::kRdUnlock) readers.push_back(x);
    if (is_write_lock(l)) writer = x;
    return writer == kNoEvent;
  };
  if (w.end < trace.size())
    trace.history().conflicts_before(trace.first_touch(w.end), look);
  else
    trace.history().conflicts_after(step.label, kNoEvent, look);
  std::sort(readers.begin(), readers.end());
  if (writer != kNoEvent && trace.thread(writer) != w.thread && gets_there(trace, w, {&writer, 1}))
    found({&writer, 1}, step);

  std::vector<EventIndex> independent;
  for (EventIndex e : readers) {
    if (!is_read_lock(trace[e].label) || trace.thread(e) == w.thread) continue;
    if (!gets_there(trace, w, {&e, 1})) continue;
    independent.clear();
    for (EventIndex x : readers)
      if (x > e && !before(e, x)) independent.push_back(x);
    if (w.end < trace.size()) keep_forced(before, readers, e, independent);
    const auto visit = [&](std::span<const EventIndex> dropped) {
      int held = 0;
      for (EventIndex x : readers)
        if (!happens_after_any(before, dropped, x)) held += is_read_lock(trace[x].label) ? 1 : -1;
      if (held == 0 && gets_there(trace, w, dropped)) found(dropped, step);
    };
    all &= Subsets(before, must_drop(trace, e, independent), independent, visit).search_all();
  }
  return all;
}

bool await_races(const Trace& trace, const Waiting& w, Disabled found) {
  bool all = true;
  const Event step = step_of(w);
  const HappensBefore before = order_of(trace, w);
  std::vector<EventIndex> writes;
  trace.history().conflicts_after(step.label, kNoEvent, [&](EventIndex x) {
    if (x < w.end) writes.push_back(x);
    return true;
  });
  std::sort(writes.begin(), writes.end());
  writes.erase(std::unique(writes.begin(), writes.end()), writes.end());

  const auto enabled = [&](std::span<const EventIndex> dropped, EventIndex last) {
    const ObjectId objects[] = {w.op.object, second_location(w.op)};
    for (int i = 0; i < 2; ++i) {
      if (objects[i] == 0) continue;
      const auto value = value_after(before, objects[i], w.op.size, w.end, dropped, last);
      if (value ? !satisfies(*value, w.op) : (w.holds >> i & 1) == 0) return false;
    }
    return true;
  };
  std::vector<EventIndex> independent;
  for (std::size_t k = writes.size(); k-- > 0;) {
    const EventIndex e = writes[k];
    if (trace.thread(e) == w.thread || !gets_there(trace, w, {&e, 1})) continue;
    independent.clear();
    for (EventIndex x : writes)
      if (x > e && !before(e, x)) independent.push_back(x);
    bool disables = false;
    const auto visit = [&](std::span<const EventIndex> dropped) {
      if (!gets_there(trace, w, dropped)) return;
      if (!enabled(dropped, kNoEvent) || enabled(dropped, e)) return;
      disables = true;
      found(dropped, step);
    };
    all &= Subsets(before, {e}, independent, visit).search_all();
    // Writes to one location are ordered, so the last one that disables is enough (blocking.h).
    if (disables && second_location(w.op) == 0 && independent.empty()) return all;
  }
  return all;
}

}  // namespace mazur
