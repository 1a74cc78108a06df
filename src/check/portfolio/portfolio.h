// The portfolio: a short look for shallow bugs beside a long exploration.
//
// An exploration tries schedules in the order that its proof needs. With many threads it may come
// to a bug only after days that one random schedule out of a thousand shows. So while it runs, a
// few other walks get a small share of the work: random, pct with depths 1 to 5, both also with all
// threads created first, and all schedules with one delay and with two. Some of them try spurious
// wake-ups, because a wait without a loop around it is a common mistake. An error that they find is
// an error like any other. What they do not find means nothing: they add nothing to a proof.
//
// How much they may run is counted in events, so that the same program always does the same:
//   nothing while the exploration is short (kLongExecutions, kLongEvents);
//   from then on 1/32 of what the exploration has run or, if more is left, of what it seems to take
//   in all. But before kEagerEvents at most as much as it has run, and after them 1/32 of that.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check/loop.h"

namespace mazur {

// An exploration that runs in turns, between the executions of another one.
class Walk {
 public:
  virtual ~Walk() = default;
  // Runs so many more executions, each cut after `max_steps` steps. Returns all that it has come
  // to so far.
  virtual const Outcome& run(std::uint64_t executions, std::uint64_t max_steps) = 0;
  // Whether it has nothing more to run.
  virtual bool ended() const = 0;
};

class Portfolio {
 public:
  static constexpr std::uint64_t kLongExecutions = 1000;
  static constexpr std::uint64_t kLongEvents = 1'000'000;
  static constexpr std::uint64_t kEagerEvents = 8'000'000;
  static constexpr std::uint64_t kShare = 32;
  static constexpr std::uint64_t kTurn =
      16;  // executions of a walk before the next one's turn; of some, more

  // With a walk that tries spurious wake-ups the machine has some (Machine::try_spurious_wakeups).
  using MakeWalk =
      std::function<std::unique_ptr<Walk>(std::unique_ptr<Explorer>, bool spurious_wakeups)>;
  Portfolio(std::uint64_t seed, MakeWalk make) : seed_(seed), make_(std::move(make)) {}

  // Whether it is worth asking for a turn now. Hot: asked after every execution.
  bool is_due(const Tally& exploration) const {
    return exploration.events >= next_look_ &&
           (exploration.total() >= kLongExecutions || exploration.events >= kLongEvents);
  }
  // Whether a turn is left, when the exploration has come that far.
  bool has_turn(const Tally& exploration, const Explored& explored);
  // Runs the next walk for a turn. Executions that are much longer than those of the exploration
  // are cut. Only after has_turn().
  const Outcome& turn(const Tally& exploration, std::uint64_t max_steps);

  // What became of all its executions.
  Tally tally() const;

 private:
  struct Member {
    std::unique_ptr<Walk> walk;
    std::uint64_t turn;  // executions
    Tally tally;         // so far
  };
  void begin();
  void add(std::unique_ptr<Explorer> explorer, std::uint64_t turn = kTurn,
           bool spurious_wakeups = false);

  const std::uint64_t seed_;
  const MakeWalk make_;
  std::vector<Member> members_;  // empty: it has not begun
  std::size_t next_ = 0;         // whose turn it is
  std::uint64_t events_ = 0;     // of all of them
  std::uint64_t next_look_ = 0;  // when so many events have been explored
};

}  // namespace mazur
