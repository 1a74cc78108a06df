#include "explore/graph/search.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "graph/barriers.h"
#include "graph/effect.h"
#include "graph/models/consistency.h"
#include "graph/revisits.h"
#include "graph/wide.h"
#include "trace/atomic_block/block.h"
#include "trace/operation_name.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

using Kind = Alternative::Kind;

[[noreturn]] void diverged(const Event& event, const char* what) {
  throw std::logic_error("an operation that was run again did something else: " +
                         std::string(operation_name(event.label.kind)) + " of thread " +
                         std::to_string(event.thread) + ", " + what);
}

// Whether an event is the one that the graph has, apart from its results. What a block touches is
// one of its results. So is the epoch of what blocks touch: to machines they write without a store.
bool is_same_operation(const ExecutionGraph& graph, const Node& n, const Event& event) {
  const Label& l = event.label;
  if (n.thread != event.thread || n.choice != event.choice || n.label.kind != l.kind) return false;
  if (l.kind == OpKind::kAtomicBlock && !n.learnt) return true;
  return n.label.object == l.object && n.label.object2 == l.object2 && n.label.size == l.size &&
         (n.label.epoch == l.epoch || graph.is_wide(n.location));
}

// Whether an event has read what the graph says. If not, memory has been changed by something that
// is no event.
bool has_read_its_source(const ExecutionGraph& graph, NodeId e) {
  const Node& n = graph[e];
  if (n.label.kind == OpKind::kReceive && n.label.success)
    return n.source < graph.size() && taken_message(n.label) == sent_message(graph[n.source].label);
  if (!is_memory(n.label.kind) || !reads(n.role)) return true;
  if (graph.is_wide(n.location)) return true;  // its source may be about something else
  // Of the flag of a one-time initialisation a load reads the first byte.
  const std::uint64_t bytes = ~std::uint64_t{0} >> (64 - 8 * std::clamp(n.label.size, 1u, 8u));
  if (n.source == kInitialStore) return n.label.read == (graph.initial_value(n.location) & bytes);
  return !graph[n.source].learnt || n.label.read == (graph[n.source].label.written & bytes);
}

// The epoch of what an operation waits for. Somebody has made it wait.
std::uint16_t epoch_of(const ExecutionGraph& graph, const Operation& op) {
  if (!is_once(op.kind)) return 0;
  for (NodeId e = graph.size(); e-- > 0;)
    if (is_once(graph[e].label.kind) && graph[e].label.object == op.object)
      return graph[e].label.epoch;
  return 0;
}

// How many had arrived before is no result of an arrival that commutes with those.
bool has_same_results(const Node& n, const Label& b) {
  const Label& a = n.label;
  const bool commutes = a.kind == OpKind::kBarrierArrive && n.location == kNoLocation;
  return (commutes || a.read == b.read) && a.written == b.written && a.success == b.success;
}

Role role_in(const ExecutionGraph& graph, const Node& n) {
  if (n.label.kind == OpKind::kBarrierArrive && n.location == kNoLocation) return Role::kNone;
  return graph.is_wide(n.location) ? wide_role_of(n.label.kind) : role_of(n.label);
}

}  // namespace

// What a block has touched is known now. False: that is not what the graph is made for.
bool GraphSearch::look_at_block(Node& n) {
  if (n.label.kind == OpKind::kAtomicBlock) {
    for (const Access& a : block_table.accesses(n.label)) locations_.cover(a);
    n.left_locked = mutexes_left_locked(n.label);
  }
  return !locations_.outdated();
}

void GraphSearch::start_over() {
  weight_ = 1;
  explored_ = 0;
  base_ = 0;
  noted_ = 0;
  locations_.start_over();
  frames_.clear();
  frames_.push_back({.graph = ExecutionGraph(locations_, model_)});
}

void GraphSearch::add(const Event& event, const Operation& pending) {
  ExecutionGraph& graph = frame().graph;
  Node n = graph.prepare(event.thread, pending, event.label.epoch);
  n.choice = event.choice;
  n.ways = event.ways;
  n.label = event.label;
  n.label.order = pending.order;
  n.role = role_in(graph, n);
  n.learnt = true;
  if (!look_at_block(n)) return;
  n.source = source_when_run(graph, n);
  const NodeId e = graph.add(n);
  if (graph.arrivals_commute() && orders_arrivals(graph, e)) return locations_.order_arrivals();
  graph.learn_initial(e);
  if (!has_read_its_source(graph, e)) diverged(event, "its memory was changed by nobody");
  for (std::uint16_t c = event.ways; c-- > 1;)
    frame().todo.push_back(
        {.kind = Kind::kOutcome, .choice = c, .event = e, .size = e + 1, .kept = e + 1});
  if (reads(n.role) || (n.label.kind == OpKind::kReceive && n.label.timed)) note_sources(e);
  if (n.role == Role::kStore) note_places(e);
  if (writes(n.role)) note_revisits(e, e + 1);
}

// The other stores that a new load or update could read, and that a receive which has taken a
// message could find no message after.
void GraphSearch::note_sources(NodeId e) {
  ExecutionGraph& graph = frame().graph;
  const Node n = graph[e];
  NodeId source = n.source;
  while (!knows(graph, n.location, source, n.before)) {
    const std::uint32_t rank = graph.rank_in(n.location, source);
    source = rank == 0 ? kInitialStore : graph.stores(n.location)[rank - 1];
    const Effect effect = effect_after(graph, n, source);
    if (effect == Effect::kBlocked || effect == Effect::kNever) continue;
    const NodeId taker = graph.taker(n.location, source);
    if (effect == Effect::kUpdate && taker != kNoNode && taker != e)
      note_hypothetical(n, source, e);
    else
      frame().todo.push_back(
          {.kind = Kind::kRead, .event = e, .store = source, .size = e + 1, .kept = e + 1});
  }
}

// The other places of a new store: none before one that it knows, none between an update and what
// that reads.
void GraphSearch::note_places(NodeId e) {
  ExecutionGraph& graph = frame().graph;
  const LocationId x = graph[e].location;
  for (std::uint32_t rank = graph[e].rank; rank-- > 0;) {
    const NodeId behind = graph.stores(x)[rank];
    if (knows(graph, x, behind, graph[e].before)) break;
    if (graph[behind].role != Role::kUpdate)
      frame().todo.push_back(
          {.kind = Kind::kPlace, .event = e, .rank = rank, .size = e + 1, .kept = e + 1});
  }
}

void GraphSearch::note_revisits(NodeId e, NodeId size) {
  const ExecutionGraph& graph = frame().graph;
  const Node& n = graph[e];
  for_each_revisit(
      graph, size, e, n.location, n.held, graph.past(e), [&](NodeId r, NodeId deleted) {
        frame().todo.push_back(
            {.kind = Kind::kRevisit, .event = r, .store = e, .size = size, .kept = size - deleted});
      });
}

// The update would read a store that another one has taken. It cannot, unless that one is revisited
// or deleted for it.
void GraphSearch::note_hypothetical(const Node& update, NodeId source, NodeId size) {
  const ExecutionGraph& graph = frame().graph;
  const NodeId taker = graph.taker(update.location, source);
  graph.hypothetical_past(update, source, past_);
  if (taker == kNoNode || graph.in(taker, past_.data())) return;
  const std::uint16_t ways = ways_after(graph, update, source);
  std::size_t number = frame().updates.size();
  bool noted = false;
  for_each_revisit(graph, size, kNoNode, update.location, update.held, past_.data(),
                   [&](NodeId r, NodeId deleted) {
                     if (r > taker) return;
                     noted = true;
                     for (std::uint16_t c = 0; c < ways; ++c)
                       frame().todo.push_back({.kind = Kind::kHypothetical,
                                               .choice = c,
                                               .event = r,
                                               .store = static_cast<NodeId>(number),
                                               .size = size,
                                               .kept = size - deleted + 1});
                   });
  if (!noted) return;
  Node u = update;
  u.source = source;
  u.role = Role::kUpdate;
  u.ways = ways;
  u.learnt = false;
  frame().updates.push_back(u);
}

void GraphSearch::stuck(const Frontier& frontier) {
  ExecutionGraph& graph = frame().graph;
  for (const Pending& p : frontier.threads()) {
    if (p.enabled || p.op.kind == OpKind::kNever || p.op.kind == OpKind::kJoin ||
        p.op.kind == OpKind::kBarrierDepart || p.op.kind == OpKind::kFutexWoken ||
        p.op.kind == OpKind::kReceive || is_waiting_round(p.op))
      continue;
    const Node n = graph.prepare(p.thread, p.op, epoch_of(graph, p.op));
    if (locations_.outdated()) return;
    bool needs = false;
    if (awaited(graph, n, needs) == kNoNode && needs) continue;
    for (std::size_t i = graph.stores(n.location).size() + 1; i-- > 0;) {
      const NodeId source = i == 0 ? kInitialStore : graph.stores(n.location)[i - 1];
      const Effect effect = effect_after(graph, n, source);
      if (effect == Effect::kUpdate) note_hypothetical(n, source, graph.size());
      if (effect == Effect::kLoad)
        throw std::logic_error("an operation waits although it need not");
    }
  }
}

bool GraphSearch::learn(std::size_t place, const Event& event) {
  ExecutionGraph& graph = frame().graph;
  const NodeId e = graph.order()[place];
  Node& n = graph.node(e);
  if (!is_same_operation(graph, n, event)) diverged(event, "another one");
  if (n.learnt) {
    if (!has_same_results(n, event.label)) diverged(event, "with another result");
    return true;
  }
  n.learnt = true;
  if (n.ways != event.ways) diverged(event, "with other outcomes");
  const std::uint8_t order = n.label.order;
  n.label = event.label;
  n.label.order = order;
  if (!look_at_block(n)) return false;
  const Role actual = role_in(graph, n);
  if (!has_read_its_source(graph, e)) diverged(event, "its memory was changed by nobody");
  if (actual == n.role) {
    graph.compute_clocks(e);
    return true;
  }
  // It was not known what it would find. Nothing comes after it in its thread.
  if (e != frame().revisited || actual == Role::kLoad) diverged(event, "with another effect");
  graph.read_from(e, n.source, actual);
  if (actual == Role::kNone) return true;  // a receive: it adds no edge, and takes some away
  // Nobody else reads its source, so its store adds no edge that its load did not have, but for the
  // axiom of seq_cst, which counts co and not rf. The order stays as it is being run.
  const NodeId changed[] = {e};
  if (graph.model() == MemoryModel::kCpp20 && !consistent_cpp20(graph, changed)) return false;
  note_revisits(e, graph.size());
  return true;
}

bool GraphSearch::next() {
  share_weight();
  explored_ += std::exchange(weight_, 0);
  for (;;) {
    while (frame().todo.empty()) {
      pop_frame();
      if (frames_.empty()) return false;
    }
    const Alternative a = frame().todo.back();
    frame().todo.pop_back();
    if (a.kind == Kind::kRevisit || a.kind == Kind::kHypothetical) {
      revisit(a);
      continue;
    }
    const std::size_t noted = frame().todo.size();
    if (apply(a)) {
      begin_graph(a, noted);
      return true;
    }
    explored_ += a.weight;
  }
}

bool GraphSearch::apply(const Alternative& a) {
  if (a.kind == Kind::kVariant) return apply_variant(a);
  if (a.kind == Kind::kGoOn) return true;
  ExecutionGraph& graph = frame().graph;
  graph.cut(a.size);
  Node& n = graph.node(a.event);
  n.max = false;
  const NodeId changed[] = {a.event};
  switch (a.kind) {
    case Kind::kRead:
      n.learnt = false;
      graph.read_from(a.event, a.store, role_after(effect_after(graph, n, a.store)));
      break;
    case Kind::kPlace:
      graph.move(a.event, a.rank);
      break;
    default:
      n.learnt = false;
      n.choice = a.choice;
      break;
  }
  if (a.kind != Kind::kOutcome && !make_consistent(graph, changed)) return false;
  if (graph[a.event].role == Role::kUpdate) note_revisits(a.event, a.size);
  return true;
}

}  // namespace mazur
