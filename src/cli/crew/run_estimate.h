// How much of a run with a ledger is done, as far as that can be told (check/estimate.h). What the
// estimates were is kept in the ledger, so that others can go on with them.
#pragma once

#include <chrono>
#include <vector>

#include "check/estimate.h"
#include "work/ledger.h"

namespace mazur {

class RunEstimate {
 public:
  explicit RunEstimate(Ledger& ledger) : ledger_(ledger) {}

  // For those who work on it, as often as they like. Of all who do, with what is under way here.
  void note(const Tally& tally, double explored);
  // Nothing if it cannot be told; nor after an error that has ended the search, since nobody knows how
  // much lies before it.
  Explored told(const Tally& tally);
  // Writes what has been noted into the ledger, as note() does now and then.
  void keep();

 private:
  using Clock = std::chrono::steady_clock;
  std::vector<Estimate::Point> kept() const;
  void keep_up();

  Ledger& ledger_;
  Estimate estimate_;
  unsigned beginning_ = 0;  // of the run, when it was last looked at
  bool has_news_ = false;
  Clock::time_point written_ = Clock::now();
};

}  // namespace mazur
