#include "graph/orders/stronger_orders.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "graph/orders/recorded.h"
#include "trace/fields.h"

namespace mazur {
namespace {

using Answer = RecordedExecution::Answer;

bool acquires(std::uint8_t order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL;
}
bool releases(std::uint8_t order) { return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL; }

// The weakest order that is as strong as both.
std::uint8_t joined(std::uint8_t a, std::uint8_t b) {
  if (a == b) return a;
  if (a == __ATOMIC_SEQ_CST || b == __ATOMIC_SEQ_CST) return __ATOMIC_SEQ_CST;
  const bool acquire = acquires(a) || acquires(b), release = releases(a) || releases(b);
  if (acquire && release) return __ATOMIC_ACQ_REL;
  return acquire ? __ATOMIC_ACQUIRE : release ? __ATOMIC_RELEASE : __ATOMIC_RELAXED;
}

// The orders that an operation can have, the weakest first.
std::span<const std::uint8_t> orders_for(OpKind kind) {
  static constexpr std::uint8_t kOfLoad[] = {__ATOMIC_ACQUIRE, __ATOMIC_SEQ_CST};
  static constexpr std::uint8_t kOfStore[] = {__ATOMIC_RELEASE, __ATOMIC_SEQ_CST};
  static constexpr std::uint8_t kOfOthers[] = {__ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL,
                                               __ATOMIC_SEQ_CST};
  if (kind == OpKind::kLoad) return kOfLoad;
  if (kind == OpKind::kStore) return kOfStore;
  return kOfOthers;
}

// Pairs of more sites are not tried.
constexpr std::size_t kMostForPairs = 200;

unsigned weight(std::uint8_t order) {
  return order == __ATOMIC_SEQ_CST ? 3 : order == __ATOMIC_ACQ_REL ? 2 : 1;
}
unsigned weight(const std::vector<StrongerOrder>& changes) {
  unsigned sum = 0;
  for (const StrongerOrder& change : changes) sum += weight(change.order);
  return sum;
}

class Search {
 public:
  Search(RecordedExecution& execution, std::span<const Site> sites);

  // `many`: more than two sites will do, too.
  Forbidding run(bool many);

 private:
  using Changes = std::vector<StrongerOrder>;

  bool forbids(const Changes& changes);
  bool changes_anything(const StrongerOrder& change) const;
  Changes weakest(Changes changes);
  std::optional<Changes> best_of(const std::vector<Changes>& all);
  std::vector<Changes> singles() const;
  std::vector<Changes> pairs() const;
  Changes few();

  RecordedExecution& execution_;
  std::span<const Site> sites_;
  std::vector<std::uint8_t> orders_;  // by event
  std::vector<Site> able_;            // the sites that can be stronger
  std::vector<OpKind> kinds_;         // by site
  bool gave_up_ = false;              // on a question that cost too much
};

Search::Search(RecordedExecution& execution, std::span<const Site> sites)
    : execution_(execution), sites_(sites) {
  for (std::size_t e = 0; e < execution.size(); ++e) {
    const Label& label = execution.label(e);
    orders_.push_back(label.order);
    const Site site = sites[e];
    if (site == kNoSite) continue;
    if (site >= kinds_.size()) kinds_.resize(site + std::size_t{1}, OpKind::kNone);
    kinds_[site] = label.kind;
  }
  for (Site site = 0; site < kinds_.size(); ++site)
    if (changes_anything({site, __ATOMIC_SEQ_CST})) able_.push_back(site);
}

bool Search::changes_anything(const StrongerOrder& change) const {
  for (std::size_t e = 0; e < orders_.size(); ++e)
    if (sites_[e] == change.site && joined(orders_[e], change.order) != orders_[e]) return true;
  return false;
}

bool Search::forbids(const Changes& changes) {
  std::vector<std::uint8_t> orders = orders_;
  for (const StrongerOrder& change : changes)
    for (std::size_t e = 0; e < orders.size(); ++e)
      if (sites_[e] == change.site) orders[e] = joined(orders[e], change.order);
  const Answer answer = execution_.ask(orders);
  gave_up_ = gave_up_ || answer == Answer::kUnknown;
  return answer == Answer::kForbidden;
}

// Weaker orders at the same sites, one site after the other, that still forbid it.
Search::Changes Search::weakest(Changes changes) {
  for (StrongerOrder& change : changes) {
    const std::uint8_t strong = change.order;
    for (std::uint8_t order : orders_for(kinds_[change.site])) {
      change.order = order;
      if (order == strong || (changes_anything(change) && forbids(changes))) break;
    }
  }
  return changes;
}

// The one with the weakest orders.
std::optional<Search::Changes> Search::best_of(const std::vector<Changes>& all) {
  std::optional<Changes> best;
  for (const Changes& changes : all) {
    if (!forbids(changes)) continue;
    Changes weak = weakest(changes);
    if (!best || weight(weak) < weight(*best)) best = std::move(weak);
  }
  return best;
}

std::vector<Search::Changes> Search::singles() const {
  std::vector<Changes> all;
  for (Site site : able_) all.push_back({{site}});
  return all;
}

std::vector<Search::Changes> Search::pairs() const {
  std::vector<Changes> all;
  for (std::size_t i = 0; i < able_.size(); ++i)
    for (std::size_t k = i + 1; k < able_.size(); ++k) all.push_back({{able_[i]}, {able_[k]}});
  return all;
}

// No site of them can be left out.
Search::Changes Search::few() {
  Changes changes;
  for (Site site : able_) changes.push_back({site});
  for (std::size_t i = changes.size(); i-- > 0;) {
    Changes fewer = changes;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (forbids(fewer)) changes = std::move(fewer);
  }
  return weakest(changes);
}

Forbidding Search::run(bool many) {
  if (forbids({})) return {};  // not as the model would have run it
  Changes everywhere;
  for (Site site : able_) everywhere.push_back({site});
  const bool by_all = forbids(everywhere);
  if (!by_all && !gave_up_) return {Forbidding::Answer::kNothing, {}};
  std::optional<Changes> found = best_of(singles());
  if (!found && able_.size() <= kMostForPairs) found = best_of(pairs());
  if (!found && by_all && many) found = few();
  if (!found || (found->size() > 2 && gave_up_)) return {};  // some may be superfluous
  return {Forbidding::Answer::kChanges, *std::move(found)};
}

// An execution with relaxed fences, which order nothing, in its gaps.
struct Fenced {
  std::vector<Event> events;
  std::vector<Site> sites;  // of the fences
};

Fenced with_fences(std::span<const Event> events, std::span<const Site> gaps) {
  Fenced fenced;
  std::vector<StoreRef> places;  // where the events are now
  for (std::size_t i = 0; i < events.size(); ++i) {
    Event event = events[i];
    StoreRef& ref = event.label.ref;
    if (ref != kNewest && ref != kNoStore && ref != kBehind) {
      if (ref >= places.size()) throw std::logic_error("a step reads what comes later");
      ref = places[ref];
    }
    places.push_back(static_cast<StoreRef>(fenced.events.size()));
    fenced.events.push_back(event);
    fenced.sites.push_back(kNoSite);
    if (gaps[i] == kNoSite) continue;
    Event fence{.thread = event.thread};
    fence.label.kind = OpKind::kFence;
    fence.label.order = __ATOMIC_RELAXED;
    fenced.events.push_back(fence);
    fenced.sites.push_back(gaps[i]);
  }
  return fenced;
}

}  // namespace

Forbidding forbidding_orders(std::span<const Event> events, std::span<const Site> sites,
                             MemoryModel model) {
  try {
    RecordedExecution execution(events, model);
    return Search(execution, sites).run(true);
  } catch (const std::logic_error&) {
    return {};
  }
}

Forbidding forbidding_fences(std::span<const Event> events, std::span<const Site> gaps,
                             MemoryModel model) {
  try {
    const Fenced fenced = with_fences(events, gaps);
    RecordedExecution execution(fenced.events, model);
    return Search(execution, fenced.sites).run(false);
  } catch (const std::logic_error&) {
    return {};
  }
}

}  // namespace mazur
