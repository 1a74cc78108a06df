#include "graph/orders/recorded.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "graph/effect.h"
#include "graph/models/consistency.h"

namespace mazur {
namespace {

// Clocks need memory in proportion to the product.
constexpr std::size_t kMostEvents = 2000;
constexpr std::size_t kMostThreads = 256;
// About as many simple operations, for all questions about one execution: a second or two.
constexpr std::uint64_t kMostWork = 1'000'000'000;

[[noreturn]] void refuse() { throw std::logic_error("the execution is none that graphs are for"); }

bool is_cell(const Node& n) { return mazur::is_cell(n.label) || is_once(n.label.kind); }

// Whether a load or update reads nothing that is older than what its thread knows.
bool may_read(const ExecutionGraph& graph, NodeId e) {
  const Node& n = graph[e];
  return std::ranges::none_of(
      graph.stores(n.location).subspan(graph.rank_after(n.location, n.source)),
      [&](NodeId s) { return s != e && knows(graph, n.location, s, n.before); });
}

}  // namespace

Label with_order(Label label, std::uint8_t order) {
  if (label.order == order) return label;
  label.order = order;
  if (label.kind != OpKind::kCas) return label;
  const bool acquires =
      order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL;
  const Comparison failure = as_failure_order(acquires                    ? __ATOMIC_ACQUIRE
                                              : order == __ATOMIC_SEQ_CST ? __ATOMIC_SEQ_CST
                                                                          : __ATOMIC_RELAXED);
  label.comparison = std::max(label.comparison, failure);
  return label;
}

RecordedExecution::RecordedExecution(std::span<const Event> events, MemoryModel model)
    : model_(model), left_(kMostWork) {
  if (events.size() > kMostEvents) refuse();
  ExecutionGraph graph(locations_, model);
  std::vector<NodeId> newest;  // by location: the store that memory holds
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const Label& label = event.label;
    if (event.thread >= kMostThreads ||
        (label.kind == OpKind::kCreate && child_of(label) >= kMostThreads))
      refuse();
    threads_ = std::max<std::uint64_t>(threads_, event.thread + std::uint64_t{1});
    // Who wakes up has waited.
    const NodeId last = graph.last_of(event.thread);
    if ((label.kind == OpKind::kCondWake || label.kind == OpKind::kFutexWoken) &&
        (last == kNoNode || graph[last].label.kind != OpKind::kCondWait))
      refuse();
    Node n = graph.prepare(event.thread, label, label.epoch);
    n.label = label;
    n.role = role_of(label);
    if (n.role != Role::kNone && n.location == kNoLocation) refuse();
    n.choice = event.choice;
    n.learnt = true;
    if (is_cell(n))
      n.source = source_of(i, n, newest);
    else
      n.source = source_when_run(graph, n);
    nodes_.push_back(n);
    graph.add(n);
  }
}

// What an access reads, as the machine has run it. Notes what memory holds then.
NodeId RecordedExecution::source_of(std::size_t event, const Node& node,
                                    std::vector<NodeId>& newest) const {
  if (node.location >= newest.size()) newest.resize(node.location + std::size_t{1}, kInitialStore);
  NodeId& held = newest[node.location];
  const StoreRef ref = node.label.ref;
  NodeId source = kNoNode;
  if (reads(node.role)) {
    source = ref == kNewest ? held : ref == kNoStore ? kInitialStore : NodeId{ref};
    if (source != kInitialStore && (source >= event || !writes(nodes_[source].role) ||
                                    nodes_[source].location != node.location))
      refuse();
  }
  const bool behind = node.role == Role::kStore ? ref == kBehind : source != held;
  if (writes(node.role) && !behind) held = static_cast<NodeId>(event);
  return source;
}

// What consistency costs at most: mainly the axiom of seq_cst, where fences look at all pairs.
std::uint64_t RecordedExecution::cost_of_look(std::span<const std::uint8_t> orders) const {
  std::uint64_t fences = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (is_fence(nodes_[i]) && orders[i] == __ATOMIC_SEQ_CST) ++fences;
  const std::uint64_t all = 2 * nodes_.size();
  return all * all * threads_ + fences * fences * all * all + fences * all * all;
}

RecordedExecution::Answer RecordedExecution::ask(std::span<const std::uint8_t> orders) {
  ExecutionGraph graph(locations_, model_);
  std::vector<Place> places;
  std::vector<NodeId> all(nodes_.size());
  std::iota(all.begin(), all.end(), NodeId{0});
  const std::uint64_t cost = cost_of_look(orders);
  for (;;) {
    if (left_ < cost) return Answer::kUnknown;
    left_ -= cost;
    if (extend(graph, orders, places) && make_consistent(graph, all)) return Answer::kAllowed;
    if (!retreat(graph, places)) return Answer::kForbidden;
  }
}

// Adds the events that are missing, new stores as the newest ones. False: one cannot be added.
bool RecordedExecution::extend(ExecutionGraph& graph, std::span<const std::uint8_t> orders,
                               std::vector<Place>& places) const {
  for (std::size_t i = graph.size(); i < nodes_.size(); ++i) {
    Node n = nodes_[i];
    n.label = with_order(n.label, orders[i]);
    // The execution that it is taken from had one update at most of each store.
    if (is_cell(n) && n.role == Role::kUpdate && graph.taker(n.location, n.source) != kNoNode)
      return false;
    const NodeId e = graph.add(n);
    if (n.role == Role::kStore)
      places.push_back({e, graph[e].rank});
    else if (is_cell(n) && reads(n.role) && !may_read(graph, e))
      return false;
  }
  return true;
}

// Takes back what came after the last store that has another place left, and moves it there.
bool RecordedExecution::retreat(ExecutionGraph& graph, std::vector<Place>& places) {
  for (; !places.empty(); places.pop_back()) {
    Place& last = places.back();
    graph.cut(last.store + 1);
    const Node& n = graph[last.store];
    for (std::uint32_t rank = last.rank; rank > 0; --rank) {
      const NodeId behind = graph.stores(n.location)[rank - 1];
      if (knows(graph, n.location, behind, n.before)) break;
      if (graph[behind].role == Role::kUpdate) continue;  // it stays with what it reads
      graph.move(last.store, rank - 1);
      last.rank = rank - 1;
      return true;
    }
  }
  return false;
}

}  // namespace mazur
