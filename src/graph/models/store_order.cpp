#include "graph/models/store_order.h"

#include <algorithm>

#include "graph/barriers.h"
#include "graph/communication.h"
#include "graph/effect.h"

namespace mazur {
namespace {

// What an event is to its thread's store buffer.
enum class Buffer : std::uint8_t {
  kNothing,       // it does not touch memory
  kStore,         // goes into the buffer
  kReleaseStore,  // pso: a barrier for stores, then a store
  kScStore,       // likewise; and what comes later waits until it has reached memory
  kLoad,          // does not wait for the buffer
  kReleaseFence,  // pso: stores behind it wait for those in front of it
  kDrain,         // waits until the buffer is empty
};

Buffer buffer_of(const Node& n) {
  const Orders orders = orders_of(n);
  if (is_memory(n.label.kind) && !is_cell(n.label)) return Buffer::kDrain;
  switch (n.label.kind) {
    case OpKind::kStore:
      if (orders.seq_cst) return Buffer::kScStore;
      return orders.release ? Buffer::kReleaseStore : Buffer::kStore;
    case OpKind::kLoad:
      return Buffer::kLoad;
    case OpKind::kFence:
      if (orders.seq_cst) return Buffer::kDrain;
      return orders.release ? Buffer::kReleaseFence : Buffer::kNothing;
    case OpKind::kChoose:
    case OpKind::kYield:
    case OpKind::kExit:
      return Buffer::kNothing;
    default:
      return Buffer::kDrain;
  }
}

// The events of each thread, in program order.
std::vector<std::vector<NodeId>> by_thread(const ExecutionGraph& graph) {
  std::vector<std::vector<NodeId>> threads(graph.threads());
  for (NodeId e = 0; e < graph.size(); ++e) {
    std::vector<NodeId>& all = threads[graph[e].thread];
    if (all.size() <= graph[e].place) all.resize(graph[e].place + std::size_t{1});
    all[graph[e].place] = e;
  }
  return threads;
}

// No thread sees the stores of a location in another order than theirs.
bool is_coherent(const ExecutionGraph& graph, const std::vector<NodeId>& thread) {
  std::vector<std::pair<LocationId, std::uint32_t>> seen;  // how many stores of each
  for (NodeId e : thread) {
    const Node& n = graph[e];
    if (n.role == Role::kNone) continue;
    auto at = std::ranges::find(seen, n.location, &std::pair<LocationId, std::uint32_t>::first);
    if (at == seen.end()) at = seen.insert(seen.end(), {n.location, 0});
    const std::uint32_t now = reads(n.role) ? graph.rank_after(n.location, n.source) : n.rank;
    if (now < at->second) return false;
    at->second = writes(n.role) ? n.rank + 1 : now;
  }
  return true;
}

class GlobalOrder {
 public:
  GlobalOrder(const ExecutionGraph& graph, StoreOrder stores)
      : graph_(graph), stores_(stores), preserved_(graph.size()), at_end_(graph.threads()) {}

  void preserve(const std::vector<NodeId>& thread);
  bool is_acyclic() const;

 private:
  template <typename Visit>
  void for_each_predecessor(NodeId e, const Communication& communication, Visit&& visit) const;

  const ExecutionGraph& graph_;
  StoreOrder stores_;
  std::vector<std::vector<NodeId>> preserved_;  // what ppo has before each event, not all of it
  std::vector<std::vector<NodeId>> at_end_;     // what the end of a thread waits for
};

void GlobalOrder::preserve(const std::vector<NodeId>& thread) {
  if (thread.empty()) return;
  // The last event that all later ones come after: at first, the thread's creation.
  NodeId ordered = graph_[thread.front()].before;
  std::vector<NodeId> buffered;  // stores since, but one for each location, or for all
  std::vector<NodeId> barred;    // of these, the ones that later stores do not pass
  NodeId fence = kNoNode;        // the last release fence since
  for (NodeId e : thread) {
    const Buffer buffer = buffer_of(graph_[e]);
    if (buffer == Buffer::kNothing) continue;
    std::vector<NodeId>& before = preserved_[e];
    const auto same_location = [&](NodeId s) {
      return stores_ == StoreOrder::kAll || graph_[s].location == graph_[e].location;
    };
    if (ordered != kNoNode) before.push_back(ordered);
    const bool all = buffer == Buffer::kDrain || buffer == Buffer::kReleaseStore ||
                     buffer == Buffer::kScStore || buffer == Buffer::kReleaseFence;
    if (buffer != Buffer::kLoad)
      for (NodeId s : buffered)
        if (all || same_location(s)) before.push_back(s);
    if (buffer == Buffer::kReleaseStore) barred = buffered;
    if (buffer != Buffer::kLoad) before.insert(before.end(), barred.begin(), barred.end());
    if (buffer != Buffer::kLoad && fence != kNoNode) before.push_back(fence);
    switch (buffer) {
      case Buffer::kStore:
      case Buffer::kReleaseStore:
        std::erase_if(buffered, same_location);
        buffered.push_back(e);
        break;
      case Buffer::kReleaseFence:
        fence = e;
        break;
      case Buffer::kLoad:
        ordered = e;
        break;
      default:
        ordered = e;
        buffered.clear();
        barred.clear();
        fence = kNoNode;
        break;
    }
  }
  std::vector<NodeId>& end = at_end_[graph_[thread.back()].thread];
  end = buffered;
  if (ordered != kNoNode) end.push_back(ordered);
}

template <typename Visit>
void GlobalOrder::for_each_predecessor(NodeId e, const Communication& communication,
                                       Visit&& visit) const {
  const Node& n = graph_[e];
  for (NodeId p : preserved_[e]) visit(p);
  communication.for_each_overwritten(e, visit);
  if (n.source < graph_.size() && graph_[n.source].thread != n.thread) visit(n.source);
  if (n.held_source < graph_.size()) visit(n.held_source);
  if (n.label.kind == OpKind::kJoin)
    for (NodeId p : at_end_[child_of(n.label)]) visit(p);
  if (n.label.kind == OpKind::kBarrierDepart && graph_.arrivals_commute())
    for_each_arrival(graph_, n.label, visit);
  if (n.after < graph_.size() && buffer_of(graph_[n.after]) == Buffer::kDrain) visit(n.after);
}

bool GlobalOrder::is_acyclic() const {
  enum : std::uint8_t { kNew, kOpen, kDone };
  const Communication communication(graph_);
  std::vector<std::uint8_t> state(graph_.size(), kNew);
  std::vector<NodeId> stack;
  for (NodeId root = 0; root < graph_.size(); ++root) {
    if (state[root] == kNew) stack.push_back(root);
    while (!stack.empty()) {
      const NodeId e = stack.back();
      if (state[e] != kNew) {
        stack.pop_back();
        state[e] = kDone;
        continue;
      }
      state[e] = kOpen;
      bool cycle = false;
      for_each_predecessor(e, communication, [&](NodeId p) {
        if (state[p] == kDone) return;
        cycle = cycle || state[p] == kOpen;
        stack.push_back(p);
      });
      if (cycle) return false;
    }
  }
  return true;
}

}  // namespace

bool is_consistent(const ExecutionGraph& graph, StoreOrder stores) {
  GlobalOrder order(graph, stores);
  for (const std::vector<NodeId>& thread : by_thread(graph)) {
    if (!is_coherent(graph, thread)) return false;
    order.preserve(thread);
  }
  return order.is_acyclic();
}

}  // namespace mazur
