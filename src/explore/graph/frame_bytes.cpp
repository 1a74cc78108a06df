#include "explore/graph/frame_bytes.h"

#include <algorithm>
#include <stdexcept>

#include "base/archive.h"
#include "graph/parts.h"

namespace mazur {
namespace {

constexpr std::uint32_t kVersion = 1;

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

// A frame with its graph as data.
struct FrameParts {
  GraphParts graph;
  std::vector<Alternative> todo;
  std::vector<Node> updates;
  NodeId store = kNoNode, revisited = kNoNode, size = 0;
  Role role = Role::kLoad;
};

constexpr auto frame_fields = [](auto& archive, auto& frame) {
  archive.list(frame.graph.nodes, node_fields);
  archive.list(frame.graph.order, id_fields);
  archive.list(frame.graph.locations, location_fields);
  archive.list(frame.todo, alternative_fields);
  archive.list(frame.updates, update_fields);
  id_fields(archive, frame.store);
  id_fields(archive, frame.revisited);
  id_fields(archive, frame.size);
  archive.number_up_to(frame.role, Role::kUpdate);
};

constexpr auto stack_fields = [](auto& archive, auto& stack) { archive.list(stack, frame_fields); };

// Whether an alternative can be taken, when all behind it are done.
bool is_sound(const Alternative& a, const GraphFrame& frame) {
  using Kind = Alternative::Kind;
  const ExecutionGraph& graph = frame.graph;
  if (a.size > graph.size()) return false;
  if (a.kind == Kind::kGoOn) return a.size == graph.size();
  if (a.kind == Kind::kVariant) {
    if (frame.store >= a.size || a.size != frame.size) return false;
    const Node& w = graph[frame.store];
    return writes(w.role) && a.rank < graph.stores(w.location).size();
  }
  if (a.event >= graph.size()) return false;
  const Node& e = graph[a.event];
  switch (a.kind) {
    case Kind::kRead:
      return a.event + 1 == a.size && e.location != kNoLocation &&
             (a.store == kInitialStore ||
              (a.store < a.event && writes(graph[a.store].role) &&
               (graph[a.store].location == e.location || graph[a.store].held == e.location)));
    case Kind::kPlace:
      return a.event + 1 == a.size && e.role == Role::kStore &&
             a.rank < graph.stores(e.location).size();
    case Kind::kOutcome:
      return a.event + 1 == a.size && a.choice < e.ways;
    case Kind::kRevisit:
      return a.event < a.size && a.store < a.size && reads(e.role) && writes(graph[a.store].role);
    case Kind::kHypothetical:
      return a.event < a.size && reads(e.role) && a.store < frame.updates.size() &&
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
  return std::ranges::all_of(frame.todo, [&](const Alternative& a) { return is_sound(a, frame); });
}

}  // namespace

std::string encode_frames(std::span<const GraphFrame* const> frames) {
  std::vector<FrameParts> stack;
  for (const GraphFrame* frame : frames)
    stack.push_back({frame->graph.parts(), frame->todo, frame->updates, frame->store,
                     frame->revisited, frame->size, frame->role});
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
