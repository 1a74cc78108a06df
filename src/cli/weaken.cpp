#include "cli/weaken.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "cli/result/findings.h"
#include "cli/run/interrupts.h"
#include "cli/run/unseen_code.h"
#include "report/findings/symbols.h"
#include "report/orders/sites.h"

namespace mazur {
namespace {

// So often a program is explored again with the same orders, because it came to new places.
constexpr int kMostAgain = 8;

// The weakest first.
std::span<const std::uint8_t> weaker_orders(OpKind kind, std::uint8_t written) {
  static constexpr std::uint8_t kOrders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE,
                                             __ATOMIC_ACQ_REL};
  static constexpr std::uint8_t kOfStore[] = {__ATOMIC_RELAXED, __ATOMIC_RELEASE};
  const std::span<const std::uint8_t> all = kOrders, of_store = kOfStore;
  switch (written) {
    case __ATOMIC_RELAXED:
      return {};
    case __ATOMIC_SEQ_CST:
      return kind == OpKind::kLoad ? all.first(2) : kind == OpKind::kStore ? of_store : all;
    case __ATOMIC_ACQ_REL:
      return all.first(3);
    default:
      return all.first(1);
  }
}

bool has_same_places(const std::vector<CheckedModule>& a, const std::vector<CheckedModule>& b) {
  return std::ranges::equal(a, b, [](const CheckedModule& x, const CheckedModule& y) {
    return x.base == y.base && x.begin == y.begin && x.path == y.path;
  });
}

class Search {
 public:
  Search(const ProgramRun& run, const ProgramEnd& first, const Installation& installation);

  Weakening weaken();

 private:
  // The operations of one kind and order on one line.
  struct Line {
    Frame where;
    OpKind kind;
    std::uint8_t written;
    std::uint8_t order;
    bool tried = false;
    std::set<std::uint64_t> keys;
  };

  bool take_in(const ProgramEnd& end);
  bool locate(const OrderSite& site);
  bool explore();
  bool is_verified(ProgramEnd end) const;
  bool try_weaker(Line& line);
  double left() const;
  std::vector<UsedOrder> used_orders() const;

  ProgramRun run_;
  const Installation& installation_;
  const ProgramEnd& first_;
  const std::vector<CheckedModule>& modules_;
  Symbols symbols_;
  Places places_;
  std::map<std::tuple<std::string, std::uint32_t, OpKind, std::uint8_t>, Line> lines_;
  std::set<std::uint64_t> known_;  // keys
  std::set<std::uint64_t> deep_calls_;
  const double limit_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Weakening found_;
};

std::vector<Module> to_modules(const std::vector<CheckedModule>& checked) {
  std::vector<Module> modules;
  for (const CheckedModule& module : checked)
    modules.push_back({module.base, module.begin, module.end, module.path});
  return modules;
}

Search::Search(const ProgramRun& run, const ProgramEnd& first, const Installation& installation)
    : run_(run),
      installation_(installation),
      first_(first),
      modules_(first.modules),
      symbols_(to_modules(first.modules)),
      limit_(run.request.bounds.time_limit > 0
                 ? std::max(run.request.bounds.time_limit - first.seconds, 1e-3)
                 : 0) {
  run_.request.minimise = 0;
  run_.request.bounds.keep_going = false;
  run_.request.show_output = 0;
  found_.asked = true;
}

// Seconds; only if there is a limit.
double Search::left() const {
  const auto taken = std::chrono::steady_clock::now() - start_;
  return limit_ - std::chrono::duration<double>(taken).count();
}

std::vector<UsedOrder> Search::used_orders() const {
  std::vector<UsedOrder> used;
  for (const auto& [place, line] : lines_)
    if (line.order != line.written)
      for (const std::uint64_t key : line.keys) used.push_back({key, line.order});
  return used;
}

// Notes a site. Returns false if the last run should have treated it in another way.
bool Search::locate(const OrderSite& site) {
  const std::vector<std::uint64_t> stack(site.stack, site.stack + site.frames);
  if (stack.empty()) return true;
  for (const std::uint64_t pc : stack)
    if (!places_.code.contains(pc)) places_.code[pc] = symbols_.frames(pc);
  if (is_in_passing(stack.front(), places_) && deep_calls_.insert(stack.front()).second)
    return false;
  if (!known_.insert(site.key).second) return true;
  const auto where = order_line(stack, places_);
  // The flag of a static variable is the compiler's.
  if (!where || weaker_orders(site.kind, site.order).empty() ||
      symbols_.object(site.object).starts_with("guard variable"))
    return true;
  const auto [at, fresh] = lines_.try_emplace({where->file, where->line, site.kind, site.order},
                                              Line{*where, site.kind, site.order, site.order});
  at->second.keys.insert(site.key);
  return at->second.order == at->second.written;
}

bool Search::take_in(const ProgramEnd& end) {
  bool good = true;
  for (const OrderSite& site : *end.order_sites) good = locate(site) && good;
  return good;
}

// As for the first run: code that is not seen may make it no proof.
bool Search::is_verified(ProgramEnd end) const {
  if (end.verdict != Verdict::kVerified) return false;
  Result result = make_result(end, run_.request.algorithm);
  consider_modules(result, std::move(end.modules));
  return result.verdict == Verdict::kVerified;
}

// Whether the program is verified with the orders that the lines have. If that cannot be told,
// found_.stopped says why.
bool Search::explore() {
  for (int again = 0; again < kMostAgain; ++again) {
    if (limit_ > 0 && left() <= 0) {
      found_.stopped = "the time limit was reached";
      return false;
    }
    if (limit_ > 0) run_.request.bounds.time_limit = left();
    run_.used_orders = used_orders();
    run_.deep_calls.assign(deep_calls_.begin(), deep_calls_.end());
    if (std::max(run_.used_orders.size(), run_.deep_calls.size()) > Channel::kMaxOrderSites) break;
    const ProgramEnd end = run_program(run_, installation_);
    ++found_.runs;
    if (end.cuts.contains(Cut::kTimeLimit) || end.reason == "it was interrupted") {
      found_.stopped = interrupts() > 0 ? "it was interrupted" : "the time limit was reached";
      return false;
    }
    if (end.verdict == Verdict::kVerified && !has_same_places(end.modules, modules_)) {
      found_.stopped = "the program is not loaded at the same addresses each time";
      return false;
    }
    if (!is_verified(end)) return false;
    if (!end.order_sites) break;
    if (!take_in(end)) continue;
    found_.proof = end.tally;
    found_.proof_seconds = end.seconds;
    return true;
  }
  found_.stopped = "the program has too many places with atomic operations";
  return false;
}

// Returns false if it was stopped.
bool Search::try_weaker(Line& line) {
  for (const std::uint8_t order : weaker_orders(line.kind, line.written)) {
    line.order = order;
    line.tried = explore();
    if (line.tried) return true;
    line.order = line.written;
    if (!found_.stopped.empty()) return false;
  }
  line.tried = true;
  return true;
}

Weakening Search::weaken() {
  if (!first_.order_sites)
    found_.stopped = "the program has too many places with atomic operations";
  else if (!take_in(first_) && !explore() && found_.stopped.empty())
    found_.stopped = "the program is not verified each time";
  // Exploring may come to lines that were not known: those are tried as well.
  for (bool more = found_.stopped.empty(); more;) {
    more = false;
    for (auto& [place, line] : lines_) {
      if (line.tried) continue;
      if (!try_weaker(line)) break;
      more = true;
    }
    more = more && found_.stopped.empty();
  }
  for (const auto& [place, line] : lines_)
    found_.orders.push_back({line.where, line.kind, line.written, line.order, line.tried});
  return std::move(found_);
}

}  // namespace

Weakening weaken(const ProgramRun& run, const ProgramEnd& first, const Installation& installation) {
  Search search(run, first, installation);
  return search.weaken();
}

}  // namespace mazur
