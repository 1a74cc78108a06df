// Which steps v can start with, and which part of it they leave.
#include <algorithm>

#include "explore/observers/reversal/observed_reversal.h"
#include "trace/dependence.h"

namespace mazur {

void ObservedReversal::need_what_was_in_the_way(const Consistency& x, std::size_t offset) {
  if (x.in_the_way() == Consistency::kAll) {
    for (Element& e : elements_) e.needed = true;
    return;
  }
  for (std::uint32_t i : {x.in_the_way(), x.overtaken(), x.seen_by()})
    if (i != Consistency::kAll && i >= offset) need(i - offset);
}

ObservedReversal::Match ObservedReversal::match_done(const Event& p, const Done& done) {
  if (is_plain_) return match_done_plain(p, done);
  if (!done.independent && !Consistency::is_tracked(p.label)) return match_all(p, done.origin);
  const Match m = done.ran ? rest_.match_ran(p, done.hidden) : rest_.match(p, done.hidden);
  if (m == Match::kConflict)
    need_what_was_in_the_way(rest_, 0);
  else if (!done.ran || done.hidden != 0)
    rest_on(rest_, m, 0);
  return m;
}

ObservedReversal::Match ObservedReversal::match_all(const Event& p, EventIndex origin) {
  if (all_from_ != origin) {
    all_from_ = origin;
    all_.start(*trace_, origin);
    for (EventIndex i = origin; i < first_; ++i) all_.add((*trace_)[i]);
    for (std::size_t i = 0; i < rest_.size(); ++i) all_.add(rest_[i]);
  }
  const Match m = all_.match(p);
  if (m == Match::kConflict)
    need_what_was_in_the_way(all_, first_ - origin);
  else
    rest_on(all_, m, first_ - origin);
  return m;
}

ObservedReversal::Match ObservedReversal::match_done_plain(const Event& p, const Done& done) {
  if (done.independent) {
    const Match m = plain_.match(p);
    if (m != Match::kConflict) plain_.rest_on(p, m);
    return m;
  }
  all_.start(*trace_, done.origin);
  for (EventIndex i = done.origin; i < first(); ++i) all_.add((*trace_)[i]);
  const std::size_t offset = all_.size();
  plain_.for_each([&](const Event& event) { all_.add(event); });
  const Match m = all_.match(p);
  const auto need = [&](std::size_t i) {
    const Event* event = &all_[i];
    if (event != &plain_.last())
      plain_.need(static_cast<EventIndex>(event - trace_->events().data()));
  };
  if (m != Match::kConflict) {
    const bool whole = m == Match::kIndependent || all_.rests_on() != all_.found();
    if (whole || all_.found() >= offset) plain_.rest_on(p, whole ? Match::kIndependent : m);
  } else if (all_.in_the_way() == Consistency::kAll) {
    for (std::size_t i = offset; i < all_.size(); ++i) need(i);
  } else {
    for (std::uint32_t i : {all_.in_the_way(), all_.overtaken(), all_.seen_by()})
      if (i != Consistency::kAll && i >= offset) need(i);
  }
  return m;
}

// The answer was that p is a weak initial of x, of which v starts at `offset`.
void ObservedReversal::rest_on(const Consistency& x, Match match, std::size_t offset) {
  if (match == Match::kIndependent || x.rests_on() == Consistency::kAll) {
    whole_ = true;
    return;
  }
  for (std::size_t i : {x.found(), x.rests_on()}) {
    if (i < offset) continue;
    const EventIndex origin = elements_[i - offset].origin;
    if (origin != kNoEvent) used_until_ = std::max(used_until_, origin + 1);
  }
}

void ObservedReversal::take(const Event& p, Match match) {
  if (is_plain_) return plain_.take(p, match);
  rest_on(rest_, match, 0);
  rest_.take(p, match);
}

EventIndex ObservedReversal::settled_by() const {
  if (is_plain_) return plain_.settled_by();
  if (whole_) return kNoEvent;
  EventIndex until = used_until_;
  for (const Element& e : elements_)
    if (e.needed && e.origin != kNoEvent) until = std::max(until, e.origin + 1);
  return until - 1;
}

ObservedReversal::Match ObservedReversal::match(const Event& p) {
  const Match m = is_plain_ ? plain_.match(p) : match_rest(p);
  return strict_ && m == Match::kIndependent ? Match::kConflict : m;
}

ObservedReversal::Match ObservedReversal::match_rest(const Event& p) {
  const Match m = rest_.match(p);
  if (m == Match::kConflict) need_what_was_in_the_way(rest_, 0);
  return m;
}

bool ObservedReversal::try_next_choice(const Event& p) {
  if (is_plain_) return plain_.try_next_choice(p);
  const bool is_last = std::none_of(elements_.begin(), elements_.end() - 1, [&](const Element& e) {
    return (*trace_)[e.origin].thread == p.thread;
  });
  if (choices_fixed_ || p.ways < 2 || p.thread != last_.thread || last_.choice + 1 >= p.ways ||
      !is_last)
    return false;
  ++last_.choice;
  return true;
}

}  // namespace mazur
