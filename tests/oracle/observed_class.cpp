#include "observed_class.h"

#include <bit>

#include "base/hash.h"
#include "oracle.h"
#include "trace/atomic_block/block.h"

namespace mazur::model {
namespace {

struct Bytes {
  ObjectId from, to;
  bool meet(const Bytes& other) const { return from < other.to && other.from < to; }
};
Bytes bytes(const Label& l) { return {l.object, l.object + l.size}; }

bool writes(const Label& l) {
  return l.kind == OpKind::kStore || l.kind == OpKind::kRmw || l.kind == OpKind::kOnceLeave ||
         ((l.kind == OpKind::kCas || l.kind == OpKind::kOnceEnter) && l.success);
}
bool reads(const Label& l) {
  switch (l.kind) {
    case OpKind::kLoad:
    case OpKind::kRmw:
    case OpKind::kCas:
    case OpKind::kOnceEnter:
    case OpKind::kFutexWait:
    case OpKind::kAwait:
      return true;
    default:
      return false;
  }
}

// What an event does with memory.
struct Use {
  Bytes bytes;
  bool reads, writes;
};
std::vector<Use> uses(const Label& l) {
  std::vector<Use> list;
  if (l.kind != OpKind::kAtomicBlock) {
    if (reads(l) || writes(l)) list.push_back({bytes(l), reads(l), writes(l)});
    return list;
  }
  for (const BlockAccess& b : block_table.contents(l))
    if (b.access.space == Space::kMemory)
      list.push_back({{b.access.object, b.access.object + b.access.size},
                      b.reads,
                      b.access.mode == mode::kWrite});
  return list;
}
bool writes_byte(const Label& l, ObjectId byte) {
  for (const Use& u : uses(l))
    if (u.writes && u.bytes.meet({byte, byte + 1})) return true;
  return false;
}

}  // namespace

Shown shown(const State& state) {
  const Ending e = ending(state);
  Shown s{.deadlock = e.deadlock, .assumed_away = e.assumed_away, .failure = e.failure};
  for (ThreadId id = 0; id < state.threads(); ++id) {
    const ThreadState& t = state.thread(id);
    s.threads = mixed(s.threads, static_cast<std::uint64_t>(t.life) << 32 | t.pc);
    s.threads = mixed(s.threads, t.mutexes_held);
    for (std::int32_t r : t.registers) s.threads = mixed(s.threads, static_cast<std::uint32_t>(r));
  }
  return s;
}

std::vector<int> mailboxes_shown(const std::function<const Event&(std::size_t)>& event,
                                 std::size_t size, const State& end) {
  std::vector<int> shown(kMaxThreads, 0);
  const auto at_least = [&](int level) {
    for (int& s : shown) s = std::max(s, level);
  };
  const auto note = [&](ThreadId thread, const Operation& op) {
    switch (op.kind) {
      case OpKind::kReceive:
        // Blind, without a timeout, and content with anything.
        if (op.size != 0 || op.timed || op.value + 1 != 0)
          shown[thread] = std::max(shown[thread], 1);
        break;
      case OpKind::kLoad:
      case OpKind::kRmw:
        if (op.object2 != 0) at_least(2);  // a loop that waits
        break;
      case OpKind::kWrLock:
      case OpKind::kAwait:
      case OpKind::kCondWait:
      case OpKind::kCondWake:
      case OpKind::kFutexWait:
      case OpKind::kFutexWoken:
      case OpKind::kBarrierArrive:
      case OpKind::kBarrierDepart:
      case OpKind::kAtomicBlock:
        at_least(1);
        break;
      default:
        break;
    }
  };
  for (std::size_t i = 0; i < size; ++i) note(event(i).thread, event(i).label);
  std::vector<Pending> frontier;
  end.frontier(frontier);
  for (const Pending& p : frontier) note(p.thread, p.op);
  return shown;
}

ClassName observed_class(const std::function<const Event&(std::size_t)>& event, std::size_t size,
                         const State& end) {
  std::vector<Bytes> awaited;
  const auto note = [&](const Operation& op) {
    if (op.kind != OpKind::kAwait) return;
    awaited.push_back({op.object, op.object + op.size});
    if (op.object2 != 0) awaited.push_back({op.object2, op.object2 + op.size});
  };
  for (std::size_t i = 0; i < size; ++i) note(event(i).label);
  std::vector<Pending> frontier;
  end.frontier(frontier);
  for (const Pending& p : frontier) note(p.op);
  // A write of an event that does not read what it replaces, and replaces nothing else so.
  const auto blind = [&](const Event& e, ObjectId from, ObjectId to) {
    if (e.label.kind != OpKind::kStore && e.label.kind != OpKind::kAtomicBlock) return false;
    int places = 0;
    for (const Use& u : uses(e.label)) places += u.writes && !u.reads ? 1 : 0;
    if (places > 1) return false;
    for (const Bytes& b : awaited)
      if (b.meet({from, to})) return false;
    for (const Use& u : uses(e.label))
      if (u.reads && u.bytes.meet({from, to})) return false;
    return true;
  };

  // Mailbox n belongs to thread n.
  const std::vector<int> mailboxes = mailboxes_shown(event, size, end);
  const auto shown_of = [&](const Label& l) {
    return mailboxes[(l.object - object_id(ObjectClass::kMailbox, 0)) / 8];
  };
  const auto is = [&](std::size_t i, OpKind kind) { return event(i).label.kind == kind; };
  // Which event took the message that this one sent, or size.
  const auto taker = [&](std::size_t send) {
    std::size_t r = 0;
    while (r < size && !(is(r, OpKind::kReceive) && event(r).label.read == event(send).label.value))
      ++r;
    return r;
  };
  // Of two sends to one mailbox.
  const auto told_apart = [&](std::size_t first, std::size_t second) {
    const int shown = shown_of(event(first).label);
    if (shown != 1) return shown == 2;
    const std::size_t r = taker(first);
    return r < size && (event(r).label.value >> event(second).label.object2 & 1) != 0 &&
           taker(second) > r;
  };

  // before[f] is the set of events that happen before f, by index.
  std::vector<std::vector<bool>> before(size, std::vector<bool>(size, false));
  for (std::size_t f = 0; f < size; ++f) {
    const Event& b = event(f);
    for (std::size_t e = 0; e < f; ++e) {
      const Event& a = event(e);
      bool direct = a.thread == b.thread;
      direct = direct || (a.label.kind == OpKind::kCreate && a.label.object == b.thread);
      direct = direct || (b.label.kind == OpKind::kJoin && b.label.object == a.thread);
      direct = direct || (a.label.kind == OpKind::kCreate && b.label.kind == OpKind::kJoin &&
                          a.label.object == b.label.object);
      if (conflict(a, b) && is(e, OpKind::kSend) && is(f, OpKind::kSend)) {
        direct = direct || told_apart(e, f);
      } else if (conflict(a, b) && is(e, OpKind::kSend) && shown_of(a.label) == 0) {
        // The message and the receive that took it: any other would have done.
      } else if (conflict(a, b)) {
        bool counts = conflict(a, b, blind);
        // Condition 4: some later event reads a byte that both wrote, from b.
        for (std::size_t o = f + 1; !counts && o < size; ++o) {
          for (const Use& u : uses(event(o).label)) {
            for (ObjectId x = u.bytes.from; u.reads && x < u.bytes.to && !counts; ++x) {
              if (!writes_byte(a.label, x) || !writes_byte(b.label, x)) continue;
              std::size_t last = o;
              while (last-- > f)
                if (writes_byte(event(last).label, x)) break;
              counts = last == f;
            }
          }
        }
        direct = direct || counts;
      }
      before[f][e] = direct;
    }
  }
  // Events are in a linear order that extends it, so one pass closes it.
  for (std::size_t f = 0; f < size; ++f)
    for (std::size_t e = f; e-- > 0;)
      if (before[f][e])
        for (std::size_t d = 0; d < e; ++d)
          if (before[e][d]) before[f][d] = true;

  std::vector<std::uint64_t> identity(size);
  std::vector<std::uint32_t> place(64, 0);
  for (std::size_t i = 0; i < size; ++i)
    identity[i] = mixed(std::uint64_t{event(i).thread} << 32, ++place[event(i).thread % 64]);
  ClassName name;
  for (std::size_t f = 0; f < size; ++f) {
    const Event& e = event(f);
    const Label& l = e.label;
    const bool counted = l.kind == OpKind::kSemPost || l.kind == OpKind::kBarrierArrive ||
                         (l.kind == OpKind::kReceive && shown_of(l) == 0);
    std::uint64_t h = mixed(identity[f], std::uint64_t{e.choice} << 32 |
                                             static_cast<std::uint64_t>(l.kind) << 1 | l.success);
    h = mixed(mixed(h, l.object), l.object2);
    h = mixed(h, counted ? 0 : l.read);
    h = mixed(h, l.kind == OpKind::kSemPost ? 0 : l.written);
    std::uint64_t past = 0;
    for (std::size_t d = 0; d < f; ++d)
      if (before[f][d]) past += mixed(identity[d], 0x452821e638d01377);
    h = mixed(h, past);
    name.high += mixed_well(h, 0x13198a2e03707344);
    name.low += mixed_well(h, 0xa4093822299f31d0);
  }
  return name;
}

}  // namespace mazur::model
