#include "explore/observers/done_set.h"

#include <algorithm>
#include <utility>

#include "trace/dependence.h"

namespace mazur {

bool DoneSets::asleep(std::size_t depth, Step step) const {
  const std::span<const Entry> here = at(depth);
  return std::any_of(here.begin(), here.end(),
                     [&](const Entry& e) { return e.asleep && steps_[e.step].step() == step; });
}

// The last event of the trace is run after what the entry is about. Whether it stays one.
inline bool DoneSets::run(const Trace& trace, Entry& entry) {
  const Event& ran = trace[static_cast<EventIndex>(ends_.size() - 1)];
  const Event& p = steps_[entry.step];
  if (entry.asleep && ran.thread != p.thread) {
    if (!clearly_independent(ran.label, p.label)) {
      const bool unseen = observation_.blind_stores(ran.label, p.label);
      const bool ordered = !unseen && dependent_next(ran, p);
      if (ordered && (observation_.surely_dependent(ran.label, p.label) ||
                      observation_.dependent_next(ran, p)))
        return false;
      if (unseen || ordered) {
        entry.overtaken = true;
        if (Consistency::is_tracked(p.label))
          entry.hidden |= Consistency::written_bytes(p.label, ran.label);
      }
    }
    // A receive does not depend on a message that it did not take; but if it took one that was sent
    // since p, it would have taken p's instead.
    const bool sees = ran.label.kind == OpKind::kReceive && observation_.sends_blindly(p.label);
    return !sees || still_weak_initial(trace, entry);
  }
  if (entry.asleep && ran.choice != p.choice) return false;
  const bool runs_now = std::exchange(entry.asleep, false);
  if (!Consistency::is_tracked(p.label)) return still_weak_initial(trace, entry);
  if (!runs_now && entry.hidden != 0) {
    if ((Consistency::read_bytes(p.label, ran.label) & entry.hidden) != 0) return false;
    entry.hidden &= ~Consistency::written_bytes(p.label, ran.label);
  }
  return true;
}

void DoneSets::push(const Trace& trace) {
  const std::size_t depth = ends_.size();
  const auto end = static_cast<std::uint32_t>(entries_.size());
  const std::uint32_t begin = depth < 2 ? 0 : ends_[depth - 2];
  if (begin < end) {
    const Event& ran = trace[static_cast<EventIndex>(depth - 1)];
    const bool names_thread = ran.label.kind == OpKind::kCreate || ran.label.kind == OpKind::kJoin;
    for (std::uint32_t i = begin; i < end; ++i) {
      entries_.push_back(entries_[i]);
      // Creation and join change nothing for the steps of other threads.
      if (names_thread && steps_[entries_[i].step].thread != ran.thread) continue;
      if (!run(trace, entries_.back())) entries_.pop_back();
    }
  }
  ends_.push_back(static_cast<std::uint32_t>(entries_.size()));
}

bool DoneSets::still_weak_initial(const Trace& trace, const Entry& entry) {
  since_.start(trace, entry.origin);
  for (EventIndex i = entry.origin; i < ends_.size(); ++i) since_.add(trace[i]);
  return since_.match(steps_[entry.step]) != Consistency::Match::kConflict;
}

void DoneSets::truncate(std::size_t depth) {
  ends_.resize(depth);
  entries_.resize(depth == 0 ? 0 : ends_[depth - 1]);
}

void DoneSets::add(StepId step, bool cut, bool pruned) {
  entries_.push_back(
      {step, static_cast<EventIndex>(ends_.size() - 1), true, false, cut, pruned, 0});
  ++ends_.back();
}

}  // namespace mazur
