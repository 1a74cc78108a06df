// The clocks of an execution graph, one event at a time. The rows of an event:
//   0  its porf-prefix
// and, for models that know synchronisation,
//   1  what happens before it
//   2  what a thread learns that acquires from it: its message. Updates pass on that of their source
//   3  what its thread has released by its last release fence
//   4  the messages that its thread has read and not yet acquired
//   5  of a rwlock: the message of read unlocks, which only a write lock acquires
#include <algorithm>

#include "graph/barriers.h"
#include "graph/effect.h"
#include "graph/graph.h"
#include "trace/clock_row.h"

namespace mazur {

void ExecutionGraph::compute_clocks(NodeId e) {
  const Node& n = nodes_[e];
  start_clock(row(e, 0), n.before == kNoNode ? nullptr : row(n.before, 0), stride_, n.thread,
              n.place + 1);
  for (NodeId other : {n.source, n.after, n.held_source})
    if (other < size()) join_clock(row(e, 0), row(other, 0), stride_);
  if (n.label.kind == OpKind::kBarrierDepart && arrivals_commute())
    for_each_arrival(*this, n.label, [&](NodeId a) { join_clock(row(e, 0), row(a, 0), stride_); });
  if (keeps_synchronisation()) compute_synchronisation(e);
}

void ExecutionGraph::hypothetical_past(const Node& e, NodeId source,
                                       std::vector<std::uint32_t>& out) const {
  out.assign(stride_, 0);
  for (NodeId other : {e.before, source, e.after, e.held_source})
    if (other < size()) join_clock(out.data(), row(other, 0), stride_);
}

void ExecutionGraph::compute_synchronisation(NodeId e) {
  constexpr std::size_t kHappened = 1, kMessage = 2, kReleased = 3, kUnacquired = 4, kShared = 5;
  const Node& n = nodes_[e];
  const Orders orders = orders_of(n);
  const auto take = [&](std::size_t to, NodeId from, std::size_t which) {
    if (from < size()) join_clock(row(e, to), row(from, which), stride_);
  };
  std::fill_n(row(e, kHappened), 5 * stride_, 0);
  row(e, kHappened)[n.thread] = n.place + 1;
  take(kHappened, n.before, kHappened);
  if (n.before != kNoNode && nodes_[n.before].thread == n.thread) {
    take(kReleased, n.before, kReleased);
    take(kUnacquired, n.before, kUnacquired);
  }
  // The end of a thread and the arrivals at a barrier are acquired; a signal is not.
  if (n.label.kind == OpKind::kJoin) take(kHappened, n.after, kHappened);
  if (n.label.kind == OpKind::kBarrierDepart) {
    if (arrivals_commute())
      for_each_arrival(*this, n.label, [&](NodeId a) { take(kHappened, a, kHappened); });
    else
      take(kHappened, n.after, kMessage);
  }
  if (is_fence(n)) {
    if (orders.acquire) take(kHappened, e, kUnacquired);
    if (orders.release) take(kReleased, e, kHappened);
    return;
  }
  // Fences synchronise through atomic accesses only, not through locks and the like.
  const bool memory = is_memory(n.label.kind);
  if (reads(n.role) && n.source < size()) {
    if (memory) take(kUnacquired, n.source, kMessage);
    if (orders.acquire) take(kHappened, n.source, kMessage);
    if (orders.acquire && n.label.kind != OpKind::kRdLock && n.label.kind != OpKind::kTryRdLock)
      take(kHappened, n.source, kShared);
  }
  if (n.label.kind == OpKind::kReceive && orders.acquire) take(kHappened, n.source, kMessage);
  if (!writes(n.role)) return;
  if (n.role == Role::kUpdate) {
    // Who waits at a condition variable passes on what its mutex has: nobody acquires from signals.
    // The first arrival of a phase of a barrier begins anew, and so does an object. Who receives a
    // message acquires from its send alone.
    const NodeId source = n.label.kind == OpKind::kCondWait ? n.held_source : n.source;
    const bool anew = n.label.kind == OpKind::kInit || n.label.kind == OpKind::kSend ||
                      (n.label.kind == OpKind::kBarrierArrive && arrived_before(n.label) == 0);
    if (!anew) take(kMessage, source, kMessage);
    take(kShared, source, kShared);
  }
  if (n.label.kind == OpKind::kRdUnlock)
    take(kShared, e, kHappened);
  else if (orders.release || memory)
    take(kMessage, e, orders.release ? kHappened : kReleased);
}

}  // namespace mazur
