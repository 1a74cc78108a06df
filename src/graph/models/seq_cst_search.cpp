#include "graph/models/seq_cst_search.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/effect.h"
#include "trace/fields.h"

namespace mazur {
namespace {

// An update is a load and a store behind it: an event has halves 2e and, if it is one, 2e + 1.
using Half = std::uint32_t;
constexpr Half kNoHalf = kNoNode;
NodeId event_of(Half h) { return h / 2; }

class Search {
 public:
  explicit Search(const ExecutionGraph& graph);

  bool is_member(NodeId e) const {
    return is_memory(graph_[e].label.kind) && orders_of(graph_[e]).seq_cst;
  }
  // Whether a path leads from the half back to it.
  bool finds_cycle(Half from);

 private:
  // The seq_cst halves of a thread (on one location, or on all), in program order. Those from
  // `reached` on have been reached by the search.
  struct Row {
    std::vector<Half> halves;
    std::size_t reached = 0;
  };
  struct OfLocation {
    std::vector<Row> threads;
    Row stores;  // in coherence order
  };

  void reach(Row& row, std::size_t from);
  void go_on_from(Half a);
  bool stores(Half h) const { return h % 2 == 1 || graph_[event_of(h)].role == Role::kStore; }
  // The half after this one in its thread.
  Half next(Half h) const;
  // The place of the first event of a thread that e happens before; the number of its events if there is none.
  std::size_t first_after(NodeId e, ThreadId thread) const;
  // How many halves of a row come before the event at this place of its thread.
  std::size_t count_before(const Row& row, std::size_t place) const;

  const ExecutionGraph& graph_;
  std::vector<std::vector<NodeId>> events_;  // by thread, in program order
  std::vector<Row> rows_;                    // by thread
  std::vector<OfLocation> locations_;
  std::vector<Half> stack_;
  std::vector<bool> seen_;  // by half
  Half start_ = kNoHalf;
  bool found_ = false;
};

Search::Search(const ExecutionGraph& graph)
    : graph_(graph),
      events_(graph.threads()),
      rows_(graph.threads()),
      seen_(std::size_t{2} * graph.size()) {
  for (ThreadId t = 0; std::size_t{t} < events_.size(); ++t) events_[t].resize(graph.count_of(t));
  for (NodeId e = 0; e < graph.size(); ++e) events_[graph[e].thread][graph[e].place] = e;
  for (ThreadId t = 0; std::size_t{t} < events_.size(); ++t)
    for (NodeId e : events_[t]) {
      if (!is_member(e)) continue;
      const Node& n = graph[e];
      if (n.location >= locations_.size()) locations_.resize(n.location + std::size_t{1});
      OfLocation& x = locations_[n.location];
      if (x.threads.empty()) x.threads.resize(events_.size());
      for (Half h = 2 * e; h <= 2 * e + (n.role == Role::kUpdate ? 1 : 0); ++h) {
        rows_[t].halves.push_back(h);
        x.threads[t].halves.push_back(h);
        if (stores(h)) x.stores.halves.push_back(h);
      }
    }
  for (OfLocation& x : locations_)
    std::ranges::sort(x.stores.halves, {}, [&](Half h) { return graph_[event_of(h)].rank; });
}

bool Search::finds_cycle(Half from) {
  for (Row& row : rows_) row.reached = row.halves.size();
  for (OfLocation& x : locations_) {
    for (Row& row : x.threads) row.reached = row.halves.size();
    x.stores.reached = x.stores.halves.size();
  }
  seen_.assign(seen_.size(), false);
  start_ = from;
  found_ = false;
  stack_.assign(1, from);
  while (!stack_.empty() && !found_) {
    const Half a = stack_.back();
    stack_.pop_back();
    go_on_from(a);
  }
  return found_;
}

void Search::reach(Row& row, std::size_t from) {
  for (; row.reached > from; --row.reached) {
    const Half h = row.halves[row.reached - 1];
    if (h == start_) found_ = true;
    if (seen_[h]) continue;
    seen_[h] = true;
    stack_.push_back(h);
  }
}

void Search::go_on_from(Half a) {
  const NodeId e = event_of(a);
  const Node& n = graph_[e];
  // po. An update's store comes after its load.
  Row& own = rows_[n.thread];
  const auto behind =
      std::ranges::upper_bound(own.halves, std::pair{n.place, a % 2}, {}, [&](Half h) {
        return std::pair{graph_[event_of(h)].place, h % 2};
      });
  reach(own, static_cast<std::size_t>(behind - own.halves.begin()));
  OfLocation& x = locations_[n.location];
  const Half from = next(a);
  for (ThreadId t = 0; std::size_t{t} < events_.size(); ++t) {
    if (t == n.thread || events_[t].empty()) continue;
    // hb-loc.
    if (!x.threads[t].halves.empty())
      reach(x.threads[t], count_before(x.threads[t], first_after(e, t)));
    // po;hb;po: behind the first half of the first event that `from` happens before.
    if (from == kNoHalf || rows_[t].halves.empty()) continue;
    const std::size_t place = first_after(event_of(from), t);
    if (place == events_[t].size()) continue;
    std::size_t count = count_before(rows_[t], place);
    if (count < rows_[t].halves.size() && rows_[t].halves[count] == 2 * events_[t][place]) ++count;
    reach(rows_[t], count);
  }
  // co and fr.
  const std::uint32_t rank = stores(a) ? n.rank + 1 : graph_.rank_after(n.location, n.source);
  const auto later = std::ranges::lower_bound(x.stores.halves, rank, {},
                                              [&](Half h) { return graph_[event_of(h)].rank; });
  reach(x.stores, static_cast<std::size_t>(later - x.stores.halves.begin()));
}

Half Search::next(Half h) const {
  const Node& n = graph_[event_of(h)];
  if (h % 2 == 0 && n.role == Role::kUpdate) return h + 1;
  const std::vector<NodeId>& all = events_[n.thread];
  return n.place + std::size_t{1} < all.size() ? 2 * all[n.place + std::size_t{1}] : kNoHalf;
}

std::size_t Search::first_after(NodeId e, ThreadId thread) const {
  const std::vector<NodeId>& all = events_[thread];
  return static_cast<std::size_t>(
      std::ranges::partition_point(all,
                                   [&](NodeId c) { return !graph_.in(e, graph_.happened(c)); }) -
      all.begin());
}

std::size_t Search::count_before(const Row& row, std::size_t place) const {
  return static_cast<std::size_t>(
      std::ranges::lower_bound(row.halves, place, {},
                               [&](Half h) { return std::size_t{graph_[event_of(h)].place}; }) -
      row.halves.begin());
}

}  // namespace

bool seq_cst_without_fences(const ExecutionGraph& graph, std::span<const NodeId> changed) {
  std::vector<NodeId> start;
  for (NodeId e : changed)
    if (is_memory(graph[e].label.kind) && orders_of(graph[e]).seq_cst) start.push_back(e);
  if (start.empty()) return true;
  Search search(graph);
  for (NodeId e : start)
    for (Half h = 2 * e; h <= 2 * e + (graph[e].role == Role::kUpdate ? 1 : 0); ++h)
      if (search.finds_cycle(h)) return false;
  return true;
}

}  // namespace mazur
