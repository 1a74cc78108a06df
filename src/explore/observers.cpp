#include "explore/observers.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "explore/at_exit.h"
#include "explore/context.h"
#include "explore/done_set.h"
#include "explore/dont_do.h"
#include "explore/orders.h"
#include "explore/pick.h"
#include "explore/step_table.h"
#include "explore/wakeup_tree.h"
#include "trace/block.h"
#include "trace/blocking.h"
#include "trace/comparison.h"
#include "trace/dependence.h"
#include "trace/hidden_races.h"
#include "trace/observability.h"
#include "trace/observed_reversal.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// Which orders count as one although their operations depend.
enum class Independence : std::uint8_t { kObservers, kContext, kBoth };

// What settles both.
EventIndex latest(EventIndex a, EventIndex b) {
  return a == kNoEvent || b == kNoEvent ? kNoEvent : std::max(a, b);
}

// Explore(E, WuT, Dnd) is the stack of the recursion, one Node per prefix E of the execution. Line
// numbers without a figure are those of Algorithm 1.
//
// The sequence v that reverses a race is tested for redundancy in full, with everything in E that
// does not happen after e, as in optimal DPOR; what is put into the wakeup tree is only the part of
// it that later explorations need (WakeupTrees::insert). That part begins with ance(e, e', E).e'
// and takes the place of the future initials of section 3.3.
class Conditional final : public Explorer {
 public:
  Conditional(const ExplorerOptions& options, Independence independence)
      : picker_(options),
        context_(independence != Independence::kObservers),
        published_(context_ && options.published_rules),
        observation_(independence != Independence::kContext, MailOrder::kCounted),
        data_races_(options.data_races) {
    reversal_.set_strict(context_);
  }

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  bool blocked() const override { return blocked_; }
  bool exhaustive() const override { return complete_ && !published_; }
  const char* doubt() const override { return published_ ? kPublished : Explorer::doubt(); }
  bool use_probe(Probe* probe) override {
    probe_ = probe;
    orders_.use_probe(probe);
    return true;
  }
  double progress() const override;

 private:
  struct Node {
    WakeupTrees::Node siblings = WakeupTrees::kNone;  // wut(E) beside the branch under exploration
    std::uint32_t done = 0;                           // branches explored before this one
    bool explored = false;                            // some branch was not cut
    bool open = false;  // all branches so far were cut, and others are possible
  };

  bool in_dont_do(std::size_t depth, Step step) const {
    return context_ && dont_do_.contains(depth, step);
  }
  bool restart();
  bool miscounts(const Trace& trace);
  bool has_blind_races(const Trace& trace) const;
  bool learns_more(const Trace& trace, const Frontier& frontier);
  void detect_races(const Trace& trace, const Frontier& frontier);
  void forget_settled(std::size_t size);
  EventIndex detect_disabling(const Trace& trace, Waiting waiting);
  EventIndex detect_choices(const Trace& trace, EventIndex e);
  bool reverse(const Trace& trace);
  bool resolve(const Trace& trace);
  void add_dont_do(const Trace& trace, EventIndex e, EventIndex f);
  std::optional<Orders::Other> other_order(const Trace& trace, EventIndex e, EventIndex f);
  bool same_for_observers(const Trace& trace, EventIndex e) const;
  void ban_hiding(const Trace& trace, const Frontier& frontier);
  bool is_run(EventIndex e, EventIndex f, EventIndex x, EventIndex y);
  bool reverse_hidden(const Trace& trace, EventIndex x, EventIndex y, const Event& last,
                      std::span<const EventIndex> notdep);
  EventIndex cut_for_others(const Trace& trace, ThreadId thread) const;
  void add_dont_dos(std::size_t depth, const Frontier& frontier);
  bool redundant(const Trace& trace);
  bool starts_with(const Trace& trace, const Event& p, EventIndex origin) const;
  bool has_more(const Trace& trace);
  bool is_covered(const Trace& trace, std::size_t depth, const std::vector<StepId>& path);

  Picker picker_;
  bool context_;
  bool published_;  // by the rules of the paper alone
  StepTable steps_;
  Observation observation_;
  bool data_races_;
  Observability order_{observation_};
  DoneSets done_{steps_, observation_};
  DontDo dont_do_{steps_, observation_};
  WakeupTrees trees_{steps_};
  ObservedReversal reversal_{observation_, order_};
  std::vector<Node> nodes_;                         // by length of the prefix
  WakeupTrees::Node subtree_ = WakeupTrees::kNone;  // WuT' for the node to come (line 18)
  Consistency since_{observation_};
  std::vector<StepId> path_;
  std::vector<EventIndex> observers_;
  HiddenRaces hidden_;
  std::vector<Unfinished> unfinished_;
  // What settles the analysis of each race, and of each event's disabling and choice races, as in
  // optimal.cpp (ObservedReversal::settled_by). Only without context.
  std::vector<EventIndex> race_settled_;
  std::vector<EventIndex> disabling_settled_;
  std::vector<EventIndex> choices_settled_;
  Probe* probe_ = nullptr;
  Orders orders_;
  std::vector<EventIndex> ancestors_;
  std::vector<Step> schedule_;  // scratch
  std::size_t keep_ = 0;
  bool blocked_ = false;
  bool cut_ = false;      // the last step was in dnd(E)
  bool was_cut_ = false;  // that of the execution that is analysed
  // Hidden races are reversed, or have been. Not in a program that does not go on as its labels
  // say: loops that wait count stores, also those that change nothing.
  bool plans_hidden_ = true;
  bool planned_hidden_ = false;
  bool astray_ = false;       // this execution did not
  bool first_ = true;         // execution
  bool blind_races_ = false;  // some execution has had one
  bool complete_ = true;      // no race was left out or guessed (blocking.h)
  bool between_ = false;      // two executions
  bool finished_ = false;
  AtExit at_exit_;
};

MaybeStep Conditional::choose(const Trace& trace, const Frontier& frontier) {
  between_ = false;
  blocked_ = cut_;
  if (cut_) return std::nullopt;
  const std::size_t depth = trace.size();
  const bool entering = nodes_.size() == depth;
  if (entering && done_.depth() == depth) {
    done_.push(trace);
    if (context_ && depth == 0) dont_do_.push_empty();
    if (context_ && depth > 0) dont_do_.push_after(trace[static_cast<EventIndex>(depth - 1)]);
  }
  const bool fresh =
      entering ? subtree_ == WakeupTrees::kNone : nodes_.back().siblings == WakeupTrees::kNone;
  if (fresh) {
    // Lines 11-12. Nothing sleeps here: a wakeup sequence ends where nothing explored before is a
    // weak initial any more. Were it not so, the execution would be redundant.
    const auto awake = [&](Step p) { return !done_.asleep(depth, p); };
    const auto step =
        picker_.pick(trace, frontier, [&](Step p) { return awake(p) && !in_dont_do(depth, p); });
    if (step) {
      if (entering) nodes_.emplace_back();
      nodes_.back().open = false;
      nodes_.back().explored = true;
      at_exit_.note(*step, frontier);
      return step;
    }
    add_dont_dos(depth, frontier);
    if (subtree_ == WakeupTrees::kNone) {
      blocked_ = frontier.any_enabled();
      return std::nullopt;
    }
    if (!entering) {
      nodes_.back().open = false;
      nodes_.back().siblings = subtree_;
      subtree_ = WakeupTrees::kNone;
    }
  }
  if (entering) {
    nodes_.push_back({.siblings = subtree_});  // line 6
    subtree_ = WakeupTrees::kNone;
  }
  const Step step = steps_[trees_.take_first(nodes_.back().siblings, subtree_)].step();
  const Pending* pending = frontier.find(step.thread);
  if (pending == nullptr || !pending->enabled || step.choice >= pending->ways) {
    if (!planned_hidden_)
      throw std::logic_error(
          "a planned step is not possible: the program did not behave as before");
    plans_hidden_ = planned_hidden_ = false;
    astray_ = blocked_ = true;
    return std::nullopt;
  }
  at_exit_.note(step, frontier);
  cut_ = in_dont_do(depth, step);  // lines 15-16: only its races are of interest
  if (!cut_) {
    nodes_.back().explored = true;
  } else if (!nodes_.back().explored) {
    nodes_.back().open =
        picker_
            .pick(trace, frontier,
                  [&](Step p) { return !done_.asleep(depth, p) && !in_dont_do(depth, p); })
            .has_value();
  }
  return step;
}

// Lines 7-9: all that is enabled is in dnd(E). Each is run once, for its races.
void Conditional::add_dont_dos(std::size_t depth, const Frontier& frontier) {
  for (const Pending& p : frontier.threads())
    for (std::uint16_t c = 0; p.enabled && c < p.ways; ++c) {
      const Step step{p.thread, c};
      if (!in_dont_do(depth, step) || done_.asleep(depth, step)) continue;
      Event event{.thread = p.thread, .choice = c, .ways = p.ways, .label = {}};
      static_cast<Operation&>(event.label) = p.op;
      trees_.append(subtree_, steps_.add(event));
    }
}

bool Conditional::plan(const Trace& trace, const Frontier& frontier, End) {
  subtree_ = WakeupTrees::kNone;
  between_ = true;
  was_cut_ = std::exchange(cut_, false);
  const Frontier& last = at_exit_.frontier(trace, frontier);
  const bool later = !first_;
  first_ = false;
  if (std::exchange(astray_, false)) return restart();
  if (learns_more(trace, last) && later) return restart();
  blind_races_ = blind_races_ || has_blind_races(trace);
  order_.follow(trace, keep_);
  if (data_races_ && miscounts(trace)) return restart();
  detect_races(trace, last);
  // Lines 22-23, for every call of Explore that returns now, up to one with more to explore.
  nodes_.resize(trace.size());
  while (!nodes_.empty() && !has_more(trace)) nodes_.pop_back();
  finished_ = nodes_.empty();
  if (finished_) return false;
  keep_ = nodes_.size() - 1;
  ++nodes_.back().done;
  return true;
}

// All that was done was done with another order: from the start, with this one.
bool Conditional::restart() {
  nodes_.clear();
  done_.truncate(0);
  dont_do_.truncate(0);
  trees_.clear();
  keep_ = 0;
  return true;
}

// Whether the last node has more to explore, now that its branch in the trace is done.
bool Conditional::has_more(const Trace& trace) {
  Node& node = nodes_.back();
  const auto more = [&] { return node.siblings != WakeupTrees::kNone || node.open; };
  if (!more()) return false;
  const std::size_t depth = nodes_.size() - 1;
  done_.truncate(depth + 1);
  if (context_) dont_do_.truncate(depth + 1);
  done_.add(steps_.add(trace[static_cast<EventIndex>(depth)]),
            was_cut_ && depth + 1 == trace.size());
  if (context_) {
    path_.clear();
    trees_.remove_leaves(node.siblings, path_, [&](const std::vector<StepId>& path) {
      return is_covered(trace, depth, path);
    });
  }
  return more();
}

// Whether some really explored step is a weak initial of the sequence after the prefix: then its
// branch, and the races found there, cover the sequence.
bool Conditional::is_covered(const Trace& trace, std::size_t depth,
                             const std::vector<StepId>& path) {
  for (const DoneSets::Entry& entry : done_.at(depth)) {
    if (entry.cut) continue;
    since_.start(trace, entry.origin);
    for (EventIndex i = entry.origin; i < depth; ++i) since_.add(trace[i]);
    for (StepId step : path) since_.add(steps_[step]);
    if (since_.match(steps_[entry.step]) != Consistency::Match::kConflict) return true;
  }
  return false;
}

// Whether a thread goes on after it has counted some messages that could have been others: then
// there may be a data race with the sender of one that it synchronised with here.
bool Conditional::miscounts(const Trace& trace) {
  const EventIndex r = order_.uncertain_count();
  if (r == kNoEvent) return false;
  observation_.look_at(trace[r].label.object);
  return true;
}

// Whether two writes are in a race that has no order as long as nobody reads.
bool Conditional::has_blind_races(const Trace& trace) const {
  for (auto f = static_cast<EventIndex>(keep_); observation_.on() && f < trace.size(); ++f) {
    const Event& event = trace[f];
    if (event.label.kind != OpKind::kStore && event.label.kind != OpKind::kBlock) continue;
    for (EventIndex e : trace.races(f))
      if (!observation_.dependent(trace[e], event)) return true;
  }
  return false;
}

// Notes what is awaited, sizes of writes and how messages are received; whether any of that changes
// the order of what was explored. Sizes do so only if writes have had no order.
bool Conditional::learns_more(const Trace& trace, const Frontier& frontier) {
  bool added = false;
  if (!observation_.on()) return false;
  observation_.next_execution();
  const auto note = [&](const Label& op) {
    const bool tells_nothing = op.kind == OpKind::kCreate || op.kind == OpKind::kJoin ||
                               (op.kind == OpKind::kLoad && op.object2 == 0);
    if (tells_nothing) return false;
    if (op.kind == OpKind::kStore) return observation_.note_sizes(op);
    const bool awaits = op.kind == OpKind::kAwait && observation_.note_awaited(op);
    const bool sizes = observation_.note_sizes(op);
    return observation_.note_messages(op) || awaits || (sizes && blind_races_);
  };
  for (auto e = static_cast<EventIndex>(keep_); e < trace.size(); ++e)
    added |= note(trace[e].label);
  for (const Pending& p : frontier.threads()) added |= note(Label{p.op});
  return added;
}

// Fig. 5, and the races with blocked operations as in optimal.cpp.
void Conditional::detect_races(const Trace& trace, const Frontier& frontier) {
  const auto size = static_cast<EventIndex>(trace.size());
  forget_settled(size);
  // An event whose order has changed settles nothing.
  const auto settled = [&](EventIndex by) { return by != kNoEvent && by < order_.changed(); };
  for (EventIndex f = 0; f < size; ++f) {
    std::size_t number = order_.races_before(f);
    for (EventIndex e : order_.races(f)) {  // line 2
      EventIndex& by = race_settled_[number++];
      if (settled(by)) continue;
      if (!reversible(trace, e, f, order_.clocks())) {
        by = f;
        continue;
      }
      order_.observers(e, f, observers_);
      reversal_.leave_out(cut_for_others(trace, trace.thread(f)));
      complete_ = complete_ && !is_guess(trace, e, f);
      if (observers_.empty())
        reversal_.race(trace, e, f);  // line 8
      else
        reversal_.observed_race(trace, e, f, observers_);  // lines 5-6
      if (reverse(trace) && context_) add_dont_do(trace, e, f);
      by = context_ ? kNoEvent : reversal_.settled_by();
    }
    const Event& event = trace[f];
    if (can_be_disabled(event.label.kind) && !settled(disabling_settled_[f]))
      disabling_settled_[f] = detect_disabling(trace, waiting(trace, f));
    if (event.ways > 1 && !settled(choices_settled_[f]))
      choices_settled_[f] = detect_choices(trace, f);
  }
  for (const Pending& p : frontier.threads())
    if (can_be_disabled(p.op.kind))
      detect_disabling(trace, waiting(trace, p.thread, p.op, p.holds));
  if (context_ && !published_) ban_hiding(trace, frontier);
}

// Operations that commute, but whose order hides a race (hidden_races.h), are explored in both
// orders. The race is found if both its events are in the don't-do sequence itself, which is run.
void Conditional::ban_hiding(const Trace& trace, const Frontier& frontier) {
  unfinished_.clear();
  for (const Pending& p : frontier.threads()) {
    plans_hidden_ &= !is_waiting_round(p.op);
    if (!p.enabled) unfinished_.push_back({p.thread, p.op});
  }
  for (auto e = static_cast<EventIndex>(keep_); e < trace.size(); ++e)
    plans_hidden_ &= !is_waiting_round(trace[e].label);
  hidden_.find(
      trace, order_.changed(), {trace, order_.clocks()}, unfinished_,
      [&](std::span<const EventIndex> u, EventIndex x, EventIndex y) {
        return orders_.equal(trace, u, x, y).has_value();
      },
      [&](EventIndex x, EventIndex y, const Event& last, std::span<const EventIndex> notdep) {
        return reverse_hidden(trace, x, y, last, notdep);
      },
      [&](EventIndex e, EventIndex f, EventIndex x, EventIndex y) {
        if (!is_run(e, f, x, y)) dont_do_.ban(e, DontDo::swap_of(trace, e, f));
      });
}

// Whether the don't-do sequence of e and f shows the race of x and y, when it is run: if it goes on
// until y because of an observer, and the race needs none.
bool Conditional::is_run(EventIndex e, EventIndex f, EventIndex x, EventIndex y) {
  if (y == kNoEvent) return false;
  order_.observers(x, y, observers_);
  if (!observers_.empty()) return false;
  order_.observers(e, f, observers_);
  return std::any_of(observers_.begin(), observers_.end(),
                     [&](EventIndex o) { return order_.happens_before(y, o); });
}

// Explores the reversal of the race, as if the execution in which it shows had been explored. Not
// if it takes an observer.
bool Conditional::reverse_hidden(const Trace& trace, EventIndex x, EventIndex y, const Event& last,
                                 std::span<const EventIndex> notdep) {
  if (!plans_hidden_) return false;
  order_.observers(x, y, observers_);
  if (!observers_.empty()) return false;
  planned_hidden_ = true;
  reversal_.leave_out(cut_for_others(trace, trace.thread(y)));
  reversal_.hidden_race(trace, x, y, last, notdep);
  reverse(trace);
  return true;
}

// A step that was cut was run only for its own races: what others do without it is not covered by
// executions that have it.
EventIndex Conditional::cut_for_others(const Trace& trace, ThreadId thread) const {
  const auto last = static_cast<EventIndex>(trace.size()) - 1;
  return was_cut_ && trace.thread(last) != thread ? last : kNoEvent;
}

// Keeps what is known of events whose order has not changed.
void Conditional::forget_settled(std::size_t size) {
  const auto kept = order_.changed();
  const auto resize = [](std::vector<EventIndex>& settled, std::size_t from, std::size_t to) {
    settled.resize(from);
    settled.resize(to, kNoEvent);
  };
  resize(race_settled_, order_.races_before(kept),
         order_.races_before(static_cast<EventIndex>(size)));
  resize(disabling_settled_, kept, size);
  resize(choices_settled_, kept, size);
}

EventIndex Conditional::detect_disabling(const Trace& trace, Waiting w) {
  w.clocks = order_.clocks();
  EventIndex by = w.end;
  complete_ &=
      disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
        reversal_.leave_out(cut_for_others(trace, w.thread));
        reversal_.disabling(trace, dropped, step, w.program_predecessor);
        reverse(trace);
        by = latest(by, reversal_.settled_by());
      });
  const bool all_found =
      w.op.kind != OpKind::kWrLock && w.op.kind != OpKind::kAwait && w.op.kind != OpKind::kCondWake;
  return all_found && !context_ ? by : kNoEvent;
}

// The other outcomes of an event, like a race with itself.
EventIndex Conditional::detect_choices(const Trace& trace, EventIndex e) {
  EventIndex by = e;
  for (std::uint16_t c = 0; c < trace[e].ways; ++c) {
    if (c == trace[e].choice) continue;
    reversal_.leave_out(cut_for_others(trace, trace.thread(e)));
    reversal_.choice(trace, e, c);
    reverse(trace);
    by = latest(by, reversal_.settled_by());
  }
  return context_ ? kNoEvent : by;
}

// Fig. 5 lines 9-10. Returns whether v was not redundant.
bool Conditional::reverse(const Trace& trace) {
  if (!reversal_.possible() || redundant(trace)) return false;
  if (is_unknown_block(reversal_.last().label) && (!resolve(trace) || redundant(trace)))
    return false;
  trees_.insert(reversal_, nodes_[reversal_.first()].siblings);
  return true;
}

// v ends in a block of which is not known what it touches there: if it is not covered whatever that
// is, v is run to find out.
bool Conditional::resolve(const Trace& trace) {
  if (trees_.covers(reversal_, nodes_[reversal_.first()].siblings)) return false;
  if (probe_ == nullptr) {
    complete_ = false;
    return false;
  }
  schedule_.clear();
  for (EventIndex i = 0; i < reversal_.first(); ++i) schedule_.push_back(trace[i].step());
  reversal_.restart();
  reversal_.for_each([&](const Event& event) { schedule_.push_back(event.step()); });
  reversal_.resolve(last_label(*probe_, schedule_));
  return true;
}

// Lines 28-29 and 32: if after ance(e, f, E).f.e the state is what it is after f in E. A race that
// was observed is done only when all its observers have seen it again (Alg. 2 line 74): their own
// races with e are new.
//
// The order of two events that commute can hide a race of two sends that is a race only when other
// sends are in another order. So no two events count as equal where messages may have no order, and
// messages that come up later are ordered.
void Conditional::add_dont_do(const Trace& trace, EventIndex e, EventIndex f) {
  if (observation_.mailboxes().unordered()) return;
  auto other = other_order(trace, e, f);
  if (!other && published_ && same_for_observers(trace, e))
    other = Orders::Other{.f = trace[f], .e = trace[e]};
  if (!other) return;
  observation_.order_messages();
  const EventIndex end = observers_.empty() ? f : observers_.back();
  DontDo::Sequence dont;
  for (EventIndex i : ancestors_) dont.push_back(steps_.add(trace[i]));
  dont.push_back(steps_.add(other->f));
  dont.push_back(steps_.add(other->e));
  for (EventIndex i = e + 1; i <= end; ++i) {  // notobs and the observers
    if (i == f || std::binary_search(ancestors_.begin(), ancestors_.end(), i)) continue;
    const bool sees = std::any_of(observers_.begin(), observers_.end(),
                                  [&](EventIndex o) { return order_.happens_before(i, o); });
    if (sees) dont.push_back(steps_.add(trace[i]));
  }
  dont_do_.add(e, std::move(dont), DontDo::swap_of(trace, e, f));
}

// ance(e, f, E).f.e, if it leads to the same state as ance(e, f, E).e.f.
std::optional<Orders::Other> Conditional::other_order(const Trace& trace, EventIndex e,
                                                      EventIndex f) {
  ancestors_.clear();
  for (EventIndex i = e + 1; i < f; ++i)
    if (!order_.happens_before(e, i) && order_.happens_before(i, f)) ancestors_.push_back(i);
  return orders_.other_order(trace, ancestors_, e, f);
}

// The check of section 4.3, Alg. 2 line 73: whether each observer alone gets the same result if it
// sees e instead. Not sound: who reads after an observer need not.
bool Conditional::same_for_observers(const Trace& trace, EventIndex e) const {
  const Label& write = trace[e].label;
  return !observers_.empty() &&
         std::all_of(observers_.begin(), observers_.end(), [&](EventIndex o) {
           const Label& read = trace[o].label;
           if (write.kind != OpKind::kStore || read.kind != OpKind::kLoad ||
               write.object != read.object || write.size != read.size)
             return false;
           return is_observed_assertion(read) ? holds(read, write.written) == read.success
                                              : read.read == write.written;
         });
}

// Whether nothing that p depends on comes before it in w'.v, observed or not.
bool Conditional::starts_with(const Trace& trace, const Event& p, EventIndex origin) const {
  bool found = false;
  bool first = true;
  const auto look = [&](const Event& event) {
    found = found || event.thread == p.thread;
    if (!found && dependent(event, p)) first = false;
  };
  for (EventIndex i = origin; i < reversal_.first(); ++i) look(trace[i]);
  reversal_.for_each(look);
  return found && first;
}

bool Conditional::redundant(const Trace& trace) {
  const std::span<const DoneSets::Entry> entries = done_.at(reversal_.first());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Event& p = steps_[entries[i].step];
    const DoneSets::Entry& entry = entries[i];
    const auto match = reversal_.match_done(p, {.origin = entry.origin,
                                                .ran = !entry.asleep,
                                                .independent = entry.asleep && !entry.overtaken,
                                                .hidden = entry.hidden});
    if (match == ObservedReversal::Match::kConflict) continue;
    // A step that was cut covers what starts with it, also for those who observe it; but no races
    // were found after it.
    if (entries[i].cut && (match == ObservedReversal::Match::kIndependent ||
                           !starts_with(trace, p, entries[i].origin)))
      continue;
    if (match == ObservedReversal::Match::kIndependent || !entries[i].asleep ||
        !reversal_.try_next_choice(p))
      return true;
    i = static_cast<std::size_t>(-1);  // from the start, with the other outcome
  }
  return false;
}

double Conditional::progress() const {
  if (finished_) return 1;
  double part = 0;
  double weight = 1;
  for (std::size_t depth = 0; depth < nodes_.size(); ++depth) {
    const Node& node = nodes_[depth];
    const int under_way = depth == keep_ && between_ ? 0 : 1;
    const double branches =
        node.done + under_way + static_cast<double>(trees_.count(node.siblings));
    part += weight * node.done / branches;
    weight /= branches;
  }
  return part;
}

}  // namespace

std::unique_ptr<Explorer> make_observers(const ExplorerOptions& options) {
  return std::make_unique<Conditional>(options, Independence::kObservers);
}

std::unique_ptr<Explorer> make_optimal_context(const ExplorerOptions& options) {
  return std::make_unique<Conditional>(options, Independence::kContext);
}

std::unique_ptr<Explorer> make_context_observers(const ExplorerOptions& options) {
  return std::make_unique<Conditional>(options, Independence::kBoth);
}

}  // namespace mazur
