#include "work/ledger.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace mazur {
namespace {

// So often an exploration may begin again; then nothing is assumed any more.
constexpr unsigned kMostBeginnings = 16;

// A process that starts anew knows what all others know, so it should not refuse anything.
constexpr unsigned kMostRefusals = 20;

void add(Tally& sum, const Tally& more) {
  sum.complete += more.complete;
  sum.blocked += more.blocked;
  sum.assume_blocked += more.assume_blocked;
  sum.bounded += more.bounded;
  sum.events += more.events;
  sum.failures += more.failures;
  sum.depth = more.depth;
}

// Adds errors that were found after others. `executions`: those before the piece in which they were
// found, in the item that they come to.
void add(std::vector<FoundError>& all, std::vector<FoundError>&& more, std::uint64_t executions) {
  for (FoundError& error : more) {
    const auto same = std::ranges::find(all, error.place, &FoundError::place);
    if (same != all.end()) {
      same->record.count += error.record.count;
      continue;
    }
    error.record.execution += executions;
    all.push_back(std::move(error));
  }
}

}  // namespace

Ledger::Ledger(bool keep_going, bool first) : keep_going_(keep_going), first_(first) {
  items_.emplace_back();
}

bool Ledger::over() const {
  if (stopped_) return true;
  // All that comes before an error is closed, and all that came after it is gone.
  return items_.size() == 1 && items_.front().state == State::kClosed;
}

bool Ledger::is_over() const {
  const std::lock_guard lock(mutex_);
  return over();
}

std::size_t Ledger::wanted() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

std::optional<Claim> Ledger::claim() {
  std::unique_lock lock(mutex_);
  const auto find_open = [this] { return std::ranges::find(items_, State::kOpen, &Item::state); };
  if (!over() && find_open() == items_.end()) {
    ++waiting_;
    changed_.wait_for(lock, std::chrono::milliseconds(1),
                      [&] { return over() || find_open() != items_.end(); });
    --waiting_;
  }
  const auto item = find_open();
  if (over() || item == items_.end()) return std::nullopt;
  item->state = State::kClaimed;
  item->number = ++claims_;
  return Claim{item->number, beginning_, {.piece = item->piece, .known = known_}};
}

Ledger::Items::iterator Ledger::find(const Claim& claim) {
  if (claim.beginning != beginning_) return items_.end();
  return std::ranges::find_if(items_, [&](const Item& item) {
    return item.state == State::kClaimed && item.number == claim.number;
  });
}

bool Ledger::is_known(const Claim& claim) const {
  return const_cast<Ledger*>(this)->find(claim) != items_.end();
}

bool Ledger::is_useful(const Claim& claim) const {
  const std::lock_guard lock(mutex_);
  return !stopped_ && is_known(claim);
}

bool Ledger::finish(const Claim& claim, SliceEnd end, std::vector<FoundError> errors) {
  const std::lock_guard lock(mutex_);
  const auto item = find(claim);
  // It came too late: the exploration has begun again, or an error before it was found.
  if (stopped_ || item == items_.end()) return !end.refused;
  changed_.notify_all();
  const Fit fit = end.refused ? Fit::kOtherThreads : merge(known_, end.known);
  if (fit == Fit::kOtherThreads) {
    item->state = State::kOpen;
    if (++item->refusals < kMostRefusals) return false;
    stopped_ = true;
    verdict_ = Verdict::kUnsupported;
    reason_ = "the workers could not agree on what a piece of the work means";
    return false;
  }
  if (end.outdated || fit == Fit::kOutdated) {
    begin_again();
    return true;
  }
  cuts_ = Cuts(cuts_.bits() | end.cuts);
  if (end.verdict == Verdict::kIncomplete && !end.paused && reason_.empty()) reason_ = end.reason;
  item->state = State::kClosed;
  item->tally = end.tally;
  item->errors = std::move(errors);
  item->unsupported = end.verdict == Verdict::kUnsupported;
  if (item->unsupported) item->reason = end.reason;
  item->piece.clear();
  ++closed_;
  const auto next = std::next(item);
  if (item->unsupported || (!keep_going_ && !item->errors.empty())) {
    items_.erase(next, items_.end());  // one explorer would not have come there
    stopped_ = stopped_ || first_;
  } else {
    for (std::string& piece : end.pieces) {
      Item rest;
      rest.piece = std::move(piece);
      items_.insert(next, std::move(rest));
    }
  }
  fold();
  return true;
}

// Joins neighbours that are closed.
void Ledger::fold() {
  for (auto item = items_.begin(); item != items_.end();) {
    const auto next = std::next(item);
    if (next == items_.end()) break;
    if (item->state == State::kClosed && next->state == State::kClosed) {
      add(item->errors, std::move(next->errors), item->tally.total());
      add(item->tally, next->tally);
      item->unsupported = next->unsupported;
      item->reason = std::move(next->reason);
      items_.erase(next);
    } else {
      item = next;
    }
  }
}

void Ledger::begin_again() {
  ++beginning_;
  items_.clear();
  items_.emplace_back();
  closed_ = 0;
  cuts_ = {};
  reason_.clear();
  known_.relied_on_rest = false;
  if (beginning_ > kMostBeginnings)
    known_.all_looked_at = known_.atomics_may_race = known_.locks_given_up = true;
}

unsigned Ledger::release(const Claim& claim) {
  const std::lock_guard lock(mutex_);
  const auto item = find(claim);
  if (item == items_.end()) return 0;
  item->state = State::kOpen;
  changed_.notify_all();
  return ++item->deaths;
}

void Ledger::stop(Verdict verdict, const std::string& reason, Cuts cuts) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  stopped_ = true;
  verdict_ = verdict;
  reason_ = reason;
  cuts_ = Cuts(cuts_.bits() | cuts.bits());
  changed_.notify_all();
}

Ledger::Totals Ledger::totals() const {
  const std::lock_guard lock(mutex_);
  Totals totals{.tally = {}, .pieces = closed_, .beginnings = beginning_};
  for (const Item& item : items_) {
    add(totals.tally, item.tally);
    totals.open += item.state == State::kOpen ? 1 : 0;
    totals.claimed += item.state == State::kClaimed ? 1 : 0;
  }
  return totals;
}

Ledger::Result Ledger::result() const {
  const std::lock_guard lock(mutex_);
  Result result{.verdict = verdict_, .reason = reason_, .cuts = cuts_, .tally = {}, .errors = {}};
  for (const Item& item : items_) {
    add(result.errors, std::vector(item.errors), result.tally.total());
    add(result.tally, item.tally);
    if (!item.unsupported) continue;
    result.verdict = Verdict::kUnsupported;
    result.reason = item.reason;
  }
  if (result.verdict == Verdict::kVerified && (!cuts_.empty() || !reason_.empty())) {
    result.verdict = Verdict::kIncomplete;
    if (!cuts_.empty()) result.reason = mazur::reason(cuts_);
  }
  result.finished =
      result.verdict == Verdict::kVerified && !stopped_ && (keep_going_ || result.errors.empty());
  if (!result.errors.empty() && result.verdict != Verdict::kUnsupported) {
    result.verdict = Verdict::kBug;
    result.reason.clear();
  }
  return result;
}

}  // namespace mazur
