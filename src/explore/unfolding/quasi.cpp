#include "explore/unfolding/quasi.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "explore/at_exit.h"
#include "explore/pick.h"
#include "explore/tree_estimate.h"
#include "explore/unfolding/alternatives.h"
#include "explore/unfolding/contexts.h"
#include "explore/unfolding/extensions.h"

namespace mazur {
namespace {

using unfolding::EventId;

// Algorithm 1, its recursion as a stack along the execution: the call Explore(C, D, A) that adds
// the event at position i has C = the events before i. D only grows along the execution, so it is
// kept as what each call adds to it. A is followed from where it was found, and empty after that.
class Quasi final : public Explorer {
 public:
  explicit Quasi(const ExplorerOptions& options)
      : picker_(options),
        k_(options.quasi_k),
        bound_(options.schedule_bound),
        most_(options.most),
        timed_(options.statistics) {
    if (timed_) configuration_.measure(&distances_);
  }

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  bool blocked() const override { return blocked_; }
  Needs needs() const override { return {.probe = true}; }
  Standing standing() const override {
    return {.doubt = extensions_.complete() ? nullptr : kSomeOrders,
            .reached = cut_ ? bound_ : ScheduleBound::kNone};
  }
  void use_probe(Probe* probe) override { extensions_.use_probe(probe); }
  double progress() const override;
  std::string statistics() const override;

 private:
  // How large U may become: three times what was kept the last time; where that is much, less.
  static constexpr std::size_t kFewEvents = 32;
  static constexpr std::size_t kManyEvents = 1 << 16;

  // Events of D that can still be added to the prefix of each length: the others are in conflict
  // with it and need no further thought.
  class Disabled {
   public:
    std::span<const EventId> at(std::size_t length) const {
      const std::size_t begin = length == 0 ? 0 : ends_[length - 1];
      return {events_.data() + begin, ends_[length] - begin};
    }
    std::size_t depth() const { return ends_.size(); }
    // For the prefix that is one longer than the last one.
    void push(const unfolding::Configuration& c) {
      const std::size_t end = events_.size();
      for (std::size_t i = ends_.size() < 2 ? 0 : ends_[ends_.size() - 2]; i < end; ++i)
        if (const EventId d = events_[i]; !c.conflicts(d)) events_.push_back(d);
      ends_.push_back(events_.size());
    }
    void truncate(std::size_t depth) {
      ends_.resize(depth);
      events_.resize(depth == 0 ? 0 : ends_.back());
    }
    void add(EventId e) {
      events_.push_back(e);
      ++ends_.back();
    }
    void rename(std::span<const EventId> names) {
      for (EventId& e : events_) e = names[e];
    }

   private:
    std::vector<EventId> events_;
    std::vector<std::size_t> ends_;  // by length of the prefix
  };

  // Adds the processor time until it goes out of scope, if times are asked for.
  class Timer {
   public:
    Timer(bool on, double& sum) : sum_(on ? &sum : nullptr), start_(on ? now() : 0) {}
    ~Timer() {
      if (sum_ != nullptr) *sum_ += now() - start_;
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    static double now() {
      timespec t;
      clock_gettime(CLOCK_MONOTONIC, &t);
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
    }

   private:
    double* sum_;
    double start_;
  };

  void absorb(const Trace& trace);
  bool is_disabled(Step step) const;
  bool within_bound();
  double estimate() const;
  void forget();

  Picker picker_;
  std::size_t k_;
  ScheduleBound bound_;
  std::uint32_t most_;  // of what bound_ says
  bool cut_ = false;    // an alternative was left out because of it
  unfolding::EventStructure structure_;
  unfolding::Configuration configuration_{structure_};
  unfolding::Extensions extensions_{structure_, configuration_};
  unfolding::Alternatives alternatives_{structure_, configuration_};
  Disabled disabled_;
  std::vector<EventId> add_;         // A, causes first
  std::size_t added_ = 0;            // how many of it
  std::size_t enough_ = kFewEvents;  // events in U; with more, some are forgotten
  std::size_t keep_ = 0;
  bool blocked_ = false;
  bool finished_ = false;
  AtExit at_exit_;
  TreeEstimate estimate_;
  mutable double estimated_ = 1;     // how many executions there will be
  mutable double estimated_at_ = 0;  // after how many; it takes its time
  // For statistics().
  unfolding::Configuration::Distances distances_;
  bool timed_;
  double started_ = timed_ ? Timer::now() : 0;
  double adding_ = 0;
  double searching_ = 0;
  double forgetting_ = 0;
  std::uint64_t forgotten_ = 0;
};

// Takes the event that has been executed since the last call into U and C.
void Quasi::absorb(const Trace& trace) {
  if (disabled_.depth() == 0) disabled_.push(configuration_);
  if (configuration_.size() == trace.size()) return;
  if (trace.events().back().label.kind == OpKind::kExit) return;  // it depends on nothing
  const Timer timer(timed_, adding_);
  const EventId e = extensions_.executed(trace);
  configuration_.push(e);
  disabled_.push(configuration_);
  // Where the outcome of a step was not known before, it can be another event than was planned,
  // and what was to follow may not be possible. Any other way on is as good.
  if (added_ != 0 && added_ <= add_.size() && add_[added_ - 1] != e) add_.clear();
}

bool Quasi::is_disabled(Step step) const {
  for (EventId d : disabled_.at(configuration_.size()))
    if (structure_[d].thread == step.thread && structure_[d].choice == step.choice) return true;
  return false;
}

MaybeStep Quasi::choose(const Trace& trace, const Frontier& frontier) {
  blocked_ = false;
  absorb(trace);
  if (added_ < add_.size()) {  // Alg. 1 line 9
    const unfolding::Node& next = structure_[add_[added_++]];
    const Step step{next.thread, next.choice};
    const Pending* pending = frontier.find(step.thread);
    if (pending == nullptr || !pending->enabled || step.choice >= pending->ways)
      throw std::logic_error(
          "a planned step is not possible: the program did not behave as before");
    at_exit_.note(step, frontier);
    return step;
  }
  add_.clear();
  added_ = 0;
  // Line 7, or line 5: en(C) is included in D.
  const auto step = picker_.pick(trace, frontier, [&](Step p) { return !is_disabled(p); });
  if (step)
    at_exit_.note(*step, frontier);
  else
    blocked_ = frontier.any_enabled();
  return step;
}

bool Quasi::plan(const Trace& trace, const Frontier& frontier, End) {
  absorb(trace);
  {
    const Timer timer(timed_, adding_);
    extensions_.ended(trace, at_exit_.frontier(trace, frontier));
  }
  add_.clear();
  added_ = 0;
  estimate_.executed(configuration_.size());
  const Timer timer(timed_, searching_);
  // Lines 11-12, for every call of Explore that has come back from line 10.
  for (std::size_t position = configuration_.size(); position-- > 0;) {
    const EventId e = configuration_.events()[position];
    configuration_.truncate(position);
    alternatives_.truncate(position);
    disabled_.truncate(position + 1);
    disabled_.add(e);
    if (!alternatives_.find(disabled_.at(position), k_)) continue;
    add_.assign(alternatives_.alternative().begin(), alternatives_.alternative().end());
    if (bound_ == ScheduleBound::kContexts && !within_bound()) {
      cut_ = true;
      continue;
    }
    estimate_.branch_at(position);
    extensions_.truncate(position);
    keep_ = position;
    if (structure_.size() > enough_) forget();
    return true;
  }
  finished_ = true;
  return false;
}

// Whether C and then the alternative can be run with few enough context switches.
bool Quasi::within_bound() {
  const std::span<const EventId> before = configuration_.events();
  const ThreadId running = before.empty() ? kNoThread : structure_[before.back()].thread;
  unfolding::switch_rarely(structure_, running, add_);
  std::size_t switches =
      unfolding::switches(structure_, before) + unfolding::switches(structure_, add_);
  switches += running != kNoThread && structure_[add_.front()].thread != running;
  return switches <= most_;
}

// Line 13. Kept is what a call of Alt may still need that has not yet been made for the calls of
// Explore on the stack: the spikes of the events in C and D, each after the prefix where it was
// first enabled, with their histories. What would be needed for events that are not known now, is
// found again when they are. All of U is looked through only when it is much larger than after the
// last time.
void Quasi::forget() {
  const Timer timer(timed_, forgetting_);
  ++forgotten_;
  alternatives_.put_back();
  const std::vector<EventId> events(configuration_.events().begin(), configuration_.events().end());
  unfolding::Configuration& prefix = configuration_;
  prefix.measure(nullptr);
  prefix.truncate(0);
  std::vector<bool> marked(structure_.size());
  std::vector<bool> first(structure_.size());
  std::vector<std::uint8_t> forbidden(structure_.size());
  const auto mark_spike = [&](EventId d) {
    marked[d] = true;
    const std::size_t size = prefix.size();
    const auto mark = [&](EventId e) {
      if (marked[e]) return true;
      if (prefix.include(e, forbidden))
        for (EventId x : prefix.events().subspan(size)) marked[x] = true;
      prefix.truncate(size);
      return true;
    };
    unfolding::for_each_in_spike(structure_, prefix, d, mark);
  };
  for (std::size_t length = 0; length <= events.size(); ++length) {
    for (EventId d : disabled_.at(length)) forbidden[d] = 1;
    for (EventId d : disabled_.at(length))
      if (!first[d]) {
        first[d] = true;
        mark_spike(d);
      }
    if (length == events.size()) break;
    mark_spike(events[length]);
    prefix.push(events[length]);
  }
  for (EventId e : add_) marked[e] = true;
  const std::vector<EventId> names = structure_.retain(marked);
  configuration_.rename(names);
  extensions_.rename(names);
  disabled_.rename(names);
  alternatives_.rename(names);
  for (EventId& e : add_) e = names[e];
  if (timed_) configuration_.measure(&distances_);
  const std::size_t size = structure_.size();
  enough_ = std::max(kFewEvents, size + std::min(2 * size, size / 2 + kManyEvents));
}

double Quasi::progress() const {
  if (finished_) return 1;
  if (estimate_.executions() == 0) return 0;
  const auto executions = static_cast<double>(estimate_.executions());
  if (executions > 1.25 * estimated_at_) {
    estimated_at_ = executions;
    estimated_ = estimate();
  }
  return std::min(executions / estimated_, 1.0);
}

// How many executions there will be. Which alternatives are left at a call of Explore is found out
// only when it is their turn. The guess is: one for every thread that has an event in conflict with
// the one under way, without D.
double Quasi::estimate() const {
  unfolding::Configuration prefix(structure_);
  std::vector<std::size_t> waiting;
  std::vector<ThreadId> threads;
  std::vector<std::uint8_t> forbidden(structure_.size());
  for (std::size_t length = 0; length < configuration_.size(); ++length) {
    const EventId e = configuration_.events()[length];
    threads.clear();
    for (EventId d : disabled_.at(length)) forbidden[d] = 1;
    int looks = 200;  // there are spikes with thousands of events
    unfolding::for_each_in_spike(structure_, prefix, e, [&](EventId x) {
      const ThreadId thread = structure_[x].thread;
      // One arrival at a barrier is not in conflict with another.
      if (alternatives_.is_arrival(x) && alternatives_.is_arrival(e)) return true;
      if (--looks == 0) return false;
      if (std::find(threads.begin(), threads.end(), thread) != threads.end()) return true;
      if (prefix.include(x, forbidden)) threads.push_back(thread);
      prefix.truncate(length);
      return true;
    });
    for (EventId d : disabled_.at(length)) forbidden[d] = 0;
    waiting.push_back(threads.size());
    prefix.push(e);
  }
  return estimate_.total(
      [&](std::size_t depth) { return depth < waiting.size() ? waiting[depth] : 0; });
}

// What the paper's sections 6.2 and 6.4 measure.
std::string Quasi::statistics() const {
  const double total = Timer::now() - started_;
  const double searching = searching_ - forgetting_;
  const auto& counts = alternatives_.counts();
  const auto& threads = structure_.thread_depths();
  const auto& objects = structure_.object_depths();
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  const auto percent = [total](double part) { return total > 0 ? 100 * part / total : 0; };
  const auto trees = [](const char* what, const unfolding::TreeDepths& depths) {
    char text[160];
    std::snprintf(text, sizeof text, "%s trees: %zu; events at average depth %.1f, deepest %u\n",
                  what, depths.deepest.size(), depths.nodes.average(), depths.nodes.largest());
    return text + ("  events by depth " + depths.nodes.text()) + "\n  trees by greatest depth " +
           depths.trees().text() + "\n";
  };
  const auto asked = [](const char* what, const unfolding::Histogram& distances) {
    char text[160];
    std::snprintf(text, sizeof text, "%s asked %llu times, at average distance %.1f\n", what,
                  static_cast<unsigned long long>(distances.total()), distances.average());
    return text + ("  by distance " + distances.text()) + "\n";
  };
  char events[512];
  std::snprintf(
      events, sizeof events,
      "events: %llu added, %zu in memory at the end, looked through %llu times\n"
      "alternatives: %llu sought, %llu found; %llu events of spikes tried, %llu put aside\n",
      number(threads.nodes.total()), structure_.size(), number(forgotten_), number(counts.sought),
      number(counts.found), number(counts.tried), number(counts.aside));
  char time[512];
  const double other = total - adding_ - searching - forgetting_;
  std::snprintf(time, sizeof time,
                "time: %.3f s (%.0f%%) adding events, %.3f s (%.0f%%) searching alternatives, %.3f "
                "s (%.0f%%) "
                "forgetting, %.3f s (%.0f%%) other (running the program)\n",
                adding_, percent(adding_), searching, percent(searching), forgetting_,
                percent(forgetting_), other, percent(other));
  return events + trees("thread", threads) + trees("object", objects) +
         asked("causality", distances_.causality) + asked("conflict", distances_.conflict) + time;
}

}  // namespace

std::unique_ptr<Explorer> make_quasi(const ExplorerOptions& options) {
  return std::make_unique<Quasi>(options);
}

}  // namespace mazur
