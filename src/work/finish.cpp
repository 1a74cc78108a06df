#include "work/finish.h"

#include <utility>

#include "work/keys.h"

namespace mazur {
namespace {

// So often an exploration may begin again; then nothing is assumed any more.
constexpr unsigned kMostBeginnings = 16;

// Larger results stay apart: joining writes them again.
constexpr std::size_t kMostFolded = 1 << 16;

bool is_small(const ItemRow& a, const ItemRow& b) {
  return a.results.size() + b.results.size() <= kMostFolded;
}

// `after` becomes part of `item`.
void join(LedgerTransaction& t, ItemRow& item, const ItemRow& after, const std::string& ledger) {
  ItemResults results = decode_results(item.results, ledger);
  add(results, decode_results(after.results, ledger));
  item.results = encode(results);
  t.erase(after.key);
  t.update(item, LedgerTransaction::Write::kWithoutPiece);
}

void subtract(Tally& sum, const Tally& less) {
  sum.complete -= less.complete;
  sum.blocked -= less.blocked;
  sum.assume_blocked -= less.assume_blocked;
  sum.bounded -= less.bounded;
  sum.events -= less.events;
  sum.failures -= less.failures;
}

}  // namespace

bool lacks_room(const ItemRow& item, std::size_t children) {
  return children > 0 && (item.key.size() >= kLongestKey || item.next_child < children);
}

void split(LedgerTransaction& t, ItemRow& item, const std::vector<std::string>& pieces,
           Sums& change) {
  item.state = ItemState::kOpen;
  item.piece = seal(pieces.front());
  change.open += static_cast<std::int64_t>(pieces.size());
  std::vector<ItemRow> children;
  item.next_child -= static_cast<std::uint32_t>(pieces.size() - 1);
  for (std::uint32_t i = 1; i < pieces.size(); ++i) {
    ItemRow& child = children.emplace_back();
    child.key = child_key(item.key, item.next_child + i);
    child.piece = seal(pieces[i]);
  }
  t.update(item, LedgerTransaction::Write::kWithPiece);
  if (!children.empty()) t.insert(children);
}

void cut_off(LedgerTransaction& t, const ItemRow& item, Sums& change, const std::string& ledger) {
  t.visit(item.key, [&](const ItemRow& later) {
    change.open -= later.state == ItemState::kOpen ? 1 : 0;
    change.claimed -= later.state == ItemState::kClaimed ? 1 : 0;
    subtract(change.tally, decode_results(later.results, ledger).tally);
  });
  t.erase_after(item.key);
}

void fold(LedgerTransaction& t, ItemRow item, const std::string& ledger) {
  if (auto before = t.closed_before(item.key); before && is_small(*before, item)) {
    join(t, *before, item, ledger);
    item = *std::move(before);
  }
  if (const auto after = t.closed_after(item.key); after && is_small(item, *after))
    join(t, item, *after, ledger);
}

void begin_again(LedgerTransaction& t, RunState& run) {
  t.clear();
  t.insert({ItemRow{.piece = seal("")}});
  t.add({.open = 1});
  t.forget("report");
  ++run.beginning;
  run.cuts = {};
  run.reason.clear();
  run.known.relied_on_rest = false;
  if (run.beginning > kMostBeginnings)
    run.known.all_looked_at = run.known.atomics_may_race = run.known.locks_given_up = true;
}

}  // namespace mazur
