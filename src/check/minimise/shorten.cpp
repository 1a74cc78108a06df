#include "check/minimise/shorten.h"

#include <algorithm>

namespace mazur {
namespace {

// A step by itself. The store that it reads is known by its thread, because other steps may be left
// out.
struct Planned {
  std::uint16_t choice = 0;
  StoreRef ref = kNewest;  // of a store its place in its thread
  ThreadId store = kNoThread;
};

// Steps of one thread in a row.
struct Segment {
  ThreadId thread;
  std::vector<Planned> steps;
};
using Segments = std::vector<Segment>;

void add_step(Segments& segments, ThreadId thread, Planned step) {
  if (segments.empty() || segments.back().thread != thread) segments.push_back({thread, {}});
  segments.back().steps.push_back(step);
}

Planned planned(const Trace& trace, EventIndex e) {
  const Step step = trace[e].step();
  if (step.ref >= e) return {step.choice, step.ref};
  return {step.choice, trace.place(step.ref), trace.thread(step.ref)};
}

// What the plan says about memory, in this execution. Nothing, if there is no such store.
StoreRef ref_now(const Trace& trace, const Planned& plan, const Operation& op) {
  if (plan.store == kNoThread) return plan.ref;
  for (EventIndex e = 0; e < trace.size(); ++e)
    if (trace.thread(e) == plan.store && trace.place(e) == plan.ref)
      return trace[e].label.object == op.object && trace[e].label.size == op.size ? e : kNewest;
  return kNewest;
}

Segments segments_of(std::span<const Event> events) {
  Trace trace;
  for (const Event& event : events) trace.append(event);
  Segments segments;
  for (EventIndex e = 0; e < trace.size(); ++e)
    add_step(segments, trace.thread(e), planned(trace, e));
  return segments;
}

// One segment after the other, each as far as its thread can go; then on without preemptions.
// Returns whether this is the best so far.
bool improves(CandidateRun& run, const Segments& segments) {
  using Result = CandidateRun::Result;
  const ScheduleCost before = run.best()->cost;
  if (!run.begin()) return false;
  Result result = Result::kOn;
  const auto advance = [&](ThreadId thread, const Planned& plan) {
    const Pending* pending = run.frontier().find(thread);
    if (pending == nullptr || !pending->enabled) return false;
    const std::uint16_t choice = plan.choice < pending->ways ? plan.choice : std::uint16_t{0};
    const Step step{thread, choice, ref_now(run.trace(), plan, pending->op)};
    if (run.hopeless(thread != run.current() && run.current_enabled(), step.ref != kNewest))
      return false;
    result = run.advance(step);
    return result == Result::kOn;
  };
  for (const Segment& segment : segments) {
    for (const Planned& plan : segment.steps)
      if (!advance(segment.thread, plan)) break;
    if (result != Result::kOn) return run.best()->cost < before;
  }
  for (;;) {
    ThreadId next = kNoThread;
    for (const Pending& p : run.frontier().threads())
      if (p.enabled && (next == kNoThread || p.thread == run.current())) next = p.thread;
    if (next == kNoThread || !advance(next, {})) break;
  }
  return run.best()->cost < before;
}

// A linear extension of the chosen events that goes on with one thread as long as it can. Where it
// cannot, the thread to go on with is the first in the trace or the last.
Segments few_switches(const Trace& trace, const std::vector<bool>& chosen, bool first) {
  const auto size = static_cast<EventIndex>(trace.size());
  std::vector<std::uint32_t> done;            // per thread, of all its events
  std::vector<std::vector<EventIndex>> left;  // per thread, those chosen, backwards
  for (EventIndex e = size; e-- > 0;) {
    const ThreadId thread = trace.thread(e);
    if (thread >= left.size()) left.resize(thread + 1u);
    if (chosen[e]) left[thread].push_back(e);
  }
  done.resize(std::max(left.size(), trace.clock(0).size()));
  const auto ready = [&](ThreadId thread) {
    if (left[thread].empty()) return false;
    const auto clock = trace.clock(left[thread].back());
    for (std::size_t t = 0; t < clock.size(); ++t)
      if (t != thread && clock[t] > done[t]) return false;
    return true;
  };
  Segments segments;
  ThreadId current = kNoThread;
  for (;;) {
    if (current == kNoThread || !ready(current)) {
      current = kNoThread;
      for (ThreadId t = 0; std::size_t{t} < left.size(); ++t) {
        if (!ready(t)) continue;
        const bool earlier = current == kNoThread || left[t].back() < left[current].back();
        if (current == kNoThread || earlier == first) current = t;
      }
      if (current == kNoThread) return segments;
    }
    const EventIndex e = left[current].back();
    left[current].pop_back();
    done[current] = trace.place(e) + 1;
    add_step(segments, current, planned(trace, e));
  }
}

// Sorts a window by thread, in the order in which the threads first (or last) appear in it.
Segments sorted_window(const Segments& segments, std::size_t begin, std::size_t end, bool first) {
  std::vector<ThreadId> order;
  for (std::size_t i = begin; i < end; ++i) {
    const auto at = std::find(order.begin(), order.end(), segments[i].thread);
    if (at != order.end() && first) continue;
    if (at != order.end()) order.erase(at);
    order.push_back(segments[i].thread);
  }
  Segments result;
  const auto add = [&result](const Segment& segment) {
    for (const Planned& step : segment.steps) add_step(result, segment.thread, step);
  };
  for (std::size_t i = 0; i < begin; ++i) add(segments[i]);
  for (const ThreadId thread : order)
    for (std::size_t i = begin; i < end; ++i)
      if (segments[i].thread == thread) add(segments[i]);
  for (std::size_t i = end; i < segments.size(); ++i) add(segments[i]);
  return result;
}

Segments without_window(const Segments& segments, std::size_t begin, std::size_t end) {
  Segments result;
  for (std::size_t i = 0; i < segments.size(); ++i)
    if (i < begin || i >= end)
      for (const Planned& step : segments[i].steps) add_step(result, segments[i].thread, step);
  return result;
}

bool improves_window(CandidateRun& run, const Segments& segments, std::size_t begin,
                     std::size_t end) {
  if (improves(run, without_window(segments, begin, end))) return true;
  if (end - begin < 3) return false;
  return improves(run, sorted_window(segments, begin, end, true)) ||
         improves(run, sorted_window(segments, begin, end, false));
}

}  // namespace

void shorten_within_trace(CandidateRun& run) {
  Trace trace;
  for (const Event& event : run.best()->events) trace.append(event);
  const auto size = static_cast<EventIndex>(trace.size());
  const ThreadId other = run.best()->failure.other.thread;
  const EventIndex others_last = other == kNoThread ? kNoEvent : trace.last_of(other);
  std::vector<bool> all(size, true), past(size);
  for (EventIndex e = 0; e < size; ++e)
    past[e] = trace.happens_before(e, size - 1) ||
              (others_last != kNoEvent && trace.happens_before(e, others_last));
  for (const bool first : {true, false}) {
    improves(run, few_switches(trace, past, first));
    improves(run, few_switches(trace, all, first));
  }
}

void shorten(CandidateRun& run) {
  std::size_t window = segments_of(run.best()->events).size();
  for (bool improved = false; window > 0 && !run.spent(); improved = false) {
    Segments segments = segments_of(run.best()->events);
    window = std::min(window, segments.size());
    const std::size_t stride = std::max<std::size_t>(window / 2, 1);
    for (std::size_t begin = 0; begin < segments.size() && !run.spent(); begin += stride) {
      if (!improves_window(run, segments, begin, std::min(begin + window, segments.size())))
        continue;
      improved = true;
      segments = segments_of(run.best()->events);
    }
    if (!improved) window = window <= 3 ? window - 1 : window / 2 + 1;
  }
}

}  // namespace mazur
