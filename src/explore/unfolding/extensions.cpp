#include "explore/unfolding/extensions.h"

#include <algorithm>

#include "trace/atomic_block/block.h"
#include "trace/dependence.h"
#include "trace/reversal.h"

namespace mazur::unfolding {
namespace {

constexpr int kMaxSubsets = 1 << 12;

bool happens_after_any(const Trace& trace, std::span<const EventIndex> events, EventIndex x) {
  return std::any_of(events.begin(), events.end(),
                     [&](EventIndex d) { return trace.happens_before(d, x); });
}

}  // namespace

EventId Extensions::executed(const Trace& trace) {
  const auto f = static_cast<EventIndex>(trace.size() - 1);
  const Event& event = trace[f];
  const EventIndex pt = trace.program_predecessor(f);
  for (EventIndex e : trace.races(f)) {
    if (!reversible(trace, e, f)) continue;
    const Event reversed = after_reversal(trace, e, f);
    if (is_guess(trace, e, f) || may_gain_dependences(trace[e].label, reversed.label))
      gaining_.push_back({e, f});
    else
      add(trace, {&e, 1}, reversed, pt);
  }
  if (can_be_disabled(event.label))
    complete_ &= disabling_races(trace, waiting(trace, f),
                                 [&](std::span<const EventIndex> dropped, const Event& step) {
                                   add(trace, dropped, step, pt);
                                 });

  candidates_.assign(trace.races(f).begin(), trace.races(f).end());
  EventIndex joined = kNoEvent;
  if (event.label.kind == OpKind::kJoin) {
    const auto child = static_cast<ThreadId>(event.label.object);
    joined = trace.last_of(child);
    if (joined == kNoEvent) joined = trace.creation_of(child);
  }
  Event other = event;
  for (std::uint16_t c = 0; c < event.ways; ++c) {
    other.choice = c;
    if (c != event.choice) add_event(trace, other, pt, joined);
  }
  const EventId added = add_event(trace, event, pt, joined);
  ids_.push_back(added);
  if (added >= position_.size()) position_.resize(structure_.size());
  position_[added] = f;
  return added;
}

void Extensions::ended(const Trace& trace, const Frontier& frontier) {
  for (const Race& race : gaining_) {
    const Event reversed = after_reversal(trace, race.e, race.f);
    if (is_unknown_block(reversed.label) || is_guess(trace, race.e, race.f))
      add_unknown(trace, race);
    else
      add_gaining(trace, race);
  }
  for (const Pending& p : frontier.threads()) {
    if (!can_be_disabled(p.op)) continue;
    const Waiting w = waiting(trace, p.thread, p.op, p.holds);
    complete_ &=
        disabling_races(trace, w, [&](std::span<const EventIndex> dropped, const Event& step) {
          add(trace, dropped, step, w.program_predecessor);
        });
  }
}

void Extensions::truncate(std::size_t size) {
  if (size < ids_.size()) ids_.resize(size);
  while (!gaining_.empty() && gaining_.back().f >= size) gaining_.pop_back();
}

void Extensions::add(const Trace& trace, std::span<const EventIndex> dropped, const Event& step,
                     EventIndex program_predecessor) {
  candidates_.clear();
  find_causes(trace, dropped, step, Causes::kLatest);
  add_event(trace, step, program_predecessor, kNoEvent);
}

// With its other outcome, f depends on events that neither it nor e depended on. Any of them may
// come before or after f, so all ways are added.
void Extensions::add_gaining(const Trace& trace, const Race& race) {
  const Event reversed = after_reversal(trace, race.e, race.f);
  const EventIndex pt = trace.program_predecessor(race.f);
  candidates_.clear();
  find_causes(trace, {&race.e, 1}, reversed, Causes::kAll);
  std::vector<EventIndex> before, gained;
  for (EventIndex c : candidates_)
    (dependent(trace[c], trace[race.f]) ? before : gained).push_back(c);
  std::sort(gained.begin(), gained.end());
  int budget = kMaxSubsets;
  std::vector<EventIndex> left_out;
  const auto search = [&](const auto& self, std::size_t from) -> void {
    while (from < gained.size() && happens_after_any(trace, left_out, gained[from])) ++from;
    if (from == gained.size()) {
      if (--budget < 0) return;
      candidates_ = before;
      for (EventIndex g : gained)
        if (!happens_after_any(trace, left_out, g)) candidates_.push_back(g);
      add_event(trace, reversed, pt, kNoEvent);
      return;
    }
    if (budget < 0) return;
    self(self, from + 1);
    left_out.push_back(gained[from]);
    self(self, from + 1);
    left_out.pop_back();
  };
  search(search, 0);
  complete_ &= budget >= 0;
}

// f without e can be anything, as it reads what e wrote. It is run after the events that it happens
// after now, those not after e. Where it turns out to depend on others of the execution, these may
// come before it, which again can change it, or not.
void Extensions::add_unknown(const Trace& trace, const Race& race) {
  if (probe_ == nullptr) {
    complete_ = false;
    return;
  }
  const auto size = static_cast<EventIndex>(ids_.size());
  chosen_.assign(size, 0);
  order_.clear();
  for (EventIndex x = 0; x < race.f; ++x)
    chosen_[x] = trace.happens_before(x, race.f) && !trace.happens_before(race.e, x);
  int budget = kMaxSubsets;
  std::vector<EventIndex> left_out{race.e};
  const auto search = [&](const auto& self) -> void {
    if (--budget < 0) return;
    Event step = trace[race.f];
    step.label = label_after_chosen(trace, race.f);
    EventIndex next = 0;
    while (next < size &&
           (chosen_[next] != 0 || next == race.f || trace.thread(next) == step.thread ||
            !dependent(trace[next], step) || happens_after_any(trace, left_out, next)))
      ++next;
    if (next == size) return;
    const std::size_t before = order_.size();
    choose(trace, next);
    self(self);
    for (; order_.size() > before; order_.pop_back()) chosen_[order_.back()] = 0;
    left_out.push_back(next);
    self(self);
    left_out.pop_back();
  };
  search(search);
  complete_ &= budget >= 0;
}

// g with all that happens before it.
void Extensions::choose(const Trace& trace, EventIndex g) {
  for (EventIndex x = 0; x <= g; ++x) {
    if (chosen_[x] != 0 || !trace.happens_before(x, g)) continue;
    chosen_[x] = 1;
    order_.push_back(x);
  }
}

// What f does after the chosen events, as an event of U.
const Label& Extensions::label_after_chosen(const Trace& trace, EventIndex f) {
  if (const EventId known = known_after_chosen(trace, f); known != kBottom)
    return labels_.find(known)->second;
  std::vector<Step> steps;
  for (EventIndex x = 0; x < chosen_.size(); ++x)
    if (chosen_[x] != 0) steps.push_back(trace[x].step());
  steps.push_back(trace[f].step());
  const Event step = last_event(*probe_, steps);
  candidates_.clear();
  for (EventIndex x = 0; x < chosen_.size(); ++x)
    if (chosen_[x] != 0 && dependent(trace[x], step)) candidates_.push_back(x);
  const EventId added = add_event(trace, step, trace.program_predecessor(f), kNoEvent);
  return labels_[added] = step.label;
}

EventId Extensions::known_after_chosen(const Trace& trace, EventIndex f) const {
  EventId known = kBottom;
  Event step = trace[f];
  structure_.for_each_next(step.thread, id(trace.program_predecessor(f)), [&](EventId e) {
    const auto label = labels_.find(e);
    if (label == labels_.end() || structure_[e].choice != step.choice) return true;
    step.label = label->second;
    if (fits(trace, e, step)) known = e;
    return known == kBottom;
  });
  return known;
}

// Whether all that e happens after is chosen, and of what else is chosen it depends on nothing.
bool Extensions::fits(const Trace& trace, EventId e, const Event& step) const {
  for (EventId c : structure_.causes(e)) {
    const EventIndex x = c < position_.size() ? position_[c] : kNoEvent;
    if (x >= chosen_.size() || ids_[x] != c || chosen_[x] == 0) return false;
  }
  for (EventIndex x = 0; x < chosen_.size(); ++x)
    if (chosen_[x] != 0 && trace.place(x) >= structure_.clock(e, trace.thread(x)) &&
        dependent(trace[x], step))
      return false;
  return true;
}

// Puts the events that the step depends on into candidates_: all of them, or all but those that
// happen before another one of them.
void Extensions::find_causes(const Trace& trace, std::span<const EventIndex> dropped,
                             const Event& step, Causes which) {
  for (const Access& a : accesses(step.label)) {
    const ObjectIndex object = structure_.objects().add(a);
    if (a.space == Space::kBarrier) {
      for (const Configuration::Entry& x : configuration_.on(object))
        if (x.phase + 1 == arrival_phase(step.label)) candidates_.push_back(position_[x.event]);
      continue;
    }
    for (ObjectIndex o : structure_.objects().overlapping(object)) {
      const std::span<const Configuration::Entry> entries = configuration_.on(o);
      for (std::size_t i = entries.size(); i-- > 0;) {
        const Configuration::Entry& x = entries[i];
        if (!conflicting(a.space, a.mode, x.mode)) continue;
        const EventIndex position = position_[x.event];
        if (a.space == Space::kQueue && a.mode == mode::kWake &&
            (woken_threads(trace[position].label) & woken_bit(step.thread)) == 0)
          continue;
        if (happens_after_any(trace, dropped, position)) continue;
        candidates_.push_back(position);
        if (x.total && which == Causes::kLatest) break;
      }
    }
  }
}

// The event of a step with the causes in candidates_.
EventId Extensions::add_event(const Trace& trace, const Event& step, EventIndex pt,
                              EventIndex other_predecessor) {
  std::sort(candidates_.begin(), candidates_.end(), std::greater<>());
  maximal_.clear();
  if (other_predecessor != kNoEvent &&
      (pt == kNoEvent || !trace.happens_before(other_predecessor, pt)))
    maximal_.push_back(other_predecessor);
  for (EventIndex c : candidates_) {
    if (pt != kNoEvent && trace.happens_before(c, pt)) continue;
    if (std::any_of(maximal_.begin(), maximal_.end(),
                    [&](EventIndex m) { return trace.happens_before(c, m); }))
      continue;
    maximal_.push_back(c);
  }
  causes_.clear();
  for (EventIndex m : maximal_) causes_.push_back(ids_[m]);
  std::sort(causes_.begin(), causes_.end());
  const EventId added =
      structure_.add({step.thread, step.choice, id(pt), causes_, &step.label},
                     [this](ObjectIndex o) { return configuration_.last_total(o); });
  if (step.label.kind == OpKind::kAtomicBlock) labels_.try_emplace(added, step.label);
  return added;
}

void Extensions::rename(std::span<const EventId> names) {
  std::unordered_map<EventId, Label> labels;
  for (const auto& [e, label] : labels_)
    if (names[e] != kBottom) labels.emplace(names[e], label);
  labels_ = std::move(labels);
  position_.assign(structure_.size(), kNoEvent);
  for (EventIndex i = 0; i < ids_.size(); ++i) {
    ids_[i] = names[ids_[i]];
    position_[ids_[i]] = i;
  }
}

}  // namespace mazur::unfolding
