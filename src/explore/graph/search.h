// The search over execution graphs: what alternatives a new event has, and how the next one is
// taken. It knows graphs, no machine and no trace.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "explore/graph/frame.h"
#include "trace/frontier.h"

namespace mazur {

class GraphSearch {
 public:
  explicit GraphSearch(MemoryModel model) : model_(model) {
    locations_.let_arrivals_commute(true);
    frames_.push_back({.graph = ExecutionGraph(locations_, model)});
  }

  const ExecutionGraph& graph() const { return frames_.back().graph; }

  // Whether an atomic block has touched what was taken for a location of its own, or arrivals at a
  // barrier do not commute. Then nothing that was done so far counts, and start_over() has to be
  // called: with other names.
  bool outdated() const { return locations_.outdated(); }
  void start_over();
  // Adds the event that was just run at the end of all others, and notes its alternatives: it reads
  // the newest store, is the newest one, and has taken its first outcome. If that shows that the
  // search is outdated, does nothing.
  void add(const Event& event, const Operation& pending);
  // The node at this place of the order was run again. False: the graph turns out to be
  // inconsistent, or the search to be outdated, which could not be known before. Throws std::logic_error if it was another event
  // than the graph says.
  bool learn(std::size_t place, const Event& event);
  // Nothing can run. What waits may still be put between others.
  void stuck(const Frontier& frontier);
  // Goes over to the next graph. False: there is none.
  bool next();
  // An estimate: what part of the whole search is done, of which this one may have only a piece. Those
  // of all pieces add up to 1 in the end.
  double explored() const { return explored_; }

  // As Divisible has them (division.cpp). After take(), next() goes over to the first graph.
  bool can_divide() const { return (lessons() & kHasBlocks) == 0; }
  std::uint32_t lessons() const;
  void learn(std::uint32_t lessons);
  std::vector<std::string> divide(std::size_t parts);
  bool take(std::span<const char> piece);

 private:
  // Lessons. A search that has met atomic blocks is not divided.
  static constexpr std::uint32_t kHasBlocks = 1, kArrivalsHaveAnOrder = 2;

  GraphFrame& frame() { return frames_.back(); }
  // One whose graph may hold anything, and nothing else. Its memory has been used before.
  GraphFrame new_frame();
  void pop_frame();
  bool look_at_block(Node& n);
  void note_sources(NodeId e);
  void note_places(NodeId e);
  void note_revisits(NodeId e, NodeId size);
  void note_hypothetical(const Node& update, NodeId source, NodeId size);
  bool apply(const Alternative& a);
  // Gives what was noted in the last execution its part of the weight (weights.cpp).
  void share_weight();
  // The execution of an alternative begins, with others from `noted` on that were found with it.
  void begin_graph(const Alternative& a, std::size_t noted);
  void revisit(const Alternative& a);
  void note_variants(GraphFrame& next);
  bool apply_variant(const Alternative& a);

  MemoryModel model_;
  Locations locations_;
  bool has_blocks_ = false;  // says whoever has explored another piece
  double weight_ = 1;        // of the execution under way,
  NodeId base_ = 0;          // which began with so many events
  std::size_t noted_ = 0;    // where in the frame's todo that stands which was noted in it
  double explored_ = 0;
  std::vector<GraphFrame> frames_;
  std::vector<GraphFrame> unused_;
  std::vector<std::uint32_t> past_;  // room for a clock
  std::vector<NodeId> renamed_;      // and for names
};

}  // namespace mazur
