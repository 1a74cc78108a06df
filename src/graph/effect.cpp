#include "graph/effect.h"

#include <algorithm>
#include <stdexcept>

#include "graph/barriers.h"
#include "graph/wide.h"
#include "trace/access.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// The kinds that read and write in one if they succeed, and only read if they do not.
bool is_try(OpKind kind) {
  return kind == OpKind::kCas || kind == OpKind::kTryLock || kind == OpKind::kTryRdLock ||
         kind == OpKind::kTryWrLock || kind == OpKind::kSemTryWait || kind == OpKind::kOnceEnter;
}

// A mutex that is held when its life begins or ends stays held: that is an error.
bool mutex_is_free_after(const ExecutionGraph& graph, LocationId x, NodeId store) {
  while (store != kInitialStore && is_life(graph[store].label.kind)) {
    const std::uint32_t rank = graph.rank_in(x, store);
    store = rank == 0 ? kInitialStore : graph.stores(x)[rank - 1];
  }
  if (store == kInitialStore) return true;
  const OpKind kind = graph[store].label.kind;
  return kind == OpKind::kUnlock || kind == OpKind::kCondWait;
}

// Whether it waits until a signal has chosen its thread.
bool waits_for_signal(const Operation& op) {
  return op.kind == OpKind::kCondWake || (op.kind == OpKind::kFutexWoken && !op.timed);
}

// The stores of x up to this one, which is included.
std::span<const NodeId> stores_up_to(const ExecutionGraph& graph, LocationId x, NodeId store) {
  return graph.stores(x).first(graph.rank_after(x, store));
}

// Readers, or -1 if a writer holds it.
int rwlock_after(const ExecutionGraph& graph, LocationId x, NodeId store) {
  int readers = 0;
  for (NodeId e : stores_up_to(graph, x, store)) {
    const OpKind kind = graph[e].label.kind;
    if (kind == OpKind::kRdLock || kind == OpKind::kTryRdLock) ++readers;
    if (kind == OpKind::kRdUnlock) --readers;
    if (kind == OpKind::kWrLock || kind == OpKind::kTryWrLock) readers = -1;
    if (kind == OpKind::kWrUnlock) readers = 0;
  }
  return readers;
}

std::uint64_t count_after(const ExecutionGraph& graph, LocationId x, NodeId store) {
  std::uint64_t count = graph.initial_value(x);
  for (NodeId e : stores_up_to(graph, x, store)) {
    const Label& l = graph[e].label;
    if (is_life(l.kind))
      count = mazur::count_after(l);
    else
      count += l.kind == OpKind::kSemPost ? 1 : std::uint64_t(-1);
  }
  return count;
}

// A thread that waits at a condition variable, or at a futex with a mask.
struct Waiter {
  ThreadId thread;
  std::uint32_t mask;
};

// What a signal does to them. One that has not run where it is now has its outcome, which counts the
// waiters that it reaches by their threads. Whom it woke elsewhere says nothing.
void wake(const Node& signal, std::vector<Waiter>& waiting) {
  const auto is_reached = [&](const Waiter& w) { return (w.mask & futex_mask(signal.label)) != 0; };
  if (!signal.learnt && signal.label.kind == OpKind::kCondSignal) {
    std::ranges::sort(waiting, {}, &Waiter::thread);
    std::uint16_t before = 0;
    const auto chosen = std::ranges::find_if(
        waiting, [&](const Waiter& w) { return is_reached(w) && before++ == signal.choice; });
    if (chosen != waiting.end()) waiting.erase(chosen);
  } else if (!signal.learnt && signal.label.kind == OpKind::kCondBroadcast) {
    std::erase_if(waiting, is_reached);
  } else {
    std::erase_if(waiting, [&](const Waiter& w) {
      return (woken_threads(signal.label) & woken_bit(w.thread)) != 0;
    });
  }
}

// Threads that wait at a condition variable and that no signal has chosen, but this one could.
std::size_t waiters_after(const ExecutionGraph& graph, const Node& signal, NodeId store) {
  std::vector<Waiter> waiting;
  for (NodeId e : stores_up_to(graph, signal.location, store)) {
    const Node& n = graph[e];
    if (n.label.kind == OpKind::kCondWait)
      waiting.push_back({n.thread, futex_mask(n.label)});
    else if (n.label.kind == OpKind::kFutexWoken)
      std::erase_if(waiting, [&](const Waiter& w) { return w.thread == n.thread; });
    else if (is_signal(n.label.kind))
      wake(n, waiting);
  }
  return static_cast<std::size_t>(std::ranges::count_if(
      waiting, [&](const Waiter& w) { return (w.mask & futex_mask(signal.label)) != 0; }));
}

// The value that a store left in memory, if it is known.
bool value_after(const ExecutionGraph& graph, LocationId x, NodeId store, std::uint64_t& value) {
  if (store == kInitialStore) return value = graph.initial_value(x), true;
  value = graph[store].label.written;
  return graph[store].learnt;
}

// What entering a one-time initialisation does after that store.
Effect enters(const ExecutionGraph& graph, LocationId x, NodeId store) {
  if (store == kInitialStore) return graph.initial_value(x) == 0 ? Effect::kUpdate : Effect::kLoad;
  const Node& n = graph[store];
  if (n.label.kind == OpKind::kOnceEnter) return Effect::kBlocked;
  if (!n.learnt) return Effect::kUnknown;
  return n.label.success ? Effect::kLoad : Effect::kUpdate;
}

bool has_taken(const ExecutionGraph& graph, const Node& e, std::uint64_t message) {
  for (NodeId p = e.before; p != kNoNode && graph[p].thread == e.thread; p = graph[p].before)
    if (graph[p].label.kind == OpKind::kReceive && taken_message(graph[p].label) == message)
      return true;
  return false;
}

// A receive takes the oldest message that it accepts and that it finds there. Its thread alone takes
// messages, so earlier ones have been taken before it. One with a time limit looks at the mailbox if
// it finds none.
Effect receives(const ExecutionGraph& graph, const Node& e, NodeId source) {
  for (NodeId send : stores_up_to(graph, e.location, source)) {
    const Label& l = graph[send].label;
    if (!accepts(e.label, l) || has_taken(graph, e, sent_message(l))) continue;
    // Labels do not know what a message says, and only the machine can ask for that.
    if (is_selective(e.label)) return Effect::kUnknown;
    if (send != source) throw std::logic_error("a receive has left a message behind");
    return Effect::kTake;
  }
  return e.label.timed ? Effect::kLoad : Effect::kBlocked;
}

// A round of a loop that waits begins when another thread has changed what the last round read
// (trace/wait_set.h): it reads a store after which that has happened. kLoad: it does begin.
Effect begins_round(const ExecutionGraph& graph, const Node& e, NodeId source) {
  const bool wide = graph.is_wide(e.location);
  NodeId last = e.before;
  while (last != kNoNode && graph[last].thread == e.thread &&
         (graph[last].location != e.location ||
          (wide && !touches_what_is_read(graph[last].label, e.label))))
    last = graph[last].before;
  if (last == kNoNode || graph[last].thread != e.thread) return Effect::kLoad;
  const Node& read = graph[last];
  const std::uint32_t from = graph.rank_after(e.location, writes(read.role) ? last : read.source);
  const std::uint32_t to = graph.rank_after(e.location, source);
  if (to < from) return Effect::kNever;
  for (std::uint32_t i = from; i < to; ++i) {
    const Node& n = graph[graph.stores(e.location)[i]];
    // Machines of sequential consistency know that an update changed nothing. The others do not.
    const bool changes = wide ? changes_what_is_read(n, e.label)
                              : graph.model() != MemoryModel::kSc || n.role == Role::kStore ||
                                    !n.learnt || n.label.written != n.label.before;
    if (n.thread != e.thread && changes) return Effect::kLoad;
  }
  return Effect::kBlocked;
}

Effect when(bool condition, Effect otherwise) { return condition ? Effect::kUpdate : otherwise; }

}  // namespace

bool is_known(const Operation& op, MemoryModel model) {
  // An exchange that waits stores at every round, and a machine does not tell which of these stores
  // change something. What an observed assertion reads has no order.
  if (model != MemoryModel::kSc && is_cell(op) &&
      ((op.kind == OpKind::kRmw && is_waiting_round(op)) || op.order > __ATOMIC_SEQ_CST))
    return false;
  if (op.timed && (op.kind == OpKind::kCondWait || op.kind == OpKind::kCondWake)) return false;
  if (reads_other_locations(op) && is_memory(op.kind)) return false;
  switch (op.kind) {
    case OpKind::kFutexWait:
    case OpKind::kFutexWake:
    case OpKind::kAwait:
    case OpKind::kFree:
      return false;
    case OpKind::kAtomicBlock:
      return model == MemoryModel::kSc;
    default:
      // No machine tells which changes of a table a loop would wait for.
      return !is_memory(op.kind) || is_cell(op) || !is_waiting_round(op);
  }
}

Role role_of(const Label& label) {
  if (is_try(label.kind)) return label.success ? Role::kUpdate : Role::kLoad;
  switch (label.kind) {
    case OpKind::kLoad:
    case OpKind::kSemRead:
      return Role::kLoad;
    case OpKind::kStore:
      return Role::kStore;
    case OpKind::kRmw:
    case OpKind::kLock:
    case OpKind::kUnlock:
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
    case OpKind::kSemWait:
    case OpKind::kSemPost:
    case OpKind::kBarrierArrive:
    case OpKind::kCondWait:
    case OpKind::kCondWake:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kOnceLeave:
    case OpKind::kSend:
    case OpKind::kInit:
    case OpKind::kDestroy:
      return Role::kUpdate;
    case OpKind::kFutexWoken:
      return label.timed ? Role::kUpdate : Role::kNone;
    case OpKind::kReceive:
      // What takes a message depends on nothing but its send: that says which one it is.
      return label.success ? Role::kNone : Role::kLoad;
    default:
      return Role::kNone;
  }
}

Effect effect_after(const ExecutionGraph& graph, const Node& e, NodeId source) {
  const LocationId x = e.location;
  const auto mutex_is_free = [&] { return mutex_is_free_after(graph, x, source); };
  if (is_waiting_round(e.label))
    if (const Effect effect = begins_round(graph, e, source); effect != Effect::kLoad)
      return effect;
  if (graph.is_wide(x)) return wide_effect_after(graph, e, source);
  std::uint64_t value = 0;
  switch (e.label.kind) {
    case OpKind::kLoad:
    case OpKind::kSemRead:
      return Effect::kLoad;
    case OpKind::kCas:
      if (!value_after(graph, x, source, value)) return Effect::kUnknown;
      return when(value == expected(e.label), Effect::kLoad);
    case OpKind::kOnceEnter:
      return enters(graph, x, source);
    case OpKind::kLock:
    case OpKind::kCondWake:
      return when(mutex_is_free(), Effect::kBlocked);
    case OpKind::kTryLock:
      return when(mutex_is_free(), Effect::kLoad);
    case OpKind::kRdLock:
      return when(rwlock_after(graph, x, source) >= 0, Effect::kBlocked);
    case OpKind::kTryRdLock:
      return when(rwlock_after(graph, x, source) >= 0, Effect::kLoad);
    case OpKind::kWrLock:
      return when(rwlock_after(graph, x, source) == 0, Effect::kBlocked);
    case OpKind::kTryWrLock:
      return when(rwlock_after(graph, x, source) == 0, Effect::kLoad);
    case OpKind::kSemWait:
      return when(count_after(graph, x, source) != 0, Effect::kBlocked);
    case OpKind::kSemTryWait:
      return when(count_after(graph, x, source) != 0, Effect::kLoad);
    case OpKind::kReceive:
      return receives(graph, e, source);
    default:
      return Effect::kUpdate;
  }
}

NodeId source_when_run(const ExecutionGraph& graph, const Node& e) {
  if (reads(e.role)) return graph.newest(e.location);
  if (e.label.kind != OpKind::kReceive) return kNoNode;
  const std::span<const NodeId> sends = graph.stores(e.location);
  const auto send = std::ranges::find_if(
      sends, [&](NodeId s) { return sent_message(graph[s].label) == taken_message(e.label); });
  if (send == sends.end()) throw std::logic_error("a message was received that nobody has sent");
  return *send;
}

std::uint16_t ways_after(const ExecutionGraph& graph, const Node& e, NodeId source) {
  if (e.label.kind != OpKind::kCondSignal) return e.ways;
  return static_cast<std::uint16_t>(std::max<std::size_t>(1, waiters_after(graph, e, source)));
}

NodeId awaited(const ExecutionGraph& graph, const Node& e, bool& needs) {
  needs = true;
  if (e.label.kind == OpKind::kJoin) return graph.last_of(child_of(e.label));
  if (waits_for_signal(e.label) && e.before != kNoNode) {
    const Node& wait = graph[e.before];
    for (NodeId s : graph.stores(wait.location).subspan(wait.rank + std::size_t{1}))
      if (is_signal(graph[s].label.kind) &&
          (woken_threads(graph[s].label) & woken_bit(e.thread)) != 0)
        return s;
  }
  if (e.label.kind == OpKind::kBarrierDepart && graph.arrivals_commute()) {
    NodeId arrival = kNoNode;
    const std::uint32_t arrived = for_each_arrival(graph, e.label, [&](NodeId a) { arrival = a; });
    return arrived == capacity(e.label) ? arrival : kNoNode;
  }
  if (e.label.kind == OpKind::kBarrierDepart && e.before != kNoNode) {
    for (NodeId a : graph.stores(graph[e.before].location)) {
      const Label& l = graph[a].label;
      if (arrives(l) && arrival_phase(l) == departure_phase(e.label) &&
          arrived_before(l) + 1 == capacity(l))
        return a;
    }
  }
  needs = waits_for_signal(e.label) || e.label.kind == OpKind::kBarrierDepart;
  return kNoNode;
}

Orders orders_of(const Node& e) {
  switch (e.label.kind) {
    case OpKind::kLock:
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kSemWait:
    case OpKind::kCondWake:
    case OpKind::kOnceEnter:
      return {.acquire = true};
    case OpKind::kTryLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
    case OpKind::kSemTryWait:
      return {.acquire = e.role == Role::kUpdate};
    case OpKind::kUnlock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
    case OpKind::kSemPost:
    case OpKind::kBarrierArrive:
    case OpKind::kCondWait:
    case OpKind::kOnceLeave:
    case OpKind::kSend:
      return {.release = true};
    case OpKind::kReceive:
      return {.acquire = e.role == Role::kNone};
    default:
      break;
  }
  if (!is_memory(e.label.kind) && !is_fence(e)) return {};
  if (!is_fence(e) && !is_cell(e.label))
    return {.acquire = reads(e.role), .release = writes(e.role)};
  const bool failed = e.label.kind == OpKind::kCas && e.role == Role::kLoad;
  const std::uint8_t order = failed ? failure_order(e.label) : e.label.order;
  const bool fence = is_fence(e);
  Orders orders;
  orders.seq_cst = order == __ATOMIC_SEQ_CST;
  const bool both = order == __ATOMIC_ACQ_REL || orders.seq_cst;
  orders.acquire =
      (fence || reads(e.role)) && (both || order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME);
  orders.release = (fence || writes(e.role)) && (both || order == __ATOMIC_RELEASE);
  return orders;
}

}  // namespace mazur
