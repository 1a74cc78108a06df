#include "check/minimise/followed_graph.h"

#include <algorithm>
#include <stdexcept>

#include "base/hash.h"
#include "graph/effect.h"
#include "graph/models/consistency.h"

namespace mazur {
namespace {

// The store that a step has named, or kNoNode if it is none that this node could read.
NodeId source_of(const ExecutionGraph& graph, const Node& n, StoreRef ref) {
  if (ref == kNewest || !is_cell(n.label)) return source_when_run(graph, n);
  if (ref == kNoStore) return kInitialStore;
  const bool is_store =
      ref < graph.size() && writes(graph[ref].role) && graph[ref].location == n.location;
  return is_store ? NodeId{ref} : kNoNode;
}

// Events are known by their threads, because the order of others may differ.
std::uint64_t name_of(const ExecutionGraph& graph, NodeId e) {
  if (e >= kNoNode) return e;
  return mixed(mixed(kHashSeed, graph[e].thread), graph[e].place);
}

}  // namespace

void FollowedGraph::restart() {
  graph_ = ExecutionGraph(locations_, graph_.model());
  lost_ = false;
}

bool FollowedGraph::add(const Event& event, const Operation& pending, std::uint32_t rank) try {
  if (lost_) return event.label.ref == kNewest;
  Node n = graph_.prepare(event.thread, pending, event.label.epoch);
  n.choice = event.choice;
  n.ways = event.ways;
  n.label = event.label;
  n.label.order = pending.order;
  n.role = role_of(event.label);
  n.learnt = true;
  const StoreRef ref = event.label.ref;
  n.source = source_of(graph_, n, ref);
  if (reads(n.role)) {
    if (n.source == kNoNode) return false;
    if (n.role == Role::kUpdate && ref != kNewest && graph_.taker(n.location, n.source) != kNoNode)
      return false;
  }
  const NodeId e = graph_.add(n);
  graph_.learn_initial(e);
  if (ref == kNewest) return true;  // every model allows that
  return n.role == Role::kStore ? place_behind(e, rank) : consistent_with(e);
} catch (const std::logic_error&) {
  lost_ = true;
  return event.label.ref == kNewest;
}

bool FollowedGraph::consistent_with(NodeId e) {
  const NodeId changed[] = {e};
  return make_consistent(graph_, changed);
}

bool FollowedGraph::place_behind(NodeId e, std::uint32_t rank) {
  const LocationId x = graph_[e].location;
  for (std::uint32_t r = graph_[e].rank; r-- > 0;) {
    if (rank != Said::kSomewhere && rank != r) continue;
    // An update stays with what it reads.
    if (graph_[graph_.stores(x)[r]].role == Role::kUpdate) continue;
    graph_.move(e, r);
    if (consistent_with(e)) return true;
    graph_.move(e, static_cast<std::uint32_t>(graph_.stores(x).size() - 1));
  }
  return false;
}

std::vector<Said> FollowedGraph::others() {
  std::vector<Said> all;
  if (lost_ || graph_.size() == 0) return all;
  const NodeId e = graph_.size() - 1;
  const Node n = graph_[e];
  if (!is_cell(n.label)) return all;
  const auto newest = static_cast<std::uint32_t>(graph_.stores(n.location).size());
  if (n.role == Role::kStore) {
    for (std::uint32_t r = n.rank; r-- > 0;) {
      const NodeId behind = graph_.stores(n.location)[r];
      if (knows(graph_, n.location, behind, n.before)) break;
      if (graph_[behind].role == Role::kUpdate) continue;
      graph_.move(e, r);
      if (consistent_with(e)) all.push_back({kBehind, r});
      graph_.move(e, newest - 1);
    }
    return all;
  }
  for (NodeId source = n.source; !knows(graph_, n.location, source, n.before);) {
    const std::uint32_t rank = graph_.rank_in(n.location, source);
    source = rank == 0 ? kInitialStore : graph_.stores(n.location)[rank - 1];
    const Effect effect = effect_after(graph_, n, source);
    if (effect != Effect::kLoad && effect != Effect::kUpdate) continue;
    const NodeId taker = graph_.taker(n.location, source);
    if (effect == Effect::kUpdate && taker != kNoNode && taker != e) continue;
    graph_.read_from(e, source, effect == Effect::kUpdate ? Role::kUpdate : Role::kLoad);
    if (consistent_with(e)) all.push_back({source == kInitialStore ? kNoStore : source});
    graph_.read_from(e, n.source, n.role);
  }
  return all;
}

std::uint64_t FollowedGraph::name() const {
  std::uint64_t sum = 0;
  for (NodeId e = 0; e < graph_.size(); ++e) {
    const Node& n = graph_[e];
    std::uint64_t hash = mixed(name_of(graph_, e), n.choice);
    if (reads(n.role)) hash = mixed(hash, name_of(graph_, n.source));
    if (writes(n.role)) hash = mixed(hash, n.rank);
    if (n.held != kNoLocation) hash = mixed(hash, n.held_rank);
    sum += mixed_well(kHashSeed, hash);
  }
  return sum;
}

}  // namespace mazur
