// What a ledger says about itself.
#include <algorithm>
#include <utility>

#include "work/ledger.h"

namespace mazur {
namespace {

using Access = LedgerStore::Access;

std::uint64_t number(std::int64_t sum) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0));
}

Ledger::Totals totals_of(const Sums& sums, unsigned beginning) {
  return {
      .tally = sums.tally,
      .pieces = number(sums.slices),
      .open = number(sums.open),
      .claimed = number(sums.claimed),
      .seconds = static_cast<double>(sums.microseconds) * 1e-6,
      .explored = static_cast<double>(number(sums.explored)) / static_cast<double>(Sums::kWhole),
      .beginnings = beginning};
}

// What stands in all items, in their order.
struct Everything {
  ItemResults results;
  std::int64_t open = 0, claimed = 0;
};

// The sums are kept with every change: if they differ from what stands in the items, some items are
// not what they were.
bool fits(const Everything& all, const Sums& sums) {
  const Tally &a = all.results.tally, &b = sums.tally;
  return all.open == sums.open && all.claimed == sums.claimed && a.complete == b.complete &&
         a.blocked == b.blocked && a.assume_blocked == b.assume_blocked && a.bounded == b.bounded &&
         a.events == b.events && a.failures == b.failures;
}

}  // namespace

bool Ledger::is_over() {
  {
    const std::lock_guard lock(mutex_);
    if (interruption_) return true;
  }
  const std::lock_guard lock(store_mutex_);
  if (!view_.over) see_again();
  return view_.over;
}

bool Ledger::is_useful(const Claim& claim) {
  {
    const std::lock_guard lock(mutex_);
    if (interruption_) return false;
  }
  const std::lock_guard lock(store_mutex_);
  bool stands = false;
  if (is_durable()) {
    see_again();
    stands = view_.claims.contains(claim.number);
  } else {
    store_->transact(Access::kShared, [&](LedgerTransaction& t) {
      see(t);
      stands = t.claimed(claim.number).has_value();
    });
  }
  return stands && !view_.over && view_.beginning == claim.beginning;
}

std::size_t Ledger::wanted() {
  std::size_t waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting = waiting_;
  }
  if (!is_durable()) return waiting;
  const std::lock_guard lock(store_mutex_);
  see_again();
  const std::uint64_t open = number(view_.sums.open);
  return std::max<std::size_t>(waiting, view_.idle > open ? view_.idle - open : 0);
}

Ledger::Totals Ledger::totals() {
  const std::lock_guard lock(store_mutex_);
  see_again();
  return totals_of(view_.sums, view_.beginning);
}

Ledger::Overview Ledger::overview() {
  const std::lock_guard lock(store_mutex_);
  Overview overview;
  store_->transact(Access::kShared, [&](LedgerTransaction& t) {
    see(t);
    overview.workers = t.workers();
  });
  overview.totals = totals_of(view_.sums, view_.beginning);
  overview.over = view_.over;
  return overview;
}

Ledger::Result Ledger::result() {
  const std::lock_guard lock(store_mutex_);
  Everything all;
  store_->transact(Access::kExclusive, [&](LedgerTransaction& t) {
    all = {};
    see(t);
    t.visit(std::nullopt, [&](const ItemRow& item) {
      all.open += item.state == ItemState::kOpen ? 1 : 0;
      all.claimed += item.state == ItemState::kClaimed ? 1 : 0;
      add(all.results, decode_results(item.results, name()));
    });
  });
  if (!fits(all, view_.sums))
    throw LedgerError("the ledger '" + name() +
                      "' is damaged: its items are not those that it has counted.");

  Result result{.verdict = run_.verdict,
                .reason = run_.reason,
                .cuts = run_.cuts,
                .tally = all.results.tally,
                .errors = std::move(all.results.errors),
                .records = run_.records,
                .remarks = run_.remarks};
  if (run_.known.time_is_seen && run_.known.time_left_out) result.cuts.add(Cut::kTime);
  bool proof = !run_.stopped;
  if (!view_.over) {
    const std::lock_guard lock_interruption(mutex_);
    const Interruption why =
        interruption_.value_or(Interruption{Verdict::kIncomplete, "it is not over", {}});
    proof = false;
    result.verdict = why.verdict;
    result.reason = why.reason;
    result.cuts = Cuts(result.cuts.bits() | why.cuts.bits());
  }
  if (all.results.unsupported) {
    result.verdict = Verdict::kUnsupported;
    result.reason = all.results.reason;
  }
  if (result.verdict == Verdict::kVerified && (!result.cuts.empty() || !result.reason.empty())) {
    result.verdict = Verdict::kIncomplete;
    if (!result.cuts.empty()) result.reason = mazur::reason(result.cuts);
  }
  result.finished =
      proof && result.verdict == Verdict::kVerified && (facts_.keep_going || result.errors.empty());
  if (!result.errors.empty() && result.verdict != Verdict::kUnsupported) {
    result.verdict = Verdict::kBug;
    result.reason.clear();
  }
  return result;
}

}  // namespace mazur
