#include "explore/graph/graph.h"

#include <stdexcept>

#include "base/hash.h"
#include "explore/divisible.h"
#include "explore/graph/search.h"
#include "explore/graph/steps.h"
#include "graph/effect.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

// An execution first runs the nodes of a graph in their order, then whatever is enabled, each new
// load with the newest store, until nothing is. The graph grows with it.
class Graph final : public GraphExplorer, public Divisible {
 public:
  explicit Graph(const ExplorerOptions& options)
      : pick_(options.pick), seed_(options.seed), search_(options.memory) {}

  MaybeStep choose(const Trace& trace, const Frontier& frontier) override;
  bool plan(const Trace& trace, const Frontier& frontier, End end) override;
  std::size_t keep() const override { return keep_; }
  const ExecutionGraph& graph() const override { return search_.graph(); }
  bool blocked() const override { return blocked_; }
  Divisible* divisible() override { return this; }

  bool can_divide() const override { return search_.can_divide(); }
  std::vector<std::string> divide(std::size_t parts) override { return search_.divide(parts); }
  bool take(std::span<const char> piece) override;
  std::uint32_t lessons() const override { return search_.lessons(); }
  void learn(std::uint32_t lessons) override { search_.learn(lessons); }
  double explored() const override { return search_.explored(); }
  bool is_empty() const override { return empty_; }

  double progress() const override { return search_.explored(); }
  Standing standing() const override { return {.restarts = restarts_}; }
  Needs needs() const override { return {.order = false, .memory = search_.graph().model()}; }

 private:
  void take_in(const Trace& trace);
  void begin_execution(const Trace* last);
  MaybeStep pick(const Frontier& frontier);
  std::uint64_t preference(const Pending& p) const;

  PickOrder pick_;
  std::uint64_t seed_;
  GraphSearch search_;
  std::vector<Step> steps_;   // of the nodes that the graph had at the beginning of the execution
  std::size_t taken_in_ = 0;  // how many events the graph knows of
  std::size_t keep_ = 0;
  Operation pending_;  // of the event that was chosen last
  unsigned restarts_ = 0;
  bool was_stuck_ = false;
  bool blocked_ = false;
  bool empty_ = false;
};

MaybeStep Graph::choose(const Trace& trace, const Frontier& frontier) {
  take_in(trace);
  if (blocked_) return std::nullopt;
  if (trace.size() < steps_.size()) {
    const Step step = steps_[trace.size()];
    const Pending* p = frontier.find(step.thread);
    if (p == nullptr || !p->enabled || step.choice >= p->ways)
      throw std::logic_error("an operation that was run before cannot run again");
    return step;
  }
  return pick(frontier);
}

void Graph::take_in(const Trace& trace) {
  for (; taken_in_ < trace.size() && !blocked_; ++taken_in_) {
    const Event& event = trace[static_cast<EventIndex>(taken_in_)];
    if (taken_in_ < steps_.size())
      blocked_ = !search_.learn(taken_in_, event);
    else
      search_.add(event, pending_);
    blocked_ = blocked_ || search_.outdated();
  }
}

MaybeStep Graph::pick(const Frontier& frontier) {
  const Pending* best = nullptr;
  const Pending* exit = nullptr;
  std::uint64_t first = 0;  // the preference of the best one
  for (const Pending& p : frontier.threads()) {
    if (!p.enabled) continue;
    if (p.op.kind == OpKind::kExit) {
      if (exit == nullptr) exit = &p;
    } else if (const std::uint64_t next = preference(p); best == nullptr || next < first) {
      best = &p;
      first = next;
      // Threads are sorted: no later one is preferred to it.
      if (next == p.thread && (pick_ == PickOrder::kContinue || pick_ == PickOrder::kLowest)) break;
    }
  }
  if (best == nullptr && !was_stuck_) {
    search_.stuck(frontier);
    was_stuck_ = true;
    blocked_ = search_.outdated();
    if (blocked_) return std::nullopt;
  }
  if (best == nullptr) best = exit;
  if (best == nullptr) return std::nullopt;
  if (!is_known(best->op, search_.graph().model()))
    throw std::logic_error("--algorithm=graph does not know this operation" +
                           std::string(best->op.kind == OpKind::kAtomicBlock
                                           ? " under another memory model than sc: "
                                           : ": ") +
                           std::string(operation_name(best->op.kind)));
  pending_ = best->op;
  return Step{best->thread, 0};
}

// Which one is next must depend on the graph alone.
std::uint64_t Graph::preference(const Pending& p) const {
  const ExecutionGraph& graph = search_.graph();
  switch (pick_) {
    case PickOrder::kContinue: {  // loads last: they then have more to read, and fewer revisits
      const bool reads =
          p.op.kind == OpKind::kReceive || (p.op.kind != OpKind::kStore && is_memory(p.op.kind));
      return (reads ? std::uint64_t{kNoThread} + 1 : 0) + p.thread;
    }
    case PickOrder::kLowest:
      return p.thread;
    case PickOrder::kHighest:
      return std::uint64_t{kNoThread} - p.thread;
    case PickOrder::kRoundRobin:
      return std::uint64_t{graph.count_of(p.thread)} << 16 | p.thread;
    case PickOrder::kRandom: {
      std::uint64_t h = mixed(kHashSeed, seed_);
      for (ThreadId t = 0; std::size_t{t} < graph.threads(); ++t) h = mixed(h, graph.count_of(t));
      return mixed_well(h, p.thread);
    }
  }
  return 0;
}

bool Graph::plan(const Trace& trace, const Frontier& frontier, End end) {
  take_in(trace);
  if (end == End::kComplete && !was_stuck_ && !search_.outdated()) search_.stuck(frontier);
  if (search_.outdated()) {
    search_.start_over();
    ++restarts_;
  } else if (!search_.next()) {
    return false;
  }
  begin_execution(&trace);
  return true;
}

// The graph that the search has come to is run next. What the last execution has in common with it
// is kept.
void Graph::begin_execution(const Trace* last) {
  const ExecutionGraph& graph = search_.graph();
  steps_ = steps_of(graph);
  keep_ = 0;
  while (last != nullptr && keep_ < steps_.size() && keep_ < last->size() &&
         graph[graph.order()[keep_]].learnt &&
         (*last)[static_cast<EventIndex>(keep_)].step() == steps_[keep_])
    ++keep_;
  taken_in_ = keep_;
  was_stuck_ = blocked_ = false;
}

bool Graph::take(std::span<const char> piece) {
  if (!search_.take(piece)) return false;
  empty_ = !search_.next();
  if (!empty_) begin_execution(nullptr);
  return true;
}

}  // namespace

std::unique_ptr<Explorer> make_graph(const ExplorerOptions& options) {
  return std::make_unique<Graph>(options);
}

}  // namespace mazur
