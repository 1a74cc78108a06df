#include "check/portfolio/portfolio.h"

#include <algorithm>

#include "explore/walks/crowded.h"

namespace mazur {
namespace {

// How many events the portfolio may have run.
std::uint64_t allowed(std::uint64_t explored_events, const Explored& explored) {
  const auto events = static_cast<double>(explored_events);
  const double part = explored.known() ? explored.at_most : 1;
  const double of_all = events / part / static_cast<double>(Portfolio::kShare);
  const double eager = std::min(events, static_cast<double>(Portfolio::kEagerEvents));
  return std::max(static_cast<std::uint64_t>(std::min(of_all, eager)),
                  explored_events / Portfolio::kShare);
}

void add_to(Tally& sum, const Tally& tally) {
  sum.complete += tally.complete;
  sum.blocked += tally.blocked;
  sum.assume_blocked += tally.assume_blocked;
  sum.bounded += tally.bounded;
  sum.events += tally.events;
  sum.failures += tally.failures;
}

}  // namespace

void Portfolio::add(std::unique_ptr<Explorer> explorer, std::uint64_t turn, bool spurious_wakeups) {
  members_.push_back(
      {.walk = make_(std::move(explorer), spurious_wakeups), .turn = turn, .tally = {}});
}

// What finds most comes first: a program that is only just long sees little of the rest.
void Portfolio::begin() {
  ExplorerOptions options;
  options.seed = seed_;
  add(make_explorer("random", options), 3 * kTurn);
  add(make_crowded(make_explorer("random", options)), 6 * kTurn);
  options.seed = seed_ + 6;
  add(make_explorer("random", options), kTurn, /*spurious_wakeups=*/true);
  for (const unsigned depth : {2u, 3u, 1u, 4u, 5u}) {
    options.pct_depth = depth;
    options.seed = seed_ + depth;
    add(make_explorer("pct", options), kTurn, /*spurious_wakeups=*/depth % 2 == 1);
    add(make_crowded(make_explorer("pct", options)));
  }
  options.schedule_bound = ScheduleBound::kDelays;
  for (const std::uint32_t delays : {1u, 2u}) {
    options.most = delays;
    add(make_explorer("naive", options));
  }
}

bool Portfolio::has_turn(const Tally& exploration, const Explored& explored) {
  if (events_ < allowed(exploration.events, explored)) return true;
  next_look_ = exploration.events + exploration.events / 64;
  return false;
}

const Outcome& Portfolio::turn(const Tally& exploration, std::uint64_t max_steps) {
  if (members_.empty()) begin();
  while (members_[next_ % members_.size()].walk->ended()) ++next_;
  Member& member = members_[next_++ % members_.size()];
  // The walks are unfair, and a thread may go round in a loop for long.
  const std::uint64_t long_one = 8 * exploration.depth + 1000;
  const Outcome& outcome = member.walk->run(member.turn, std::min(max_steps, long_one));
  events_ += outcome.tally.events - member.tally.events;
  member.tally = outcome.tally;
  return outcome;
}

Tally Portfolio::tally() const {
  Tally sum;
  for (const Member& member : members_) add_to(sum, member.tally);
  return sum;
}

}  // namespace mazur
