#include "graph_census.h"

namespace mazur::model {
namespace {

// A graph of src/graph as one of the oracle.
WeakGraph as_weak_graph(const ExecutionGraph& graph) {
  WeakGraph weak;
  std::vector<int> renamed(graph.size());
  const auto name = [&](NodeId e) { return e < graph.size() ? renamed[e] : WeakGraph::kInitially; };
  for (NodeId e : graph.order()) {
    const Node& n = graph[e];
    renamed[e] = static_cast<int>(weak.items.size());
    WeakGraph::Item item{.event = {.thread = n.thread, .choice = n.choice, .label = n.label},
                         .place = n.place};
    const Touches touches = touched(n.label);
    for (std::size_t k = 0; k < touches.size(); ++k) {
      const bool reads = touches[k].how != Touched::How::kWrites;
      item.sources.push_back(reads ? name(k == 0 ? n.source : n.held_source)
                                   : WeakGraph::kInitially);
    }
    weak.items.push_back(item);
  }
  for (NodeId e = 0; e < graph.size(); ++e) {
    const Node& n = graph[e];
    const Touches touches = touched(n.label);
    for (std::size_t k = 0; k < touches.size(); ++k) {
      if (touches[k].how == Touched::How::kReads) continue;
      std::vector<int>& writers = weak.writers[touches[k].object];
      const std::uint32_t rank = k == 0 ? n.rank : n.held_rank;
      if (writers.size() <= rank) writers.resize(rank + std::size_t{1});
      writers[rank] = renamed[e];
    }
  }
  return weak;
}

}  // namespace

GraphCensus::GraphCensus(const Explorer& explorer, WeakGraph::Arrivals arrivals)
    : explorer_(dynamic_cast<const GraphExplorer&>(explorer)), arrivals_(arrivals) {}

void GraphCensus::started_over() {
  names.clear();
  sequence.clear();
  explored.clear();
}

void GraphCensus::failed(const Trace&, const Frontier&, const Failure& failure) {
  if (failure.kind == FailureKind::kUnsupported) complaint = failure.message.text;
}

void GraphCensus::ended(const Trace&, const Tally&, End) {
  sequence.push_back(as_weak_graph(explorer_.graph()).name(false, arrivals_));
  ++names[sequence.back()];
  explored.push_back(explorer_.progress());
}

}  // namespace mazur::model
