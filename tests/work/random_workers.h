// Random workers that split, die, lose their leases, come too late and know better.
#pragma once

#include <memory>
#include <vector>

#include "base/random_source.h"
#include "executions.h"
#include "stores.h"

namespace mazur::test {

class RandomWorkers : public OnStore {
 protected:
  // How often something happened that is not usual.
  struct Incidents {
    std::uint64_t late = 0;         // somebody finished a piece that had been finished
    std::uint64_t others = 0;       // a piece was finished by somebody without a lease that holds
    std::uint64_t begun_again = 0;  // and the run began again
  };

  // A new run is explored until it is over. Returns a ledger of it. `program`: see Executions.
  template <typename Program>
  std::unique_ptr<Ledger> explore(const Program& program, RandomSource& random,
                                  Incidents& incidents) {
    // The first one holds what it has; the others lose it as soon as somebody else claims something.
    std::vector<Hand> hands(1);
    hands[0].ledger = begin(program.keep_going, false);
    if (is_durable())
      for (int i = 0; i < 2; ++i) hands.push_back({join(0), {}});
    std::vector<Claim> old;  // finished or given back
    bool may_begin_again = random.below(4) == 0;
    while (!hands[0].ledger->is_over()) {
      Hand& hand = hands[random.below(static_cast<std::uint32_t>(hands.size()))];
      if (hand.claims.size() < 4 && (hand.claims.empty() || random.below(2) == 0)) {
        if (hand.ledger->totals().open == 0 && hand.ledger->totals().claimed > 0 &&
            !hand.claims.empty())
          continue;
        if (auto claim = hand.ledger->claim()) hand.claims.push_back(*std::move(claim));
        continue;
      }
      if (hand.claims.empty()) continue;
      const Claim claim = take(hand.claims, random);
      const std::uint32_t what = random.below(20);
      if (what == 0) {
        hand.ledger->release(claim, Ledger::Why::kDied);
      } else if (what == 1) {
        hand.ledger->release(claim, Ledger::Why::kStopped);
      } else if (what == 2 && !old.empty()) {
        // Too late: it has been finished before, perhaps by somebody else.
        const Claim& before = old[random.below(static_cast<std::uint32_t>(old.size()))];
        Slice slice = program.explore(before.offer, random);
        hand.ledger->finish(before, slice.end, slice.errors);
        hand.claims.push_back(claim);
        ++incidents.late;
        continue;
      } else if (what == 3 && may_begin_again) {
        SliceEnd end;
        end.outdated = true;
        hand.ledger->finish(claim, end, {});
        may_begin_again = false;
        ++incidents.begun_again;
      } else {
        Slice slice = program.explore(claim.offer, random);
        if (is_durable() && !hand.ledger->overview().over)
          incidents.others += &hand != &hands[0] ? 1 : 0;
        hand.ledger->finish(claim, slice.end, slice.errors);
      }
      old.push_back(claim);
    }
    return std::move(hands[0].ledger);
  }

 private:
  // A worker with what it has claimed.
  struct Hand {
    std::unique_ptr<Ledger> ledger;
    std::vector<Claim> claims;
  };
  static Claim take(std::vector<Claim>& claims, RandomSource& random) {
    const std::size_t which = random.below(static_cast<std::uint32_t>(claims.size()));
    const Claim claim = claims[which];
    claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(which));
    return claim;
  }
};

}  // namespace mazur::test
