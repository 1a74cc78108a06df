// A recorded execution, and whether it would exist with other memory orders.
//
// A record says which store each load read, but of the order of the stores only a part. So an
// execution is allowed if the stores have some order with which its graph is consistent. That is
// the stronger claim about what is forbidden: no order of the stores helps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace mazur {

class RecordedExecution {
 public:
  // The events may come from a file. Throws std::logic_error if graphs of the model are not made of
  // such events, if a step reads what is no store, or if there are too many.
  RecordedExecution(std::span<const Event> events, MemoryModel model);

  std::size_t size() const { return nodes_.size(); }
  const Label& label(std::size_t event) const { return nodes_[event].label; }

  enum class Answer : std::uint8_t { kAllowed, kForbidden, kUnknown };
  // Whether the execution would exist if each event had this memory order. A compare-exchange that
  // fails has at least its own order of failure, and what the other order has of an acquire.
  // kUnknown: that costs more than may still be spent.
  Answer ask(std::span<const std::uint8_t> orders);

 private:
  // The place of a store that is still to be tried, among all that are.
  struct Place {
    NodeId store;
    std::uint32_t rank;
  };

  NodeId source_of(std::size_t event, const Node& node, std::vector<NodeId>& newest) const;
  std::uint64_t cost_of_look(std::span<const std::uint8_t> orders) const;
  bool extend(ExecutionGraph& graph, std::span<const std::uint8_t> orders,
              std::vector<Place>& places) const;
  static bool retreat(ExecutionGraph& graph, std::vector<Place>& places);

  MemoryModel model_;
  Locations locations_;
  std::vector<Node> nodes_;  // as they are added; those of memory with the source that they read
  std::uint64_t threads_ = 0;
  std::uint64_t left_;  // so much work may still be done
};

// An event's label with another memory order.
Label with_order(Label label, std::uint8_t order);

}  // namespace mazur
