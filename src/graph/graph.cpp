#include "graph/graph.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "graph/wide.h"
#include "trace/clock_row.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

Space space_of_operation(const Operation& op) {
  switch (op.kind) {
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock:
    case OpKind::kCondWake:  // it takes the mutex
      return Space::kMutex;
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
      return Space::kRwLock;
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kSemRead:
      return Space::kSemaphore;
    case OpKind::kBarrierArrive:  // where its beginning and end are known (accesses())
    case OpKind::kCondWait:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      return Space::kQueue;
    case OpKind::kFutexWoken:  // with a deadline it leaves the waiters, woken or not
      return op.timed ? Space::kQueue : Space::kMemory;
    case OpKind::kSend:
    case OpKind::kReceive:
      return Space::kMailbox;
    case OpKind::kInit:
    case OpKind::kDestroy:
      return space_of(op);
    default:
      return Space::kMemory;
  }
}

bool has_location(const Operation& op) {
  return is_memory(op.kind) || is_once(op.kind) || space_of_operation(op) != Space::kMemory;
}

}  // namespace

const ExecutionGraph::State ExecutionGraph::kEmpty;

NodeId ExecutionGraph::taker(LocationId x, NodeId store) const {
  const std::uint32_t next = rank_after(x, store);
  const std::vector<NodeId>& all = state(x).stores;
  if (next >= all.size()) return kNoNode;
  // Behind what an update of its mutex alone reads stands that update, too.
  const Node& n = nodes_[all[next]];
  return n.role == Role::kUpdate ? all[next] : kNoNode;
}

NodeId ExecutionGraph::last_of(ThreadId thread) const {
  if (thread >= last_.size()) return kNoNode;
  return last_[thread] != kNoNode ? last_[thread] : creation_[thread];
}

Node ExecutionGraph::prepare(ThreadId thread, const Operation& op, std::uint16_t epoch) const {
  if (!is_known(op, model_))
    throw std::logic_error("--algorithm=graph does not know this operation");
  Node n;
  n.thread = thread;
  n.place = count_of(thread);
  n.before = last_of(thread);
  static_cast<Operation&>(n.label) = op;
  n.label.epoch = epoch;
  place(n);
  if (n.held != kNoLocation) n.held_source = newest(n.held);
  if ((is_wide(n.location) && !fits_wide_location(op)) || is_wide(n.held))
    throw std::logic_error(
        "--algorithm=graph does not know this operation on something that atomic blocks touch: " +
        std::string(operation_name(op.kind)));
  bool needs = false;
  n.after = awaited(*this, n, needs);
  return n;
}

void ExecutionGraph::place(Node& n) const {
  const Operation& op = n.label;
  const std::uint16_t epoch = n.label.epoch;
  n.location = n.held = kNoLocation;
  const bool commutes = op.kind == OpKind::kBarrierArrive && arrivals_commute();
  if (has_location(op) && !commutes) {
    const Space space = space_of_operation(op);
    const ObjectId object = op.kind == OpKind::kCondWake ? mutex_of(op) : op.object;
    // A machine that knows epochs lets loads read the first byte of a once flag.
    const bool byte = space != Space::kMemory || (is_once(op.kind) && epoch != 0);
    n.location = locations_->find(space, object, byte ? 1 : op.size, epoch);
  }
  if (op.kind == OpKind::kAtomicBlock) n.location = locations_->wide();
  if (op.kind == OpKind::kCondWait) n.held = locations_->find(Space::kMutex, mutex_of(op), 1);
}

void ExecutionGraph::make_room(ThreadId thread) {
  if (thread >= last_.size()) {
    last_.resize(thread + std::size_t{1}, kNoNode);
    creation_.resize(thread + std::size_t{1}, kNoNode);
    count_.resize(thread + std::size_t{1}, 0);
  }
  if (thread < stride_) return;
  const std::size_t old = stride_;
  const std::size_t wide = (thread / kClockStep + 1) * kClockStep;
  std::vector<std::uint32_t> clocks(nodes_.size() * rows() * wide, 0);
  for (std::size_t r = 0; r < nodes_.size() * rows(); ++r)
    std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(r * old), old,
                clocks.begin() + static_cast<std::ptrdiff_t>(r * wide));
  clocks_ = std::move(clocks);
  stride_ = wide;
}

NodeId ExecutionGraph::add(const Node& node) {
  const NodeId e = size();
  make_room(node.thread);
  if (node.label.kind == OpKind::kCreate) make_room(child_of(node.label));
  nodes_.push_back(node);
  order_.push_back(e);
  clocks_.resize(nodes_.size() * rows() * stride_);
  last_[node.thread] = e;
  ++count_[node.thread];
  if (node.label.kind == OpKind::kCreate) creation_[child_of(node.label)] = e;
  attach(e);
  compute_clocks(e);
  return e;
}

void ExecutionGraph::learn_initial(NodeId e) {
  const Node& n = nodes_[e];
  if (n.location == kNoLocation) return;
  State& s = state(n.location);
  if (s.stores.size() + s.loads.size() == 1)
    s.initial = n.role == Role::kStore ? n.label.before : n.label.read;
}

void ExecutionGraph::attach(NodeId e) {
  const Node& n = nodes_[e];
  if (n.role == Role::kLoad) state(n.location).loads.push_back(e);
  if (n.role == Role::kStore)
    insert(n.location, e, static_cast<std::uint32_t>(state(n.location).stores.size()));
  if (n.role == Role::kUpdate) insert(n.location, e, rank_after(n.location, n.source));
  if (n.held != kNoLocation) insert(n.held, e, rank_after(n.held, n.held_source));
}

void ExecutionGraph::detach(NodeId e) {
  const Node& n = nodes_[e];
  if (n.role == Role::kLoad) std::erase(state(n.location).loads, e);
  if (writes(n.role)) erase(n.location, e);
  if (n.held != kNoLocation) erase(n.held, e);
}

void ExecutionGraph::insert(LocationId x, NodeId store, std::uint32_t rank) {
  std::vector<NodeId>& all = state(x).stores;
  all.insert(all.begin() + rank, store);
  renumber(x, rank);
}

void ExecutionGraph::erase(LocationId x, NodeId store) {
  std::vector<NodeId>& all = state(x).stores;
  const std::uint32_t rank = rank_in(x, store);
  all.erase(all.begin() + rank);
  renumber(x, rank);
}

void ExecutionGraph::renumber(LocationId x, std::uint32_t from) {
  const std::vector<NodeId>& all = state(x).stores;
  for (std::uint32_t i = from; i < all.size(); ++i) {
    Node& n = nodes_[all[i]];
    (n.location == x ? n.rank : n.held_rank) = i;
  }
}

void ExecutionGraph::cut(NodeId size) {
  if (size >= this->size()) return;
  for (NodeId e = this->size(); e-- > size;) {
    const Node& n = nodes_[e];
    detach(e);
    --count_[n.thread];
    // The creation of a thread is no event of it.
    last_[n.thread] =
        n.before != kNoNode && nodes_[n.before].thread == n.thread ? n.before : kNoNode;
    if (n.label.kind == OpKind::kCreate) creation_[child_of(n.label)] = kNoNode;
  }
  nodes_.resize(size);
  clocks_.resize(size * rows() * stride_);
  std::erase_if(order_, [size](NodeId e) { return e >= size; });
}

void ExecutionGraph::read_from(NodeId e, NodeId source, Role role) {
  detach(e);
  nodes_[e].source = source;
  nodes_[e].role = role;
  attach(e);
  compute_clocks(e);
}

void ExecutionGraph::move(NodeId store, std::uint32_t rank) {
  const LocationId x = nodes_[store].location;
  erase(x, store);
  insert(x, store, rank);
}

void ExecutionGraph::run_last(NodeId e) {
  std::erase(order_, e);
  order_.push_back(e);
}

void ExecutionGraph::part(std::span<const NodeId> renamed, ExecutionGraph& p) const {
  p.locations_ = locations_;
  p.model_ = model_;
  const auto name = [&](NodeId e) { return e == kNoNode || e == kInitialStore ? e : renamed[e]; };
  p.last_.assign(last_.size(), kNoNode);
  p.creation_.assign(last_.size(), kNoNode);
  p.count_.assign(last_.size(), 0);
  p.stride_ = stride_;
  // Mostly it begins as this graph does: all of that in one piece.
  NodeId same = 0;
  while (same < size() && renamed[same] == same) ++same;
  const std::size_t clocks = rows() * stride_;
  p.nodes_.assign(nodes_.begin(), nodes_.begin() + same);
  p.clocks_.assign(clocks_.begin(), clocks_.begin() + static_cast<std::ptrdiff_t>(same * clocks));
  for (NodeId e = same; e < size(); ++e) {
    if (renamed[e] == kNoNode) continue;
    p.nodes_.push_back(nodes_[e]);
    p.clocks_.insert(p.clocks_.end(), row(e, 0), row(e, 0) + clocks);
  }
  for (NodeId e = 0; e < p.size(); ++e) {
    Node& n = p.nodes_[e];
    n.source = name(n.source);
    n.before = name(n.before);
    n.after = name(n.after);
    n.held_source = name(n.held_source);
    NodeId& last = p.last_[n.thread];
    if (last == kNoNode || p.nodes_[last].place < n.place) last = e;
    ++p.count_[n.thread];
    if (n.label.kind == OpKind::kCreate) p.creation_[child_of(n.label)] = e;
  }
  const auto take = [&](const std::vector<NodeId>& from, std::vector<NodeId>& to) {
    to.clear();
    for (NodeId e : from)
      if (renamed[e] != kNoNode) to.push_back(renamed[e]);
    return to.size() == from.size();
  };
  take(order_, p.order_);
  p.states_.resize(states_.size());
  for (LocationId x = 0; x < states_.size(); ++x) {
    State& s = p.states_[x];
    s.initial = states_[x].initial;
    take(states_[x].loads, s.loads);
    if (!take(states_[x].stores, s.stores)) p.renumber(x, 0);
  }
}

}  // namespace mazur
