// The ledger of a run that one process does alone, with its workers.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "work/keys.h"
#include "work/open_store.h"

namespace mazur {
namespace {

class MemoryStore final : public LedgerStore, private LedgerTransaction {
 public:
  // What is thrown in a body comes from the ledger, which is not used after that: nothing is undone.
  void transact(Access, FunctionRef<void(LedgerTransaction&)> body) override { body(*this); }
  bool is_exclusive() const override { return true; }
  bool is_durable() const override { return false; }
  std::string name() const override { return "in memory"; }
  double lease_seconds() const override { return 0; }
  double pause_seconds() const override { return 1e-3; }

 private:
  using Items = std::map<std::string, ItemRow>;

  std::optional<std::string> run() override { return run_; }
  void set_run(const std::string& bytes) override { run_ = bytes; }

  std::optional<ItemRow> first_open() override {
    if (open_.empty()) return std::nullopt;
    return items_.at(*open_.begin());
  }
  std::optional<ItemRow> claimed(std::uint64_t claim) override {
    const auto at = claimed_.find(claim);
    if (at == claimed_.end()) return std::nullopt;
    return without_piece(items_.at(at->second));
  }
  std::optional<ItemRow> closed_before(const std::string& key) override {
    const auto at = items_.lower_bound(key);
    return at == items_.begin() ? std::nullopt : if_closed(std::prev(at)->second);
  }
  std::optional<ItemRow> closed_after(const std::string& key) override {
    const auto at = items_.upper_bound(key);
    return at == items_.end() ? std::nullopt : if_closed(at->second);
  }
  void visit(const std::optional<std::string>& after,
             FunctionRef<void(const ItemRow&)> look) override {
    auto at = after ? items_.upper_bound(*after) : items_.begin();
    for (; at != items_.end(); ++at) look(at->second);
  }

  void update(const ItemRow& item, Write write) override {
    ItemRow& row = items_.at(item.key);
    leave_indexes(row);
    std::string piece = std::move(row.piece);
    row = item;
    if (write == Write::kWithoutPiece) row.piece = std::move(piece);
    enter_indexes(row);
  }
  void insert(const std::vector<ItemRow>& items) override {
    for (const ItemRow& item : items) enter_indexes(items_[item.key] = item);
  }
  void erase(const std::string& key) override {
    leave_indexes(items_.at(key));
    items_.erase(key);
  }
  void erase_after(const std::string& key) override {
    const auto begin = items_.upper_bound(key);
    for (auto at = begin; at != items_.end(); ++at) leave_indexes(at->second);
    items_.erase(begin, items_.end());
  }
  void clear() override {
    items_.clear();
    open_.clear();
    claimed_.clear();
    sums_ = {};
  }
  void renumber() override {
    Items old;
    old.swap(items_);
    open_.clear();
    claimed_.clear();
    std::uint32_t number = 0;
    for (auto& [key, item] : old) {
      item.key = key_of_number(number++);
      item.next_child = ItemRow().next_child;
      enter_indexes(items_[item.key] = std::move(item));
    }
  }

  void add(const Sums& more) override { sums_ = sum(sums_, more); }
  Sums sums() override { return sums_; }

  bool put(const std::string& name, std::string_view bytes) override {
    return things_.emplace(name, bytes).second;
  }
  std::optional<std::string> get(const std::string& name) override {
    const auto at = things_.find(name);
    return at == things_.end() ? std::nullopt : std::optional(at->second);
  }
  void forget(const std::string& prefix) override {
    std::erase_if(things_, [&](const auto& thing) { return thing.first.starts_with(prefix); });
  }

  std::uint32_t enter(const WorkerInfo& worker) override {
    worker_ = worker;
    return 1;
  }
  void stay(std::uint32_t) override {}
  void renew(std::uint32_t, const WorkerInfo& info) override { worker_ = info; }
  void leave(std::uint32_t) override {}
  std::uint64_t open_lost() override { return 0; }
  std::vector<WorkerInfo> workers() override { return {worker_}; }
  std::uint64_t idle() override { return worker_.idle; }
  std::vector<std::uint64_t> claims_of(std::uint32_t) override {
    std::vector<std::uint64_t> claims;
    for (const auto& [claim, key] : claimed_) claims.push_back(claim);
    return claims;
  }

  static ItemRow without_piece(const ItemRow& item) {
    ItemRow copy = item;
    copy.piece.clear();
    return copy;
  }
  static std::optional<ItemRow> if_closed(const ItemRow& item) {
    if (item.state != ItemState::kClosed) return std::nullopt;
    return without_piece(item);
  }
  void enter_indexes(const ItemRow& item) {
    if (item.state == ItemState::kOpen) open_.insert(item.key);
    if (item.state == ItemState::kClaimed) claimed_[item.claim] = item.key;
  }
  void leave_indexes(const ItemRow& item) {
    if (item.state == ItemState::kOpen) open_.erase(item.key);
    if (item.state == ItemState::kClaimed) claimed_.erase(item.claim);
  }

  std::optional<std::string> run_;
  Items items_;
  std::set<std::string> open_;
  std::unordered_map<std::uint64_t, std::string> claimed_;  // keys, by the numbers of claims
  Sums sums_;
  std::map<std::string, std::string> things_;
  WorkerInfo worker_;
};

}  // namespace

std::unique_ptr<LedgerStore> open_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace mazur
