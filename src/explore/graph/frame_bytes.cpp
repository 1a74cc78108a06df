#include "explore/graph/frame_bytes.h"

#include <algorithm>
#include <stdexcept>

#include "base/archive.h"
#include "graph/barriers.h"
#include "graph/parts.h"

namespace mazur {
namespace {

constexpr std::uint32_t kVersion = 2;

// The two special numbers become small ones.
constexpr auto id_fields = [](auto& archive, auto& id) {
  if constexpr (std::remove_reference_t<decltype(archive)>::kReads)
    archive.number(id, [](std::uint64_t n) { return static_cast<NodeId>(n - 2); });
  else
    archive.number(static_cast<NodeId>(id + 2));
};

constexpr auto label_fields = [](auto& archive, auto& label) {
  archive.number_up_to(label.kind, kLastKind);
  archive.number(label.order);
  archive.flags(label.timed, label.success);
  archive.number_up_to(label.comparison, Comparison::kGreaterEqual);
  archive.number(label.size);
  archive.number(label.object);
  archive.number(label.object2);
  archive.number(label.value);
  archive.number(label.read);
  archive.number(label.written);
  archive.number(label.before);
  archive.number(label.pc);
  archive.number(label.epoch);
};

constexpr auto node_fields = [](auto& archive, auto& node) {
  archive.number(node.thread);
  archive.number(node.choice);
  archive.number(node.ways);
  archive.number_up_to(node.role, Role::kUpdate);
  archive.flags(node.max, node.fixed, node.learnt);
  id_fields(archive, node.source);
  id_fields(archive, node.after);
  id_fields(archive, node.held_source);
  label_fields(archive, node.label);
};

// Of an update that is not in the graph: what the graph tells about all others.
constexpr auto update_fields = [](auto& archive, auto& node) {
  node_fields(archive, node);
  archive.number(node.place);
  id_fields(archive, node.before);
};

constexpr auto location_fields = [](auto& archive, auto& location) {
  id_fields(archive, location.witness);
  archive.number(location.held);
  archive.number(location.initial);
  archive.list(location.stores, id_fields);
  archive.list(location.loads, id_fields);
};

constexpr auto alternative_fields = [](auto& archive, auto& a) {
  archive.number_up_to(a.kind, Alternative::Kind::kGoOn);
  archive.number(a.choice);
  id_fields(archive, a.event);
  id_fields(archive, a.store);
  archive.number(a.rank);
  id_fields(archive, a.size);
};

// So many alternatives, one after the other, weigh so much: neighbours often have the same weight.
struct Weights {
  std::uint64_t number = 0;
  double each = 0;
};
constexpr auto weights_fields = [](auto& archive, auto& weights) {
  archive.number(weights.number);
  archive.real(weights.each);
};

std::vector<Weights> weights_of(const std::vector<Alternative>& todo) {
  std::vector<Weights> weights;
  for (const Alternative& a : todo) {
    if (weights.empty() || weights.back().each != a.weight) weights.push_back({0, a.weight});
    ++weights.back().number;
  }
  return weights;
}

bool weigh(std::vector<Alternative>& todo, const std::vector<Weights>& weights) {
  std::size_t at = 0;
  for (const Weights& same : weights) {
    const bool is_good = same.each >= 0 && same.each <= 1 && same.number <= todo.size() - at;
    if (!is_good) return false;
    for (std::uint64_t i = 0; i < same.number; ++i) todo[at++].weight = same.each;
  }
  return at == todo.size();
}

// A frame with its graph as data.
struct FrameParts {
  GraphParts graph;
  std::vector<Alternative> todo;
  std::vector<Weights> weights;
  std::vector<Node> updates;
  NodeId store = kNoNode, revisited = kNoNode, size = 0;
  Role role = Role::kLoad;
};

constexpr auto frame_fields = [](auto& archive, auto& frame) {
  archive.list(frame.graph.nodes, node_fields);
  archive.list(frame.graph.order, id_fields);
  archive.list(frame.graph.locations, location_fields);
  archive.list(frame.todo, alternative_fields);
  archive.list(frame.weights, weights_fields);
  archive.list(frame.updates, update_fields);
  id_fields(archive, frame.store);
  id_fields(archive, frame.revisited);
  id_fields(archive, frame.size);
  archive.number_up_to(frame.role, Role::kUpdate);
};

constexpr auto stack_fields = [](auto& archive, auto& stack) { archive.list(stack, frame_fields); };

// What can be asked of the events with stamps below a size.
class Beginnings {
 public:
  explicit Beginnings(const ExecutionGraph& graph) : graph_(graph), last_(graph.size() + 1, 0) {
    for (NodeId e = 0; e < graph.size(); ++e) {
      NodeId last = std::max(last_[e], e);
      const Node& n = graph[e];
      for (NodeId other : {n.source, n.before, n.after, n.held_source})
        if (other < graph.size()) last = std::max(last, other);
      if (n.label.kind == OpKind::kBarrierDepart && graph.arrivals_commute())
        for_each_arrival(graph, n.label, [&](NodeId a) { last = std::max(last, a); });
      last_[e + 1] = last;
    }
  }
  // Whether they need no others.
  bool is_closed(NodeId size) const { return size == 0 || last_[size] < size; }
  std::size_t stores(LocationId x, NodeId size) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(graph_.stores(x), [size](NodeId e) { return e < size; }));
  }

 private:
  const ExecutionGraph& graph_;
  std::vector<NodeId> last_;  // by size: the last event that those before it need
};

// Whether e could read what w writes.
bool meet(const Node& e, const Node& w) {
  return e.location != kNoLocation && (w.location == e.location || w.held == e.location);
}

// Whether an alternative can be taken, when all behind it are done.
bool is_sound(const Alternative& a, const GraphFrame& frame, const Beginnings& beginnings) {
  using Kind = Alternative::Kind;
  const ExecutionGraph& graph = frame.graph;
  if (a.size > graph.size() || !beginnings.is_closed(a.size)) return false;
  if (a.kind == Kind::kGoOn) return a.size == graph.size();
  if (a.kind == Kind::kVariant) {
    if (frame.store >= a.size || a.size != frame.size) return false;
    const Node& w = graph[frame.store];
    if (!writes(w.role)) return false;
    // An update stays behind what it reads, whatever its rank.
    if (w.role == Role::kStore && a.rank >= beginnings.stores(w.location, a.size)) return false;
    if (frame.revisited == kNoNode) return true;
    return frame.revisited < a.size && frame.revisited != frame.store &&
           a.choice < graph[frame.revisited].ways && meet(graph[frame.revisited], w);
  }
  if (a.event >= a.size) return false;
  const Node& e = graph[a.event];
  const auto is_store = [&](NodeId w) { return w < a.size && writes(graph[w].role); };
  switch (a.kind) {
    case Kind::kRead:
      return a.event + 1 == a.size && e.location != kNoLocation &&
             (a.store == kInitialStore ||
              (a.store < a.event && is_store(a.store) && meet(e, graph[a.store])));
    case Kind::kPlace:
      return a.event + 1 == a.size && e.role == Role::kStore &&
             a.rank < beginnings.stores(e.location, a.size);
    case Kind::kOutcome:
      return a.event + 1 == a.size && a.choice < e.ways;
    case Kind::kRevisit:
      return a.event != a.store && reads(e.role) && is_store(a.store) && meet(e, graph[a.store]);
    case Kind::kHypothetical:
      return reads(e.role) && a.store < frame.updates.size() && meet(e, frame.updates[a.store]) &&
             a.choice < frame.updates[a.store].ways;
    case Kind::kVariant:
    case Kind::kGoOn:
      break;
  }
  return false;
}

bool is_sound(const Node& update, const ExecutionGraph& graph) {
  const auto is_event = [&](NodeId e) { return e < graph.size() || e == kNoNode; };
  const auto is_store = [&](NodeId e) { return e < graph.size() || e == kInitialStore; };
  return update.location != kNoLocation && update.role == Role::kUpdate &&
         is_store(update.source) && is_event(update.before) && is_event(update.after) &&
         (update.held == kNoLocation ? update.held_source == kNoNode
                                     : is_store(update.held_source)) &&
         update.thread < graph.threads();
}

bool assemble(FrameParts&& parts, GraphFrame& frame) {
  if (!frame.graph.assemble(parts.graph)) return false;
  if (!weigh(parts.todo, parts.weights)) return false;
  frame.todo = std::move(parts.todo);
  frame.updates = std::move(parts.updates);
  frame.store = parts.store;
  frame.revisited = parts.revisited;
  frame.size = parts.size;
  frame.role = parts.role;
  const NodeId size = frame.graph.size();
  if (frame.store >= size && frame.store != kNoNode) return false;
  if (frame.revisited >= size && frame.revisited != kNoNode) return false;
  for (Node& update : frame.updates) {
    frame.graph.place(update);
    if (!is_sound(update, frame.graph)) return false;
  }
  const Beginnings beginnings(frame.graph);
  return std::ranges::all_of(frame.todo,
                             [&](const Alternative& a) { return is_sound(a, frame, beginnings); });
}

}  // namespace

std::string encode_frames(std::span<const GraphFrame* const> frames) {
  std::vector<FrameParts> stack;
  for (const GraphFrame* frame : frames)
    stack.push_back({frame->graph.parts(), frame->todo, weights_of(frame->todo), frame->updates,
                     frame->store, frame->revisited, frame->size, frame->role});
  Writer writer;
  writer.number(kVersion);
  stack_fields(writer, stack);
  return writer.take();
}

std::optional<std::vector<GraphFrame>> decode_frames(
    std::span<const char> bytes, const std::function<ExecutionGraph()>& make_graph) {
  Reader reader(bytes);
  std::uint32_t version = 0;
  reader.number(version);
  reader.must(version == kVersion);
  std::vector<FrameParts> stack;
  stack_fields(reader, stack);
  if (!reader.done()) return std::nullopt;
  std::vector<GraphFrame> frames;
  try {
    for (FrameParts& parts : stack) {
      frames.push_back({.graph = make_graph()});
      if (!assemble(std::move(parts), frames.back())) return std::nullopt;
    }
  } catch (const std::logic_error&) {  // an operation that graphs are not made of
    return std::nullopt;
  }
  return frames;
}

}  // namespace mazur
