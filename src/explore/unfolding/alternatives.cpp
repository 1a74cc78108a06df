#include "explore/unfolding/alternatives.h"

#include <algorithm>

#include "base/stop.h"

namespace mazur::unfolding {

bool may_be_minimal(const EventStructure& structure, EventId d, EventId e) {
  const auto same_access = [](const Touch& a, const Touch& b) {
    return a.object == b.object && a.mode == b.mode;
  };
  const std::span<const Touch> touches = structure.touched(d);
  const std::span<const Touch> others = structure.touched(e);
  if (!std::equal(touches.begin(), touches.end(), others.begin(), others.end(), same_access))
    return true;
  const std::span<const EventId> causes = structure.causes(d);
  const std::span<const EventId> other_causes = structure.causes(e);
  return std::equal(causes.begin(), causes.end(), other_causes.begin(), other_causes.end());
}

bool Alternatives::find(std::span<const EventId> disabled, std::size_t k) {
  const std::size_t size = size_ = configuration_.size();
  const std::size_t wanted = k == 0 ? disabled.size() : std::min(k, disabled.size());
  wanted_.assign(disabled.rbegin(), disabled.rbegin() + static_cast<std::ptrdiff_t>(wanted));
  forbidden_.resize(structure_.size());
  aside_.grow();
  for (EventId d : disabled) forbidden_[d] = 1;
  // The last one is new. It is in D as long as C has its events before position size - 1.
  disabled_at_.resize(structure_.size());
  disabled_at_[disabled.back()] = static_cast<std::uint32_t>(size == 0 ? 0 : size - 1);
  const bool found = search(0, 0);
  ++counts_.sought;
  if (found) ++counts_.found;
  if (found) {
    const auto events = configuration_.events().subspan(size);
    alternative_.assign(events.begin(), events.end());
  }
  configuration_.truncate(size);
  for (EventId d : disabled) forbidden_[d] = 0;
  return found;
}

// With its history. If it cannot be added, the configuration is as before.
Alternatives::Hindrance Alternatives::include(EventId e) {
  const std::size_t size = configuration_.size();
  if (configuration_.rejected(e) == Configuration::kNone) {
    if (configuration_.include(e, forbidden_)) return {};
    configuration_.truncate(size);
    if (const EventId d = configuration_.hindrance(); d != kBottom) return {d, disabled_at_[d]};
  }
  return {configuration_.rejected_because(e), configuration_.rejected(e)};
}

void Alternatives::put_aside(EventId e, const Hindrance& hindrance) {
  if (hindrance.position >= size_) return;  // not because of C
  ++counts_.aside;
  aside_.put(e, hindrance.position, hindrance.because);
}

// Whether e and those it leads cannot be added for the reason that they have been put aside for. If
// they can, it leads no more.
bool Alternatives::group_is_aside(EventId e) {
  const std::size_t size = configuration_.size();
  const Hindrance hindrance = include(aside_.because(e));
  if (hindrance.because != kBottom) {
    put_aside(e, {aside_.because(e), hindrance.position});
    return true;
  }
  configuration_.truncate(size);
  aside_.split(e);
  return false;
}

void Alternatives::rename(std::span<const EventId> names) {
  std::vector<std::uint32_t> disabled_at(structure_.size());
  for (EventId e = 0; e < disabled_at_.size(); ++e)
    if (names[e] != kBottom) disabled_at[names[e]] = disabled_at_[e];
  disabled_at_ = std::move(disabled_at);
  aside_.rename();
}

bool Alternatives::is_arrival(EventId e) const {
  const std::span<const Touch> touches = structure_.touched(e);
  return !touches.empty() && structure_.objects().space(touches[0].object) == Space::kBarrier;
}

// d arrives at a barrier. It takes as many other arrivals as fill the phase to be in conflict with
// it. Returns whether there may be so many, without looking at what they happen after.
bool Alternatives::can_be_filled(EventId d) const {
  const Touch& t = structure_.touched(d)[0];
  std::uint32_t arrivals = 0;
  for (const Configuration::Entry& x : configuration_.on(t.object))
    arrivals += x.phase >= t.phase();
  for (const ArrivalPlace& p : structure_.arrivals(t.object, t.phase()))
    arrivals += p.thread != structure_[d].thread && !configuration_.has_place(p.thread, p.place);
  return arrivals >= t.capacity();
}

// `after`: if the first of those that J must still be in conflict with is an arrival at a barrier,
// others are added in the order of their threads and places. Up to here they have been.
bool Alternatives::search(std::size_t from, std::uint64_t after) {
  const std::size_t first = from;
  while (from < wanted_.size() && configuration_.conflicts(wanted_[from])) ++from;
  if (from == wanted_.size()) return true;
  if (from != first) after = 0;
  const std::size_t size = configuration_.size();
  const EventId d = wanted_[from];
  const bool arrival = is_arrival(d);
  // Then of the others only the beginning or end of the barrier is in conflict with it.
  const bool alone = arrival && !can_be_filled(d);
  bool found = false;
  const auto visit = [&](EventId e) {
    const bool joins = arrival && structure_[e].thread != structure_[d].thread && is_arrival(e);
    if (joins && alone) return true;
    if (aside_.is_out(e)) return true;
    if (configuration_.contains(e)) {
      if (aside_.leads(e)) aside_.split(e);
      return true;
    }
    std::uint64_t key = 0;
    if (joins) {
      key = (std::uint64_t{structure_[e].thread} << 32 | structure_[e].place) + 1;
      if (key <= after) return true;
    }
    ++counts_.tried;
    stop_if_wished();
    if (aside_.leads(e) && group_is_aside(e)) return true;
    const Hindrance hindrance = include(e);
    if (hindrance.because != kBottom) {
      put_aside(e, hindrance);
      return true;
    }
    found = search(from, key);
    if (found) return false;
    configuration_.truncate(size);
    return true;
  };
  for_each_in_spike(structure_, configuration_, d, visit);
  return found;
}

}  // namespace mazur::unfolding
