#include "graph/parts.h"

#include <algorithm>

#include "graph/barriers.h"
#include "graph/graph.h"
#include "trace/fields.h"

namespace mazur {
namespace {

// More threads than any machine has: clocks have an entry for each.
constexpr ThreadId kThreadsOfClocks = 4096;

// Whether an event's own fields make sense, and name events that are there.
bool is_sound(const Node& n, NodeId size) {
  const auto is_event = [size](NodeId e) { return e < size || e == kNoNode; };
  const auto is_store = [size](NodeId e) { return e < size || e == kInitialStore; };
  if (n.thread >= kThreadsOfClocks || n.choice >= n.ways || n.label.kind > kLastKind) return false;
  if (n.label.kind == OpKind::kCreate && child_of(n.label) >= kThreadsOfClocks) return false;
  if (reads(n.role) ? !is_store(n.source) : !is_event(n.source) && !is_store(n.source))
    return false;
  if (n.label.kind == OpKind::kCondWait ? !is_store(n.held_source) : n.held_source != kNoNode)
    return false;
  return is_event(n.after);
}

bool is_permutation(const std::vector<NodeId>& order, std::size_t size) {
  if (order.size() != size) return false;
  std::vector<bool> seen(size, false);
  for (NodeId e : order) {
    if (e >= size || seen[e]) return false;
    seen[e] = true;
  }
  return true;
}

}  // namespace

GraphParts ExecutionGraph::parts() const {
  GraphParts parts{.nodes = nodes_, .order = order_, .locations = {}};
  std::vector<bool> seen(states_.size(), false);
  const auto look = [&](LocationId x, NodeId witness, bool held) {
    if (x == kNoLocation || x >= states_.size() || seen[x]) return;
    seen[x] = true;
    parts.locations.push_back(
        {witness, held, states_[x].initial, states_[x].stores, states_[x].loads});
  };
  for (NodeId e = 0; e < size(); ++e) {
    look(nodes_[e].location, e, false);
    look(nodes_[e].held, e, true);
  }
  return parts;
}

bool ExecutionGraph::assemble(const GraphParts& parts) {
  nodes_.clear();
  order_.clear();
  states_.clear();
  last_.clear();
  creation_.clear();
  count_.clear();
  clocks_.clear();
  stride_ = 0;
  const auto size = static_cast<NodeId>(parts.nodes.size());
  if (!is_permutation(parts.order, size)) return false;
  for (const Node& n : parts.nodes)
    if (!is_sound(n, size)) return false;
  nodes_ = parts.nodes;
  // Stamps do not extend program order: a revisited load has an early one. The order does.
  std::vector<bool> was_run(size, false);
  const auto has_run = [&](NodeId e) { return e >= kNoNode || was_run[e]; };
  for (NodeId e : parts.order) {
    Node& n = nodes_[e];
    make_room(n.thread);
    n.place = count_[n.thread]++;
    n.before = last_of(n.thread);
    last_[n.thread] = e;
    if (!has_run(n.source) || !has_run(n.after) || !has_run(n.held_source)) return false;
    if (n.label.kind == OpKind::kBarrierDepart && arrivals_commute()) {
      bool all_run = true;
      const auto arrived =
          for_each_arrival(*this, n.label, [&](NodeId a) { all_run = all_run && was_run[a]; });
      if (!all_run || arrived != capacity(n.label)) return false;
    }
    was_run[e] = true;
    if (n.label.kind != OpKind::kCreate) continue;
    make_room(child_of(n.label));
    if (child_of(n.label) == n.thread || last_of(child_of(n.label)) != kNoNode) return false;
    creation_[child_of(n.label)] = e;
  }
  order_ = parts.order;
  if (!take_locations(parts)) return false;
  clocks_.assign(nodes_.size() * rows() * stride_, 0);
  for (NodeId e : order_) compute_clocks(e);
  return true;
}

// Each location must list just the events that access it, each update behind what it reads.
bool ExecutionGraph::take_locations(const GraphParts& parts) {
  for (Node& n : nodes_) {
    place(n);
    n.rank = n.held_rank = 0;
    if ((n.role != Role::kNone && n.location == kNoLocation) || is_wide(n.location)) return false;
  }
  std::vector<unsigned> listed(nodes_.size(), 0);
  for (const GraphParts::Location& l : parts.locations) {
    if (l.witness >= size()) return false;
    const LocationId x = l.held ? nodes_[l.witness].held : nodes_[l.witness].location;
    if (x == kNoLocation) return false;
    State& s = state(x);
    if (!s.stores.empty() || !s.loads.empty()) return false;
    for (NodeId e : l.stores) {
      if (e >= size()) return false;
      const bool own = nodes_[e].location == x && writes(nodes_[e].role);
      if (!own && nodes_[e].held != x) return false;
      ++listed[e];
    }
    for (NodeId e : l.loads) {
      if (e >= size() || nodes_[e].location != x || nodes_[e].role != Role::kLoad) return false;
      ++listed[e];
    }
    s.initial = l.initial;
    s.stores = l.stores;
    s.loads = l.loads;
    renumber(x, 0);
  }
  const auto stands_behind = [&](LocationId x, NodeId e, NodeId source) {
    const auto all = stores(x);
    const std::uint32_t rank = rank_in(x, e);
    if (rank >= all.size() || all[rank] != e) return false;
    return rank == 0 ? source == kInitialStore : all[rank - 1] == source;
  };
  for (NodeId e = 0; e < size(); ++e) {
    const Node& n = nodes_[e];
    const unsigned times = (n.role != Role::kNone ? 1 : 0) + (n.held != kNoLocation ? 1 : 0);
    if (listed[e] != times) return false;
    if (reads(n.role) && n.source != kInitialStore) {
      const Node& source = nodes_[n.source];
      const bool wrote =
          (source.location == n.location && writes(source.role)) || source.held == n.location;
      if (!wrote) return false;
    }
    if (n.role == Role::kUpdate && !stands_behind(n.location, e, n.source)) return false;
    if (n.held != kNoLocation && !stands_behind(n.held, e, n.held_source)) return false;
  }
  return true;
}

}  // namespace mazur
