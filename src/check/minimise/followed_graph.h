// The execution graph of a schedule under a weak memory model, while it is run: whether the model
// allows what the steps say about memory (Step::ref), and what else they could have said.
//
// Every graph that the model allows has an order that extends program order and reads-from, and in
// that order each part of it is allowed. So whoever tries, in every order, all that others() offers
// meets every execution of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "trace/frontier.h"

namespace mazur {

// What a step says about memory, and of a store that comes behind another its place in coherence
// order, which a step does not tell.
struct Said {
  static constexpr std::uint32_t kSomewhere = 0xffffffff;
  StoreRef ref = kNewest;
  std::uint32_t rank = kSomewhere;
};

class FollowedGraph {
 public:
  explicit FollowedGraph(MemoryModel model) : graph_(locations_, model) {}

  void restart();
  // The event that has just been run, and its operation as it was pending. Without a place a store
  // that comes behind others gets the last one that is allowed. False: the model does not allow it,
  // or the graph is lost.
  bool add(const Event& event, const Operation& pending, std::uint32_t rank);
  // What the last event, which has said kNewest, could have said instead.
  std::vector<Said> others();
  // There was an operation that graphs do not know. Nothing is known of this schedule any more.
  bool lost() const { return lost_; }
  // A name for the graph: equal for equal graphs, whatever the order in which they were run.
  std::uint64_t name() const;

 private:
  bool place_behind(NodeId e, std::uint32_t rank);
  bool consistent_with(NodeId e);

  Locations locations_;
  ExecutionGraph graph_;
  bool lost_ = false;
};

}  // namespace mazur
