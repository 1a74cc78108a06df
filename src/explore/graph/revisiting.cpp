// Revisits: a new frame begins with what stays of a graph, and with the store that is read instead.
#include <utility>

#include "explore/graph/search.h"
#include "graph/effect.h"
#include "graph/models/consistency.h"

namespace mazur {
namespace {

using Kind = Alternative::Kind;

// Whether r waits after the update w whatever else is in the graph: who wants a mutex does, after
// another one that takes it. effect_after() knows the other cases, but needs the graph for that.
bool waits_again(const ExecutionGraph& graph, NodeId r, const Node& w) {
  const auto takes = [](OpKind kind) { return kind == OpKind::kLock || kind == OpKind::kCondWake; };
  return takes(graph[r].label.kind) && (takes(w.label.kind) || w.label.kind == OpKind::kTryLock) &&
         w.role == Role::kUpdate && !graph.is_wide(graph[r].location);
}

}  // namespace

// A new frame begins with the graph of what stays.
void GraphSearch::revisit(const Alternative& a) {
  const ExecutionGraph& old = frame().graph;
  Node update;
  if (a.kind == Kind::kHypothetical) {
    frame().updates.resize(a.store + std::size_t{1});
    update = frame().updates.back();
    update.choice = a.choice;
    old.hypothetical_past(update, update.source, past_);
  } else {
    past_.assign(old.past(a.store), old.past(a.store) + old.threads());
  }
  const bool waits =
      waits_again(old, a.event, a.kind == Kind::kHypothetical ? update : old[a.store]);
  renamed_.assign(old.size(), kNoNode);
  NodeId kept = 0;
  for (NodeId e = 0; e < a.size; ++e)
    if (e == a.event ? !waits : e < a.event || old.in(e, past_.data())) renamed_[e] = kept++;
  GraphFrame next = new_frame();
  old.part(renamed_, next.graph);
  for (NodeId e = 0; e < a.size; ++e)
    if (old.in(e, past_.data())) next.graph.node(renamed_[e]).fixed = true;
  const auto name = [&](NodeId e) { return e >= kNoNode ? e : renamed_[e]; };
  next.revisited = renamed_[a.event];
  if (a.kind != Kind::kHypothetical) {
    next.store = name(a.store);
  } else {  // it has no number yet
    update.source = name(update.source);
    update.before = name(update.before);
    update.after = name(update.after);
    update.held_source = name(update.held_source);
    update.fixed = true;
    next.store = next.graph.add(update);
  }
  note_variants(next);
  for (Alternative& v : next.todo) v.weight = a.weight / static_cast<double>(next.todo.size());
  if (next.todo.empty()) explored_ += a.weight;
  if (frame().todo.empty()) pop_frame();
  frames_.push_back(std::move(next));
}

GraphFrame GraphSearch::new_frame() {
  if (unused_.empty()) return {.graph = ExecutionGraph(locations_, model_)};
  GraphFrame frame = std::move(unused_.back());
  unused_.pop_back();
  return frame;
}

void GraphSearch::pop_frame() {
  GraphFrame last = std::move(frames_.back());
  frames_.pop_back();
  last.todo.clear();
  last.updates.clear();
  last.store = last.revisited = kNoNode;
  last.role = Role::kLoad;
  last.size = 0;
  unused_.push_back(std::move(last));
}

// All places of the store, and all outcomes of what is revisited.
void GraphSearch::note_variants(GraphFrame& next) {
  ExecutionGraph& graph = next.graph;
  const NodeId w = next.store;
  NodeId r = next.revisited;
  if (r == kNoNode) {  // it waits again, for an update, which has one place
    next.size = graph.size();
    next.todo.push_back({.kind = Kind::kVariant, .size = next.size});
    return;
  }
  const LocationId x = graph[r].location;
  // Out of the way, before the stores of x are looked at.
  graph.read_from(r, w, Role::kLoad);
  const bool is_store = graph[w].role == Role::kStore;
  const auto others = static_cast<std::uint32_t>(graph.stores(x).size() - 1);
  if (is_store) graph.move(w, others);
  const Effect effect = effect_after(graph, graph[r], w);
  std::uint16_t ways = 1;
  if (effect == Effect::kNever) return;
  if (effect == Effect::kBlocked) {  // it waits again
    renamed_.resize(graph.size());
    for (NodeId e = 0; e < graph.size(); ++e) renamed_[e] = e < r ? e : e - 1;
    renamed_[r] = kNoNode;
    GraphFrame whole = new_frame();
    std::swap(whole.graph, graph);
    whole.graph.part(renamed_, graph);
    unused_.push_back(std::move(whole));
    next.store = renamed_[w];
    next.revisited = r = kNoNode;
  } else {
    ways = ways_after(graph, graph[r], w);
    next.role = role_after(effect);
    graph.node(r).ways = ways;
    graph.node(r).learnt = false;
    graph.run_last(r);
  }
  next.size = graph.size();
  const auto note = [&](std::uint32_t rank) {
    for (std::uint16_t c = 0; c < ways; ++c)
      next.todo.push_back({.kind = Kind::kVariant, .choice = c, .rank = rank, .size = next.size});
  };
  if (!is_store) return note(graph.rank_in(x, next.store));
  for (std::uint32_t rank = 0; rank <= others; ++rank)
    if (rank == others || graph[graph.stores(x)[rank]].role != Role::kUpdate) note(rank);
}

bool GraphSearch::apply_variant(const Alternative& a) {
  ExecutionGraph& graph = frame().graph;
  const NodeId w = frame().store;
  const NodeId r = frame().revisited;
  graph.cut(a.size);
  if (r != kNoNode) graph.read_from(r, w, Role::kLoad);
  if (graph[w].role == Role::kStore) graph.move(w, a.rank);
  if (r == kNoNode) {
    const NodeId changed[] = {w};
    return make_consistent(graph, changed);
  }
  Node& n = graph.node(r);
  n.max = a.choice == 0 && graph.newest(n.location) == w;
  n.choice = a.choice;
  n.learnt = false;
  graph.read_from(r, w, frame().role);
  const NodeId changed[] = {w, r};
  if (!make_consistent(graph, changed)) return false;
  if (graph[r].role == Role::kUpdate) note_revisits(r, a.size);
  return true;
}

}  // namespace mazur
