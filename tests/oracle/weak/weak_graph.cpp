#include "weak_graph.h"

#include <algorithm>
#include <stdexcept>

#include "relation.h"
#include "trace/fields.h"

namespace mazur::model {
namespace {

using How = Touched::How;

bool is_mutex_kind(OpKind k) {
  return k == OpKind::kLock || k == OpKind::kTryLock || k == OpKind::kUnlock;
}

}  // namespace

Touches touched(const Label& l) {
  const auto named = [&](std::uint64_t kind, ObjectId object) { return kind << 48 | object; };
  const How if_done = l.success ? How::kUpdates : How::kReads;
  switch (l.kind) {
    case OpKind::kLoad:
      return {{named(1, l.object), How::kReads}};
    case OpKind::kStore:
      return {{named(1, l.object), How::kWrites}};
    case OpKind::kRmw:
      return {{named(1, l.object), How::kUpdates}};
    case OpKind::kCas:
      return {{named(1, l.object), if_done}};
    case OpKind::kOnceEnter:
      return {{named(2, l.object), if_done}};
    case OpKind::kOnceLeave:
      return {{named(2, l.object), How::kUpdates}};
    case OpKind::kSemRead:
      return {{named(3, l.object), How::kReads}};
    case OpKind::kSemTryWait:
      return {{named(3, l.object), if_done}};
    case OpKind::kSemWait:
    case OpKind::kSemPost:
      return {{named(3, l.object), How::kUpdates}};
    case OpKind::kLock:
    case OpKind::kUnlock:
    case OpKind::kTryLock:
      return {{named(4, l.object), l.kind == OpKind::kTryLock ? if_done : How::kUpdates}};
    case OpKind::kCondWake:
      return {{named(4, l.object2), How::kUpdates}};
    case OpKind::kCondWait:
      return {{named(5, l.object), How::kUpdates}, {named(4, l.object2), How::kUpdates}};
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      return {{named(5, l.object), How::kUpdates}};
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
      return {{named(6, l.object), How::kUpdates}};
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
      return {{named(6, l.object), if_done}};
    case OpKind::kBarrierArrive:
      return {{named(7, l.object), How::kUpdates}};
    case OpKind::kSend:
      return {{named(8, l.object), How::kUpdates}};
    case OpKind::kReceive:  // one that took a message has waited for that
      if (l.success) return {};
      return {{named(8, l.object), How::kReads}};
    default:
      return {};
  }
}

bool is_crowded(const WeakGraph& graph) {
  std::map<ObjectId, std::map<ThreadId, int>> inside;  // arrivals without a departure
  for (const WeakGraph::Item& item : graph.items) {
    const Label& l = item.event.label;
    if (l.kind == OpKind::kBarrierDepart) --inside[l.object][item.event.thread];
    if (l.kind != OpKind::kBarrierArrive) continue;
    if (++inside[l.object][item.event.thread] > 1 || inside[l.object].size() > l.size) return true;
  }
  return false;
}

std::string WeakGraph::name(bool with_fences, Arrivals arrivals) const {
  const auto is_skipped = [&](const Label& l) {
    return arrivals == Arrivals::kCommute && l.kind == OpKind::kBarrierArrive;
  };
  const auto counts = [&](const Item& item) {
    return with_fences || item.event.label.kind != OpKind::kFence;
  };
  std::vector<std::uint64_t> ids(items.size());  // thread and place
  std::vector<std::uint32_t> places;             // by thread: how many items there are so far
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!counts(items[i])) continue;
    const ThreadId t = items[i].event.thread;
    if (places.size() <= t) places.resize(t + std::size_t{1});
    ids[i] = std::uint64_t{t} << 32 | places[t]++;
  }
  // Numbers as bytes: thread after thread, each in its own order, then the writers of each object.
  std::string all;
  all.reserve(64 * items.size());
  const auto add = [&](std::uint64_t number) {
    all.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const auto add_id = [&](int i) { add(i == kInitially ? ~std::uint64_t{0} : ids[i]); };
  for (ThreadId t = 0; t < places.size(); ++t) {
    add(places[t]);
    for (const Item& item : items) {
      if (item.event.thread != t || !counts(item)) continue;
      const Label& l = item.event.label;
      add(static_cast<std::uint64_t>(l.kind) << 32 | std::uint64_t{item.event.choice} << 1 |
          std::uint64_t{l.success});
      for (std::uint64_t number : {l.object, is_skipped(l) ? 0 : l.read, l.written}) add(number);
      if (is_skipped(l)) continue;
      for (int source : item.sources) add_id(source);
    }
  }
  for (const auto& [object, stores] : writers) {
    if (stores.empty() || is_skipped(items[stores.front()].event.label)) continue;
    add(object);
    add(stores.size());
    for (int store : stores) add_id(store);
  }
  return all;
}

namespace {

constexpr int kRelaxed = __ATOMIC_RELAXED, kSeqCst = __ATOMIC_SEQ_CST;

// The nodes of a graph: a load, a store, a fence or something else. An update is two, the load
// first. The initial value of each object is a store, too.
struct Node {
  int item = -1;
  bool load = false;
  bool store = false;
  std::uint64_t object = 0;
  int order = kRelaxed;
  OpKind kind = OpKind::kNone;
  bool table = false;  // an entry of one: acquires and releases, and is sequentially consistent
  bool memory() const { return (is_memory(kind) && !table) || item < 0; }
  bool acquires() const {
    return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
           order == kSeqCst;
  }
  bool releases() const {
    return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == kSeqCst;
  }
  bool fence() const { return kind == OpKind::kFence; }
};

class Relations {
 public:
  explicit Relations(const WeakGraph& graph);

  bool porf_and_objects() const;
  bool sc() const { return acyclic(po | rf | co | fr | extra); }
  bool buffered(bool pso) const;
  bool cpp20() const;

 private:
  Set all(auto which) const {
    Set s = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (which(nodes[i])) s |= bit(static_cast<int>(i));
    return s;
  }
  Rel same_object(const Rel& r) const {
    Rel out = r;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < nodes.size(); ++j)
        if (nodes[i].object == 0 || nodes[i].object != nodes[j].object)
          out[i] &= ~bit(static_cast<int>(j));
    return out;
  }
  Rel synchronises() const;

  const WeakGraph& graph_;
  std::vector<Node> nodes;
  std::vector<int> first, last;  // the nodes of an item: first one, last one
  Rel po, rf, co, fr, rmw;
  Rel extra;   // creation, join, signals, barriers: in the porf-past
  Rel strong;  // of these, what happens before
};

Relations::Relations(const WeakGraph& graph) : graph_(graph) {
  // The load or the store of an item, or the initial store, at an object.
  const auto find = [&](int item, std::uint64_t object, bool store) {
    for (std::size_t i = item < 0 ? 0 : static_cast<std::size_t>(first[item]); i < nodes.size();
         ++i)
      if (nodes[i].item == item && nodes[i].object == object && nodes[i].store == store)
        return static_cast<int>(i);
    throw std::logic_error("a graph without a load or store that it names");
  };
  const auto writer_of = [&](int item, std::uint64_t object) { return find(item, object, true); };
  const auto begin_with = [&](std::uint64_t object) {
    if (std::ranges::find(nodes, object, &Node::object) == nodes.end())
      nodes.push_back({.store = true, .object = object});
  };
  for (const auto& [object, all] : graph.writers) begin_with(object);
  for (const WeakGraph::Item& item : graph.items)
    for (const Touched& t : touched(item.event.label)) begin_with(t.object);
  for (int i = 0; i < static_cast<int>(graph.items.size()); ++i) {
    const Label& l = graph.items[i].event.label;
    const bool table = is_memory(l.kind) && is_table_key(l.object);
    const Node base{
        .item = i, .order = table ? __ATOMIC_ACQ_REL : l.order, .kind = l.kind, .table = table};
    first.push_back(static_cast<int>(nodes.size()));
    const Touches touches = touched(l);
    for (const Touched& t : touches) {
      Node n = base;
      n.object = t.object;
      n.load = t.how != How::kWrites;
      n.store = t.how == How::kWrites;
      nodes.push_back(n);
      if (t.how != How::kUpdates) continue;
      n.load = false;
      n.store = true;
      nodes.push_back(n);
    }
    if (touches.size() == 0) nodes.push_back(base);
    last.push_back(static_cast<int>(nodes.size()) - 1);
  }
  const std::size_t n = nodes.size();
  if (n > 64) throw std::length_error("too many events for a set of 64");
  po = rf = co = fr = rmw = extra = strong = Rel(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) {
      const int ia = nodes[a].item, ib = nodes[b].item;
      if (ib < 0) continue;
      const bool before = ia < 0 || (graph.items[ia].event.thread == graph.items[ib].event.thread &&
                                     (ia < ib || (ia == ib && a < b)));
      if (before) po[a] |= bit(static_cast<int>(b));
    }
  for (int i = 0; i < static_cast<int>(graph.items.size()); ++i) {
    const WeakGraph::Item& item = graph.items[i];
    const Touches touches = touched(item.event.label);
    for (std::size_t k = 0; k < touches.size(); ++k) {
      if (touches[k].how == How::kWrites) continue;
      const int r = find(i, touches[k].object, false);
      const int w = writer_of(item.sources[k], touches[k].object);
      rf[w] |= bit(r);
      if (touches[k].how == How::kUpdates) rmw[r] |= bit(writer_of(i, touches[k].object));
    }
    const Label& l = item.event.label;
    const auto order = [&](int from, bool happens_before) {
      extra[last[from]] |= bit(first[i]);
      if (happens_before) strong[last[from]] |= bit(first[i]);
    };
    if (item.awaited >= 0)
      order(item.awaited, l.kind == OpKind::kJoin || l.kind == OpKind::kReceive);
    for (int j = 0; j < i; ++j) {
      const Label& c = graph.items[j].event.label;
      if (c.kind == OpKind::kCreate && child_of(c) == item.event.thread) order(j, true);
    }
  }
  for (const auto& [object, all] : graph.writers) {
    Set later = 0;
    for (std::size_t k = all.size() + 1; k-- > 0;) {
      const int w = writer_of(k == 0 ? WeakGraph::kInitially : all[k - 1], object);
      co[w] = later;
      later |= bit(w);
    }
  }
  for (std::size_t w = 0; w < n; ++w)
    for (std::size_t r = 0; r < n; ++r)
      if (rf[w] & bit(static_cast<int>(r))) fr[r] = co[w];
}

// What all models have: no load buffering, updates are atomic, and objects other than memory are
// sequentially consistent.
bool Relations::porf_and_objects() const {
  const Set objects = all([](const Node& n) { return !n.memory(); });
  if (!acyclic(po | rf | extra | only(co | fr, objects, objects))) return false;
  for (std::size_t r = 0; r < nodes.size(); ++r)
    for (std::size_t w = 0; w < nodes.size(); ++w) {
      if (!(rmw[r] & bit(static_cast<int>(w)))) continue;
      for (std::size_t between = 0; between < nodes.size(); ++between)
        if ((fr[r] & bit(static_cast<int>(between))) && (co[between] & bit(static_cast<int>(w))))
          return false;
      if (!(fr[r] & bit(static_cast<int>(w)))) return false;
    }
  return true;
}

bool Relations::buffered(bool pso) const {
  if (!acyclic(same_object(po) | rf | co | fr)) return false;
  const auto drains = [](const Node& n) {  // waits for the buffer, and others wait for it
    switch (n.kind) {
      case OpKind::kLoad:
      case OpKind::kStore:
        return n.table;
      case OpKind::kFence:
        return n.order == kSeqCst;
      case OpKind::kChoose:
      case OpKind::kYield:
      case OpKind::kExit:
        return false;
      default:
        return true;
    }
  };
  const auto nothing = [&](const Node& n) {
    return n.item >= 0 && !n.load && !n.store && !n.fence() && !drains(n);
  };
  // A release store is a barrier for stores, then a store.
  const auto barrier_between = [&](std::size_t i, std::size_t j) {
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if ((po[i] & bit(static_cast<int>(k))) && (po[k] & bit(static_cast<int>(j))) &&
          nodes[k].store && nodes[k].releases())
        return true;
    return false;
  };
  Rel ppo(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (!(po[i] & bit(static_cast<int>(j)))) continue;
      const Node& a = nodes[i];
      const Node& b = nodes[j];
      bool kept = !nothing(a) && !nothing(b);
      if (a.item >= 0 && kept && !drains(a) && !drains(b)) {
        const bool release_fence_a = a.fence() && pso && a.releases() && b.store;
        const bool release_fence_b = b.fence() && pso && b.releases() && a.store;
        if (a.fence() || b.fence())
          kept = release_fence_a || release_fence_b;
        else if (a.store && b.load)
          kept = a.order == kSeqCst;
        else if (pso && a.store && b.store && a.object != b.object)
          kept = a.order == kSeqCst || b.releases() || barrier_between(i, j);
      }
      if (kept) ppo[i] |= bit(static_cast<int>(j));
    }
  Rel rfe = rf;
  for (std::size_t w = 0; w < nodes.size(); ++w)
    for (std::size_t r = 0; r < nodes.size(); ++r)
      if (nodes[w].item >= 0 && nodes[r].item >= 0 &&
          graph_.items[nodes[w].item].event.thread == graph_.items[nodes[r].item].event.thread)
        rfe[w] &= ~bit(static_cast<int>(r));
  // The end of a thread is when its buffer is empty: all its stores come before a join.
  Rel ends = extra;
  for (int i = 0; i < static_cast<int>(graph_.items.size()); ++i) {
    const WeakGraph::Item& join = graph_.items[i];
    if (join.event.label.kind != OpKind::kJoin) continue;
    for (std::size_t a = 0; a < nodes.size(); ++a)
      if (nodes[a].item >= 0 && nodes[a].item < i &&
          graph_.items[nodes[a].item].event.thread == child_of(join.event.label))
        ends[a] |= bit(first[i]);
  }
  return acyclic(ppo | rfe | co | fr | ends);
}

// What the standard says about atomics and fences, and of locks and the like.
Rel Relations::synchronises() const {
  const std::size_t n = nodes.size();
  const Set memory = all([](const Node& x) { return is_memory(x.kind) && x.item >= 0; });
  const Set writes = all([](const Node& x) { return x.store; }) & memory;
  const Set releases = all([](const Node& x) { return x.releases(); });
  const Set acquires = all([](const Node& x) { return x.acquires(); });
  const Set fences = all([](const Node& x) { return x.fence(); });
  const Rel sequence = identity(n, writes) | only(closure(then(rf, rmw)), writes, writes);
  const Rel from = identity(n, writes & releases) | only(po, fences & releases, writes);
  const Rel to = identity(n, memory & acquires) | only(po, memory, fences & acquires);
  Rel sw = then(then(then(from, sequence), only(rf, writes, memory)), to);
  // One operation of an object releases, a later one acquires.
  const auto joins = [](const Label& a, const Label& b) {
    const bool takes_mutex = b.kind == OpKind::kLock || b.kind == OpKind::kCondWake ||
                             (b.kind == OpKind::kTryLock && b.success);
    const bool reads = b.kind == OpKind::kRdLock || (b.kind == OpKind::kTryRdLock && b.success);
    const bool writes = b.kind == OpKind::kWrLock || (b.kind == OpKind::kTryWrLock && b.success);
    switch (a.kind) {
      case OpKind::kUnlock:
        return takes_mutex &&
               b.object * is_mutex_kind(b.kind) + b.object2 * (b.kind == OpKind::kCondWake) ==
                   a.object;
      case OpKind::kCondWait:
        return takes_mutex &&
               b.object * is_mutex_kind(b.kind) + b.object2 * (b.kind == OpKind::kCondWake) ==
                   a.object2;
      case OpKind::kWrUnlock:
        return (reads || writes) && a.object == b.object;
      case OpKind::kRdUnlock:
        return writes && a.object == b.object;
      case OpKind::kSemPost:
        return (b.kind == OpKind::kSemWait || (b.kind == OpKind::kSemTryWait && b.success)) &&
               a.object == b.object;
      case OpKind::kOnceLeave:
        return b.kind == OpKind::kOnceEnter && a.object == b.object;
      case OpKind::kBarrierArrive:
        return b.kind == OpKind::kBarrierDepart && a.object == b.object &&
               arrival_phase(a) == departure_phase(b);
      default:
        return false;
    }
  };
  for (int a = 0; a < static_cast<int>(graph_.items.size()); ++a)
    for (int b = 0; b < static_cast<int>(graph_.items.size()); ++b) {
      if (a == b || !joins(graph_.items[a].event.label, graph_.items[b].event.label)) continue;
      // b reads a's store or a later one. A departure touches nothing, but waits for all arrivals.
      const bool departs = graph_.items[b].event.label.kind == OpKind::kBarrierDepart;
      const Rel seen = then(co | identity(n, ~Set{0}), rf);
      bool later = departs;
      for (int x = first[a]; x <= last[a]; ++x)
        for (int y = first[b]; y <= last[b]; ++y)
          later = later || (nodes[x].store && (seen[x] & bit(y)));
      if (later) sw[last[a]] |= bit(first[b]);
    }
  return sw;
}

bool Relations::cpp20() const {
  const std::size_t n = nodes.size();
  const Rel hb = closure(po | synchronises() | strong);
  const Rel eco = closure(rf | co | fr);
  if (!irreflexive(hb) || !irreflexive(then(hb, eco))) return false;
  const Set everything = ~Set{0} >> (64 - n);
  const Set accesses =
      all([](const Node& x) { return x.order == kSeqCst && is_memory(x.kind) && x.item >= 0; });
  const Set fences = all([](const Node& x) { return x.fence() && x.order == kSeqCst; });
  const Set memory = all([](const Node& x) { return x.memory(); });
  const Rel scb = po | then(then(po, hb), po) | same_object(only(hb, memory, memory)) |
                  only(co | fr, memory, memory);
  const Rel same = identity(n, everything);
  const Rel left = identity(n, accesses) | only(hb | same, fences, everything);
  const Rel right = identity(n, accesses) | only(hb | same, everything, fences);
  const Rel base = then(then(left, scb), right);
  const Rel between = only(hb | then(then(hb, only(eco, memory, memory)), hb), fences, fences);
  return acyclic(base | between);
}

}  // namespace

bool is_consistent(const WeakGraph& graph, MemoryModel model) {
  const Relations r(graph);
  if (!r.porf_and_objects()) return false;
  switch (model) {
    case MemoryModel::kSc:
      return r.sc();
    case MemoryModel::kTso:
      return r.buffered(false);
    case MemoryModel::kPso:
      return r.buffered(true);
    case MemoryModel::kCpp20:
      return r.cpp20();
  }
  return false;
}

}  // namespace mazur::model
