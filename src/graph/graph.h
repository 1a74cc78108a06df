// An execution graph: events with program order, reads-from and coherence order.
//
// Invariants:
//  1. Nodes are numbered by their stamps, from 0. order() is a permutation of them that extends
//     program order, reads-from, creation, join and what else a node waited for (Node::after).
//  2. The stores of a location are in its coherence order, oldest first; `rank` is a store's place
//     in it. An update stands right behind the store that it reads.
//  3. past(e) says for each thread how many of its events are in the porf-prefix of e, e included.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/locations.h"
#include "graph/node.h"
#include "trace/memory_model.h"

namespace mazur {

struct GraphParts;

class ExecutionGraph {
 public:
  // The locations must outlive the graph; several graphs of one program share them.
  ExecutionGraph(Locations& locations, MemoryModel model) : locations_(&locations), model_(model) {}

  MemoryModel model() const { return model_; }
  NodeId size() const { return static_cast<NodeId>(nodes_.size()); }
  const Node& operator[](NodeId e) const { return nodes_[e]; }
  Node& node(NodeId e) { return nodes_[e]; }
  std::span<const NodeId> order() const { return order_; }

  // Coherence order, without the initial value.
  std::span<const NodeId> stores(LocationId x) const { return state(x).stores; }
  // The events that only read the location.
  std::span<const NodeId> loads(LocationId x) const { return state(x).loads; }
  NodeId newest(LocationId x) const {
    return state(x).stores.empty() ? kInitialStore : state(x).stores.back();
  }
  std::uint64_t initial_value(LocationId x) const { return state(x).initial; }
  // Whether it is all that atomic blocks touch (wide.h).
  bool is_wide(LocationId x) const { return locations_->is_wide(x); }
  // Whether arrivals at barriers access nothing (barriers.h).
  bool arrivals_commute() const { return locations_->arrivals_commute(); }
  // Where the store after this one would stand in the coherence order of x.
  std::uint32_t rank_after(LocationId x, NodeId store) const {
    return store == kInitialStore ? 0 : rank_in(x, store) + 1;
  }
  std::uint32_t rank_in(LocationId x, NodeId store) const {
    return nodes_[store].location == x ? nodes_[store].rank : nodes_[store].held_rank;
  }
  // The update that reads this store, or kNoNode.
  NodeId taker(LocationId x, NodeId store) const;
  // The last event of a thread, or its creation if it has none; kNoNode if it has neither.
  NodeId last_of(ThreadId thread) const;
  std::uint32_t count_of(ThreadId thread) const {
    return thread < count_.size() ? count_[thread] : 0;
  }

  // How many entries a clock has.
  std::size_t threads() const { return stride_; }
  const std::uint32_t* past(NodeId e) const { return row(e, 0); }
  bool in(NodeId e, const std::uint32_t* past) const {
    return past[nodes_[e].thread] > nodes_[e].place;
  }
  // The same for happens-before (C++), which only some models keep.
  const std::uint32_t* happened(NodeId e) const { return row(e, 1); }
  bool keeps_synchronisation() const {
    return model_ == MemoryModel::kPso || model_ == MemoryModel::kCpp20;
  }
  // The past that an event would have which is not there: its thread's, and those of two others.
  void hypothetical_past(const Node& e, NodeId source, std::vector<std::uint32_t>& out) const;

  // What a node needs to know besides its label: where it is, and what comes before it. Throws
  // std::logic_error if the operation is not one that graphs are made of. `epoch`: Label::epoch.
  Node prepare(ThreadId thread, const Operation& op, std::uint16_t epoch = 0) const;
  // Adds a node at the end of everything: of a load or update, `source` must be set; a store becomes
  // the newest, an update comes right after its source.
  NodeId add(const Node& node);
  // Removes all nodes from this one on.
  void cut(NodeId size);
  // Gives a load or update, which nothing depends on, another source and role.
  void read_from(NodeId e, NodeId source, Role role);
  // Moves a store to another place: the one that it has among the others then.
  void move(NodeId store, std::uint32_t rank);
  // The first results at a location tell what it held.
  void learn_initial(NodeId e);
  void reorder(std::vector<NodeId> order) { order_ = std::move(order); }

  // Makes `p`, whatever it was, a part of this graph that is closed under porf. `renamed`: the new
  // number of each node, in the same order, or kNoNode if it is not in the part.
  void part(std::span<const NodeId> renamed, ExecutionGraph& p) const;
  // The graph as plain data, and the graph that such data describes (parts.h). assemble() makes this
  // graph, whatever it was, that one. False: the data describe none.
  GraphParts parts() const;
  [[nodiscard]] bool assemble(const GraphParts& parts);
  // Sets the locations of a node from its label.
  void place(Node& n) const;
  // Moves a node to the end of the order.
  void run_last(NodeId e);
  // Computes the clocks of a node again, whose predecessors have theirs.
  void compute_clocks(NodeId e);

 private:
  struct State {
    std::uint64_t initial = 0;
    std::vector<NodeId> stores;
    std::vector<NodeId> loads;
  };
  static const State kEmpty;  // no local variable: the compiler would ask whether it is there yet
  const State& state(LocationId x) const { return x < states_.size() ? states_[x] : kEmpty; }
  State& state(LocationId x) {
    if (x >= states_.size()) states_.resize(x + 1);
    return states_[x];
  }
  bool take_locations(const GraphParts& parts);
  void attach(NodeId e);
  void detach(NodeId e);
  void insert(LocationId x, NodeId store, std::uint32_t rank);
  void erase(LocationId x, NodeId store);
  void renumber(LocationId x, std::uint32_t from);
  void make_room(ThreadId thread);

  // Clocks: see clocks.cpp for the rows.
  static constexpr std::size_t kRowsOfSynchronisation = 6;
  std::size_t rows() const { return keeps_synchronisation() ? kRowsOfSynchronisation : 1; }
  std::uint32_t* row(NodeId e, std::size_t which) {
    return clocks_.data() + (e * rows() + which) * stride_;
  }
  const std::uint32_t* row(NodeId e, std::size_t which) const {
    return clocks_.data() + (e * rows() + which) * stride_;
  }
  void compute_synchronisation(NodeId e);

  Locations* locations_;
  MemoryModel model_;
  std::vector<Node> nodes_;
  std::vector<NodeId> order_;
  std::vector<State> states_;         // by location
  std::vector<NodeId> last_;          // by thread
  std::vector<NodeId> creation_;      // by thread
  std::vector<std::uint32_t> count_;  // by thread
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> clocks_;
};

}  // namespace mazur
