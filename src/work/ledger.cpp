#include "work/ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "work/finish.h"

namespace mazur {
namespace {

using Access = LedgerStore::Access;
using Write = LedgerTransaction::Write;
using std::chrono::milliseconds;

// A process that starts anew knows what all others know, so it should not refuse anything.
constexpr unsigned kMostRefusals = 20;

// How long somebody waits before looking again, at first: in memory whoever changes something says
// so.
constexpr milliseconds kShortestWait{1};
// What was seen of a durable ledger is as good as new for so long.
constexpr milliseconds kFresh{500};

// A sum may be a little more than 1.
std::int64_t parts(double explored) {
  const bool is_part = explored >= 0 && explored < 1.001;
  return is_part ? std::llround(std::min(explored, 1.0) * static_cast<double>(Sums::kWhole)) : 0;
}

}  // namespace

Ledger::Ledger(bool keep_going, bool first)
    : Ledger(open_memory_store(), RunFacts{.terms = {}, .keep_going = keep_going, .first = first}) {
}

Ledger::Ledger(std::unique_ptr<LedgerStore> store, const RunFacts& facts)
    : store_(std::move(store)) {
  store_->transact(Access::kExclusive, [&](LedgerTransaction& t) { begin(t, &facts); });
}

Ledger::Ledger(std::unique_ptr<LedgerStore> store) : store_(std::move(store)) {
  store_->transact(Access::kShared, [&](LedgerTransaction& t) { begin(t, nullptr); });
}

Ledger::~Ledger() {
  if (worker_ == 0) return;
  try {
    store_->hurry();
    store_->transact(Access::kShared, [&](LedgerTransaction& t) {
      t.leave(worker_);
      const auto opened = static_cast<std::int64_t>(t.open_lost());
      if (opened != 0) t.add({.open = opened, .claimed = -opened});
    });
  } catch (const LedgerError&) {  // its lease will end
  }
}

void Ledger::begin(LedgerTransaction& t, const RunFacts* facts) {
  if (!t.run()) {
    if (facts == nullptr) throw LedgerError("there is no run in the ledger '" + name() + "'.");
    t.set_run(encode(RunState{.facts = *facts}));
    t.insert({ItemRow{.piece = seal("")}});
    t.add({.open = 1});
  }
  facts_ = read_run(t).facts;
  see(t);
}

const RunState& Ledger::read_run(LedgerTransaction& t) {
  auto bytes = t.run();
  if (!bytes) throw LedgerError("the run has been removed from the ledger '" + name() + "'.");
  if (*bytes != run_bytes_) {
    run_ = decode_run(*bytes, name());
    run_bytes_ = *std::move(bytes);
  }
  return run_;
}

void Ledger::see(LedgerTransaction& t) {
  const RunState& run = read_run(t);
  view_.sums = t.sums();
  view_.beginning = run.beginning;
  // Who finds nothing open or claimed after an error: all that comes before it is closed, and all
  // that came after it is gone.
  view_.over = run.stopped || (view_.sums.open == 0 && view_.sums.claimed == 0);
  if (!is_durable()) return;
  view_.idle = t.idle();
  const auto claims = t.claims_of(worker_);
  view_.claims = {claims.begin(), claims.end()};
  view_.at = std::chrono::steady_clock::now();
}

void Ledger::see_again() {
  if (is_durable() && std::chrono::steady_clock::now() - view_.at < kFresh) return;
  store_->transact(Access::kShared, [&](LedgerTransaction& t) { see(t); });
}

void Ledger::tell_others() {
  const std::lock_guard lock(mutex_);
  ++changes_;
  patience_ = kShortestWait;
  changed_.notify_all();
}

std::optional<Claim> Ledger::claim() {
  const milliseconds longest(static_cast<int>(store_->pause_seconds() * 1000));
  for (bool waited = false;; waited = true) {
    std::uint64_t seen = 0;
    {
      const std::lock_guard lock(mutex_);
      if (interruption_) return std::nullopt;
      seen = changes_;
    }
    {
      const std::lock_guard lock(store_mutex_);
      auto claim = try_claim();
      if (claim || view_.over) return claim;
    }
    if (waited) return std::nullopt;
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.wait_for(lock, patience_, [&] { return changes_ != seen || interruption_; });
    --waiting_;
    patience_ = std::min(2 * patience_, longest);
  }
}

// An attempt may have been committed without our knowing: its claim is given back by the next one.
std::optional<Claim> Ledger::try_claim() {
  if (worker_ == 0 || claims_ == std::numeric_limits<std::uint32_t>::max()) {
    store_->transact(Access::kShared, [&](LedgerTransaction& t) { worker_ = t.enter({}); });
    claims_ = 0;
  }
  const std::uint64_t number = (std::uint64_t{worker_} << 32) + ++claims_;
  std::optional<Claim> claim;
  bool again = false;
  store_->transact(Access::kLazy, [&](LedgerTransaction& t) {
    claim.reset();
    if (std::exchange(again, true))
      if (auto mine = t.claimed(number)) {
        mine->state = ItemState::kOpen;
        t.update(*mine, Write::kWithoutPiece);
        t.add({.open = 1, .claimed = -1});
      }
    const RunState& run = read_run(t);
    view_.over = run.stopped;
    if (run.stopped) return;
    t.stay(worker_);
    if (const auto opened = static_cast<std::int64_t>(t.open_lost()))
      t.add({.open = opened, .claimed = -opened});
    auto item = t.first_open();
    if (!item) {
      see(t);
      return;
    }
    claim =
        Claim{number, run.beginning, {.piece = unseal(item->piece, name()), .known = run.known}};
    item->state = ItemState::kClaimed;
    item->claim = number;
    t.update(*item, Write::kWithoutPiece);
    t.add({.open = -1, .claimed = 1});
  });
  if (claim) {
    view_.claims.insert(number);
    --view_.sums.open;
    ++view_.sums.claimed;
  }
  return claim;
}

bool Ledger::finish(const Claim& claim, SliceEnd end, std::vector<FoundError> errors) {
  if (end.stopped && is_durable()) {
    release(claim, Why::kStopped);
    return true;
  }
  const std::lock_guard lock(store_mutex_);
  Finished finished = Finished::kNeedsExclusive;
  Access access = store_->is_exclusive() ? Access::kExclusive : Access::kShared;
  for (;; access = Access::kExclusive) {
    store_->transact(access, [&](LedgerTransaction& t) {
      finished = finish(t, access == Access::kExclusive, claim, end, errors);
    });
    if (finished != Finished::kNeedsExclusive) break;
  }
  view_.claims.erase(claim.number);
  view_.at = {};  // it is worth a look
  tell_others();
  return finished == Finished::kGood;
}

// Changes nothing before it is certain that it may.
Ledger::Finished Ledger::finish(LedgerTransaction& t, bool exclusive, const Claim& claim,
                                const SliceEnd& end, const std::vector<FoundError>& errors) {
  RunState run = read_run(t);
  auto item =
      run.stopped || run.beginning != claim.beginning ? std::nullopt : t.claimed(claim.number);
  // It came too late: the exploration has begun again, an error before it was found, or somebody
  // else has the piece now. Or this was committed before, and nobody could be told.
  if (!item) return end.refused ? Finished::kUseless : Finished::kGood;
  const bool has_remarks = merge(run.remarks, end.remarks);
  const SharedKnowledge known = run.known;
  const Fit fit = end.refused ? Fit::kOtherThreads : merge(run.known, end.known);
  if (fit == Fit::kOtherThreads) return refuse(t, exclusive, *std::move(item));
  if (end.outdated || fit == Fit::kOutdated) {
    if (!exclusive) return Finished::kNeedsExclusive;
    begin_again(t, run);
    t.set_run(encode(run));
    return Finished::kGood;
  }
  const Cuts cuts(run.cuts.bits() | (end.cuts & ((std::uint32_t{1} << kCuts) - 1)));
  const bool has_reason = end.verdict == Verdict::kIncomplete && !end.paused && run.reason.empty();
  const bool unsupported = end.verdict == Verdict::kUnsupported;
  const bool ends = unsupported || (!facts_.keep_going && !errors.empty());
  const bool changes_run = has_remarks || !(known == run.known) || cuts.bits() != run.cuts.bits() ||
                           has_reason || (ends && facts_.first);
  const bool is_left = !ends && !end.pieces.empty();
  const bool lacks = is_left && lacks_room(*item, end.pieces.size() - 1);
  if (!exclusive && (changes_run || ends || lacks)) return Finished::kNeedsExclusive;
  if (lacks) {
    t.renumber();
    item = t.claimed(claim.number);
  }
  if (changes_run) {
    run.cuts = cuts;
    if (has_reason) run.reason = end.reason;
    run.stopped = ends && facts_.first;
    t.set_run(encode(run));
  }

  ItemResults results = decode_results(item->results, name());
  add(results, {.tally = end.tally,
                .errors = errors,
                .unsupported = unsupported,
                .reason = unsupported ? end.reason : ""});
  item->results = encode(results);
  item->claim = 0;
  item->deaths = item->refusals = 0;
  Sums change{.claimed = -1,
              .slices = 1,
              .microseconds = static_cast<std::int64_t>(end.microseconds),
              .explored = parts(end.explored),
              .tally = end.tally};
  if (ends) cut_off(t, *item, change, name());  // one explorer would not have come there
  if (is_left) {
    split(t, *item, end.pieces, change);
  } else {
    item->state = ItemState::kClosed;
    item->piece.clear();
    t.update(*item, Write::kWithPiece);
    fold(t, *std::move(item), name());
  }
  t.add(change);
  return Finished::kGood;
}

// The worker's process and the others do not mean the same by this item.
Ledger::Finished Ledger::refuse(LedgerTransaction& t, bool exclusive, ItemRow item) {
  const bool too_often = ++item.refusals >= kMostRefusals;
  if (too_often && !exclusive) return Finished::kNeedsExclusive;
  item.state = ItemState::kOpen;
  item.claim = 0;
  t.update(item, Write::kWithoutPiece);
  t.add({.open = 1, .claimed = -1});
  if (!too_often) return Finished::kUseless;
  RunState run = read_run(t);
  run.stopped = true;
  run.verdict = Verdict::kUnsupported;
  run.reason = "the workers could not agree on what a piece of the work means";
  t.set_run(encode(run));
  return Finished::kUseless;
}

unsigned Ledger::release(const Claim& claim, Why why) {
  const std::lock_guard lock(store_mutex_);
  unsigned deaths = 0;
  store_->transact(Access::kShared, [&](LedgerTransaction& t) {
    deaths = 0;
    auto item = t.claimed(claim.number);
    if (!item) return;
    item->state = ItemState::kOpen;
    item->claim = 0;
    deaths = item->deaths += why == Why::kDied ? 1 : 0;
    t.update(*item, Write::kWithoutPiece);
    t.add({.open = 1, .claimed = -1});
  });
  view_.claims.erase(claim.number);
  view_.at = {};  // it is worth a look
  tell_others();
  return deaths;
}

void Ledger::stop(Verdict verdict, const std::string& reason, Cuts cuts,
                  std::vector<Record> records) {
  const std::lock_guard lock(store_mutex_);
  store_->transact(Access::kExclusive, [&](LedgerTransaction& t) {
    RunState run = read_run(t);
    if (run.stopped) return;
    run.stopped = true;
    run.verdict = verdict;
    run.reason = reason;
    run.cuts = Cuts(run.cuts.bits() | cuts.bits());
    run.records = records;
    t.set_run(encode(run));
  });
  view_.over = true;
  tell_others();
}

void Ledger::interrupt(Verdict verdict, const std::string& reason, Cuts cuts) {
  const std::lock_guard lock(mutex_);
  if (interruption_) return;
  interruption_ = Interruption{verdict, reason, cuts};
  changed_.notify_all();
}

void Ledger::renew(const WorkerInfo& info) {
  if (!is_durable()) return;
  const std::lock_guard lock(store_mutex_);
  store_->transact(Access::kShared, [&](LedgerTransaction& t) {
    if (worker_ == 0) worker_ = t.enter(info);
    t.renew(worker_, info);
    see(t);
  });
}

bool Ledger::put(const std::string& name, std::string_view bytes) {
  const std::lock_guard lock(store_mutex_);
  bool is_new = false, again = false;
  store_->transact(Access::kShared, [&](LedgerTransaction& t) {
    const bool put = t.put(name, bytes);
    is_new = put || (std::exchange(again, true) && t.get(name) == std::string(bytes));
  });
  return is_new;
}

void Ledger::replace(const std::string& name, std::string_view bytes) {
  const std::lock_guard lock(store_mutex_);
  store_->transact(Access::kShared, [&](LedgerTransaction& t) {
    t.forget(name);
    t.put(name, bytes);
  });
}

std::optional<std::string> Ledger::get(const std::string& name) {
  const std::lock_guard lock(store_mutex_);
  std::optional<std::string> bytes;
  store_->transact(Access::kShared, [&](LedgerTransaction& t) { bytes = t.get(name); });
  return bytes;
}

}  // namespace mazur
