#include "explore/observers/observers.h"

#include <algorithm>
#include <utility>

#include "explore/context/context_observers.h"
#include "explore/explored_part.h"
#include "trace/wait_set.h"

namespace mazur {

MaybeStep ContextObservers::choose(const Trace& trace, const Frontier& frontier) {
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
  if (hidden_plans_.leads_astray(frontier, step)) {
    blocked_ = true;
    return std::nullopt;
  }
  at_exit_.note(step, frontier);
  cut_ = in_dont_do(depth, step);  // lines 15-16: only its races are of interest
  nodes_.back().has_cut |= cut_;
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
void ContextObservers::add_dont_dos(std::size_t depth, const Frontier& frontier) {
  for (const Pending& p : frontier.threads())
    for (std::uint16_t c = 0; p.enabled && c < p.ways; ++c) {
      const Step step{p.thread, c};
      if (!in_dont_do(depth, step) || done_.asleep(depth, step)) continue;
      Event event{.thread = p.thread, .choice = c, .ways = p.ways, .label = {}};
      static_cast<Operation&>(event.label) = p.op;
      trees_.append(subtree_, steps_.add(event));
    }
}

bool ContextObservers::plan(const Trace& trace, const Frontier& frontier, End) {
  subtree_ = WakeupTrees::kNone;
  between_ = true;
  was_cut_ = std::exchange(cut_, false);
  const Frontier& last = at_exit_.frontier(trace, frontier);
  const bool later = !first_;
  first_ = false;
  if (hidden_plans_.went_astray()) return restart();
  if (learns_more(trace, last) && later) return restart();
  blind_races_ = blind_races_ || has_blind_races(trace);
  order_.follow(trace, keep_);
  const auto waits = [](const Pending& p) { return can_be_disabled(p.op); };
  if (std::any_of(last.threads().begin(), last.threads().end(), waits)) trace.complete();
  if (data_races_ && miscounts(trace)) return restart();
  detect_races(trace, last);
  // Lines 22-23, for every call of Explore that returns now, up to one with more to explore.
  nodes_.resize(trace.size());
  const auto is_done = [](const Node& n) { return n.siblings == WakeupTrees::kNone && !n.open; };
  while (!nodes_.empty() && (is_done(nodes_.back()) || !has_more(trace))) nodes_.pop_back();
  finished_ = nodes_.empty();
  if (finished_) return false;
  keep_ = nodes_.size() - 1;
  ++nodes_.back().done;
  return true;
}

// All that was done was done with another order: from the start, with this one.
bool ContextObservers::restart() {
  ++restarts_;
  nodes_.clear();
  done_.truncate(0);
  dont_do_.truncate(0);
  trees_.clear();
  keep_ = 0;
  return true;
}

// Whether the last node still has more to explore, now that its branch in the trace is done.
bool ContextObservers::has_more(const Trace& trace) {
  Node& node = nodes_.back();
  const std::size_t depth = nodes_.size() - 1;
  done_.truncate(depth + 1);
  if (context_) dont_do_.truncate(depth + 1);
  const Event& step = trace[static_cast<EventIndex>(depth)];
  const bool pruned = context_ && node.contested && (node.pruned || !dont_do_.empty(depth));
  done_.add(steps_.add(step), was_cut_ && depth + 1 == trace.size(), pruned);
  node.pruned = node.contested = false;
  if (context_) {
    path_.clear();
    trees_.remove_leaves(node.siblings, path_, [&](const std::vector<StepId>& path) {
      return is_covered(trace, depth, path);
    });
  }
  return node.siblings != WakeupTrees::kNone || node.open;
}

// Whether a thread goes on after it has counted some messages that could have been others: then
// there may be a data race with the sender of one that it synchronised with here.
bool ContextObservers::miscounts(const Trace& trace) {
  const EventIndex r = order_.uncertain_count();
  if (r == kNoEvent) return false;
  observation_.look_at(trace[r].label.object);
  return true;
}

// Whether two writes are in a race that has no order as long as nobody reads.
bool ContextObservers::has_blind_races(const Trace& trace) const {
  trace.complete();
  for (auto f = static_cast<EventIndex>(keep_); observation_.on() && f < trace.size(); ++f) {
    const Event& event = trace[f];
    if (event.label.kind != OpKind::kStore && event.label.kind != OpKind::kAtomicBlock) continue;
    for (EventIndex e : trace.races(f))
      if (!observation_.dependent(trace[e], event)) return true;
  }
  return false;
}

// Notes what is awaited, sizes of writes and how messages are received; whether any of that changes
// the order of what was explored. Sizes do so only if writes have had no order.
bool ContextObservers::learns_more(const Trace& trace, const Frontier& frontier) {
  bool added = false;
  if (!observation_.on()) return false;
  observation_.next_execution();
  const auto note = [&](const Label& op) {
    const bool tells_nothing = op.kind == OpKind::kCreate || op.kind == OpKind::kJoin ||
                               (op.kind == OpKind::kLoad && waits_for(op) == 0);
    if (tells_nothing) return false;
    if (op.kind == OpKind::kStore) return observation_.note_sizes(op) && blind_races_;
    const bool awaits = op.kind == OpKind::kAwait && observation_.note_awaited(op);
    const bool sizes = observation_.note_sizes(op);
    return observation_.note_messages(op) || awaits || (sizes && blind_races_);
  };
  const Label* last = nullptr;  // store
  for (auto e = static_cast<EventIndex>(keep_); e < trace.size(); ++e) {
    const Label& l = trace[e].label;
    if (last != nullptr && l.kind == OpKind::kStore && l.object == last->object &&
        l.size == last->size)
      continue;
    if (l.kind == OpKind::kStore) last = &l;
    added |= note(l);
  }
  for (const Pending& p : frontier.threads()) added |= note(Label{p.op});
  return added;
}

double ContextObservers::progress() const {
  if (finished_) return 1;
  return explored_part(nodes_.size(), [this](std::size_t depth) {
    const Node& node = nodes_[depth];
    const bool under_way = depth != keep_ || !between_;
    return branches(node.done, under_way, trees_.count(node.siblings));
  });
}

std::unique_ptr<Explorer> make_observers(const ExplorerOptions& options) {
  return std::make_unique<ContextObservers>(options, Independence::kObservers);
}

}  // namespace mazur
