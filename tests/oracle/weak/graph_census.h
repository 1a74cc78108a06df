// Which graphs the explorer `graph` runs, and in which order.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/loop.h"
#include "explore/graph/graph.h"
#include "weak_graph.h"

namespace mazur::model {

class GraphCensus final : public Watcher {
 public:
  // Of an explorer that was made by make_graph().
  GraphCensus(const Explorer& explorer, WeakGraph::Arrivals arrivals);
  void started_over() override;
  void failed(const Trace&, const Frontier&, const Failure& failure) override;
  void ended(const Trace&, const Tally&, End) override;

  std::map<std::string, unsigned> names;
  std::vector<std::string> sequence;
  // What the explorer estimated to be done when each of them was run.
  std::vector<double> explored;
  std::string complaint;

 private:
  const GraphExplorer& explorer_;
  WeakGraph::Arrivals arrivals_;
};

}  // namespace mazur::model
