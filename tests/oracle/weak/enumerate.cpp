#include "enumerate.h"

#include <algorithm>
#include <unordered_set>

#include "machine/model/state.h"
#include "trace/fields.h"

namespace mazur::model {
namespace {

using How = Touched::How;

// A program that has run for a while, and the graph of that.
struct Configuration {
  State state;
  WeakGraph graph;

  explicit Configuration(const Program& program) : state(&program) {
    state.make_weak(true);
    state.reset();
  }

  std::vector<Pending> enabled() const {
    std::vector<Pending> all;
    state.frontier(all);
    std::erase_if(all, [](const Pending& p) { return !p.enabled; });
    return all;
  }

  WeakGraph::Item& run(Step step) { return append(graph, state.run(step)); }
  int last() const { return static_cast<int>(graph.items.size()) - 1; }
};

class Graphs {
 public:
  Graphs(MemoryModel model, std::size_t most, WeakAnswer& answer)
      : model_(model), most_(most), answer_(answer) {}

  void visit(const Configuration& at) {
    if (seen_.size() >= most_ || !seen_.insert(at.graph.name(true)).second) return;
    const std::vector<Pending> enabled = at.enabled();
    if (enabled.empty()) {
      answer_.names.insert(at.graph.name(false));
      answer_.commuting.insert(at.graph.name(false, WeakGraph::Arrivals::kCommute));
      answer_.crowded = answer_.crowded || is_crowded(at.graph);
      return;
    }
    for (const Pending& p : enabled)
      for (std::uint16_t c = 0; c < p.ways; ++c)
        if (is_cell(p.op))
          memory(at, {p.thread, c}, p.op);
        else
          other(at, {p.thread, c});
  }
  bool complete() const { return seen_.size() < most_; }

 private:
  void other(const Configuration& at, Step step) {
    Configuration next = at;
    next.run(step);
    visit(next);
  }

  void memory(const Configuration& at, Step step, const Operation& op) {
    const std::uint64_t object = touched(Label{op})[0].object;
    std::vector<int> writers;
    if (const auto found = at.graph.writers.find(object); found != at.graph.writers.end())
      writers = found->second;
    if (op.kind == OpKind::kStore) {
      for (std::size_t place = 0; place <= writers.size(); ++place) {
        Configuration next = at;
        step.ref = place == writers.size() ? kNewest : kBehind;
        next.run(step);
        insert(next, object, place);
      }
      return;
    }
    for (std::size_t behind = 0; behind <= writers.size(); ++behind) {
      const int source = behind == 0 ? WeakGraph::kInitially : writers[behind - 1];
      // A round of a loop that waits reads something newer than the last one.
      if (op.object2 != 0 && source == last_source(at, step.thread)) continue;
      Configuration next = at;
      step.ref = behind == 0 ? kNoStore : static_cast<StoreRef>(source);
      WeakGraph::Item& item = next.run(step);
      item.sources[0] = source;
      const bool writes = touched(item.event.label)[0].how == How::kUpdates;
      if (writes)
        insert(next, object, behind);
      else if (is_consistent(next.graph, model_))
        visit(next);
    }
  }

  static int last_source(const Configuration& at, ThreadId thread) {
    for (int i = at.last(); i >= 0; --i)
      if (at.graph.items[i].event.thread == thread) return at.graph.items[i].sources[0];
    return WeakGraph::kInitially;
  }

  void insert(Configuration& next, std::uint64_t object, std::size_t place) {
    std::vector<int>& writers = next.graph.writers[object];
    writers.insert(writers.begin() + static_cast<std::ptrdiff_t>(place), next.last());
    if (is_consistent(next.graph, model_)) visit(next);
  }

  MemoryModel model_;
  std::size_t most_;
  WeakAnswer& answer_;
  std::unordered_set<std::string> seen_;
};

// Stores wait in a buffer of their thread. Under pso those to one location stay in order, and none
// passes a barrier.
class Buffers {
 public:
  Buffers(bool pso, std::size_t most, WeakAnswer& answer)
      : pso_(pso), most_(most), answer_(answer) {}

  static constexpr int kBarrier = -1;
  using Buffer = std::vector<int>;  // stores and barriers, oldest first

  void visit(const Configuration& at, const std::vector<Buffer>& buffers) {
    std::string name = at.graph.name(true);
    for (const Buffer& b : buffers) {
      name += "|";
      for (int s : b)
        name += s == kBarrier ? "b"
                              : std::to_string(at.graph.items[s].event.thread) + "." +
                                    std::to_string(at.graph.items[s].place) + ",";
    }
    if (seen_.size() >= most_ || !seen_.insert(name).second) return;
    bool moved = flush(at, buffers);
    for (const Pending& p : at.enabled())
      for (std::uint16_t c = 0; c < p.ways; ++c)
        if (run(at, buffers, {p.thread, c}, p.op)) moved = true;
    if (!moved) answer_.names.insert(at.graph.name(false));
  }
  bool complete() const { return seen_.size() < most_; }

 private:
  bool flush(const Configuration& at, const std::vector<Buffer>& buffers) {
    bool moved = false;
    const auto object = [&](int s) { return touched(at.graph.items[s].event.label)[0].object; };
    for (std::size_t t = 0; t < buffers.size(); ++t) {
      const Buffer& b = buffers[t];
      for (std::size_t i = 0; i < b.size(); ++i) {
        if (b[i] == kBarrier && i > 0) break;
        if (b[i] != kBarrier) {
          if (!pso_ && i > 0) break;
          const bool first = std::none_of(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(i),
                                          [&](int s) { return object(s) == object(b[i]); });
          if (!first) continue;
        }
        Configuration next = at;
        if (b[i] != kBarrier) next.graph.writers[object(b[i])].push_back(b[i]);
        std::vector<Buffer> rest = buffers;
        rest[t].erase(rest[t].begin() + static_cast<std::ptrdiff_t>(i));
        moved = true;
        visit(next, rest);
        if (b[i] == kBarrier) break;
      }
    }
    return moved;
  }

  bool run(const Configuration& at, const std::vector<Buffer>& buffers, Step step,
           const Operation& op) {
    const Buffer& own = buffers[step.thread];
    const bool releases = op.order == __ATOMIC_RELEASE || op.order == __ATOMIC_ACQ_REL;
    const bool seq_cst = op.order == __ATOMIC_SEQ_CST;
    std::vector<Buffer> after = buffers;
    Configuration next = at;
    if (is_memory(op.kind) && !is_cell(op)) {
      if (!own.empty()) return false;
      next.run(step);
      visit(next, after);
      return true;
    }
    switch (op.kind) {
      case OpKind::kStore: {
        if (seq_cst && !own.empty()) return false;
        step.ref = kBehind;
        next.run(step);
        if (seq_cst) {
          next.graph.writers[touched(Label{op})[0].object].push_back(next.last());
        } else {
          if (pso_ && releases && !own.empty()) after[step.thread].push_back(kBarrier);
          after[step.thread].push_back(next.last());
        }
        break;
      }
      case OpKind::kLoad:
        read(next, step, op, own);
        break;
      case OpKind::kRmw:
      case OpKind::kCas:
        if (!own.empty()) return false;
        read(next, step, op, own);
        if (const Touched t = touched(next.graph.items.back().event.label)[0];
            t.how == How::kUpdates)
          next.graph.writers[t.object].push_back(next.last());
        break;
      case OpKind::kFence:
        if (seq_cst && !own.empty()) return false;
        next.run(step);
        if (pso_ && releases && !own.empty()) after[step.thread].push_back(kBarrier);
        break;
      case OpKind::kChoose:
      case OpKind::kYield:
        next.run(step);
        break;
      case OpKind::kExit:
        if (std::ranges::any_of(buffers, [](const Buffer& b) { return !b.empty(); })) return false;
        next.run(step);
        break;
      case OpKind::kJoin:
        if (!buffers[child_of(op)].empty() || !own.empty()) return false;
        next.run(step);
        break;
      default:
        if (!own.empty()) return false;
        next.run(step);
        break;
    }
    visit(next, after);
    return true;
  }

  // The newest store in the thread's own buffer, or else in memory.
  static void read(Configuration& next, Step step, const Operation& op, const Buffer& own) {
    const std::uint64_t object = touched(Label{op})[0].object;
    int source = WeakGraph::kInitially;
    if (const auto found = next.graph.writers.find(object);
        found != next.graph.writers.end() && !found->second.empty())
      source = found->second.back();
    for (int s : own)
      if (s != kBarrier && touched(next.graph.items[s].event.label)[0].object == object) source = s;
    step.ref = source == WeakGraph::kInitially ? kNoStore : static_cast<StoreRef>(source);
    next.run(step).sources[0] = source;
  }

  bool pso_;
  std::size_t most_;
  WeakAnswer& answer_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

WeakGraph::Item& append(WeakGraph& graph, const Event& event) {
  WeakGraph::Item item{.event = event};
  const Label& l = event.label;
  int wait = WeakGraph::kInitially;  // the last event of its own thread
  for (int i = 0; i < static_cast<int>(graph.items.size()); ++i) {
    if (graph.items[i].event.thread == event.thread) ++item.place, wait = i;
    const Label& other = graph.items[i].event.label;
    // The last one that fits is the right one.
    if (l.kind == OpKind::kJoin &&
        (graph.items[i].event.thread == child_of(l) ||
         (other.kind == OpKind::kCreate && child_of(other) == child_of(l))))
      item.awaited = i;
    if (l.kind == OpKind::kCondWake && wait >= 0 && i > wait &&
        (other.kind == OpKind::kCondSignal || other.kind == OpKind::kCondBroadcast) &&
        other.object == l.object && (other.written >> event.thread & 1) != 0)
      item.awaited = i;
    if (l.kind == OpKind::kBarrierDepart && other.kind == OpKind::kBarrierArrive &&
        other.object == l.object && arrival_phase(other) == departure_phase(l))
      item.awaited = i;
    if (l.kind == OpKind::kReceive && l.success && other.kind == OpKind::kSend &&
        sent_message(other) == taken_message(l))
      item.awaited = i;
  }
  for (const Touched& t : touched(l)) {
    const std::vector<int>& writers = graph.writers[t.object];
    item.sources.push_back(t.how == How::kWrites || writers.empty() ? WeakGraph::kInitially
                                                                    : writers.back());
  }
  graph.items.push_back(item);
  if (!is_cell(l))
    for (const Touched& t : touched(l))
      if (t.how != How::kReads)
        graph.writers[t.object].push_back(static_cast<int>(graph.items.size()) - 1);
  return graph.items.back();
}

WeakAnswer enumerate_graphs(const Program& program, MemoryModel model, std::size_t max_graphs) {
  WeakAnswer answer;
  Graphs graphs(model, max_graphs, answer);
  graphs.visit(Configuration(program));
  answer.complete = graphs.complete();
  return answer;
}

WeakAnswer enumerate_buffers(const Program& program, MemoryModel model, std::size_t max_states) {
  WeakAnswer answer;
  Buffers buffers(model == MemoryModel::kPso, max_states, answer);
  buffers.visit(Configuration(program), std::vector<Buffers::Buffer>(program.threads.size()));
  answer.complete = buffers.complete();
  return answer;
}

}  // namespace mazur::model
