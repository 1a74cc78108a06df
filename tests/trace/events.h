// Short ways to write events, and random ones.
#pragma once

#include <random>
#include <vector>

#include "trace/trace.h"

namespace mazur {

inline Event event(ThreadId thread, OpKind kind, ObjectId object, std::uint32_t size = 8) {
  Event e;
  e.thread = thread;
  e.label.kind = kind;
  e.label.object = object;
  e.label.size = size;
  return e;
}
inline Event load(ThreadId thread, ObjectId object, std::uint32_t size = 8) {
  return event(thread, OpKind::kLoad, object, size);
}
inline Event store(ThreadId thread, ObjectId object, std::uint32_t size = 8) {
  return event(thread, OpKind::kStore, object, size);
}
inline Event send(ThreadId thread, ObjectId mailbox, std::uint64_t message,
                  ObjectId alternative = 0) {
  Event e = event(thread, OpKind::kSend, mailbox);
  e.label.value = message;
  e.label.object2 = alternative;
  return e;
}
// Took the message, or none if it is 0.
inline Event receive(ThreadId thread, ObjectId mailbox, std::uint64_t message,
                     std::uint64_t accepts = ~std::uint64_t{0}) {
  Event e = event(thread, OpKind::kReceive, mailbox, 1);
  e.label.value = accepts;
  e.label.read = message;
  e.label.success = message != 0;
  e.label.timed = message == 0;
  return e;
}
inline Event failed(Event e) {
  e.label.success = false;
  return e;
}

inline Trace trace_of(const std::vector<Event>& events) {
  Trace trace;
  for (const Event& e : events) trace.append(e);
  return trace;
}

// Any mixture of labels: no machine would run all of these sequences, but the order over them is
// defined all the same. Accesses have mixed sizes and overlap.
class RandomEvents {
 public:
  explicit RandomEvents(unsigned seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  Event memory(int threads) {
    static constexpr OpKind kKinds[] = {OpKind::kLoad, OpKind::kLoad, OpKind::kStore, OpKind::kRmw,
                                        OpKind::kCas};
    static constexpr std::uint32_t kSizes[] = {1, 2, 4, 8};
    const std::uint32_t size = kSizes[below(4)];
    Event e = event(static_cast<ThreadId>(below(threads)), kKinds[below(5)],
                    64 + static_cast<ObjectId>(below(static_cast<int>(16 / size))) * size, size);
    e.label.success = below(2) == 0;
    return e;
  }

  // Sends and receives of any alternatives, in vain or not.
  Event message(int threads) {
    const auto thread = static_cast<ThreadId>(below(threads));
    const auto mailbox = static_cast<ObjectId>(1 + below(2));
    const auto id = static_cast<std::uint64_t>(below(4));
    if (below(2) == 0) return send(thread, mailbox, 1 + id, static_cast<ObjectId>(below(12)));
    return receive(thread, mailbox, id, 1 + static_cast<std::uint64_t>(below(4095)));
  }

  // To follow the given events. Signals wake only threads that sleep, and only woken ones wake up.
  Event any(int threads, const std::vector<Event>& before) {
    static constexpr OpKind kKinds[] = {
        OpKind::kLock,      OpKind::kTryLock,    OpKind::kUnlock,     OpKind::kRdLock,
        OpKind::kWrLock,    OpKind::kTryRdLock,  OpKind::kTryWrLock,  OpKind::kRdUnlock,
        OpKind::kWrUnlock,  OpKind::kSemWait,    OpKind::kSemTryWait, OpKind::kSemPost,
        OpKind::kSemRead,   OpKind::kCondWait,   OpKind::kCondWake,   OpKind::kCondSignal,
        OpKind::kFutexWait, OpKind::kFutexWoken, OpKind::kFutexWake,  OpKind::kOnceEnter,
        OpKind::kOnceLeave, OpKind::kAwait,      OpKind::kYield,      OpKind::kChoose,
        OpKind::kFree,      OpKind::kInit,       OpKind::kDestroy};
    if (below(3) == 0) return memory(threads);
    if (below(6) == 0) return message(threads);
    Event e = event(static_cast<ThreadId>(below(threads)), kKinds[below(27)],
                    64 + static_cast<ObjectId>(below(2)) * 8, 4);
    e.label.success = below(2) == 0;
    if (is_life(e.label.kind)) e.label.value = 1 + static_cast<std::uint64_t>(below(5));
    if (e.label.kind == OpKind::kCondWait || e.label.kind == OpKind::kCondWake)
      e.label.object2 = 64 + static_cast<ObjectId>(below(2)) * 8;
    if (e.label.kind == OpKind::kAwait && below(2) == 0) e.label.object2 = 72;
    std::uint64_t asleep = 0;
    std::uint64_t woken = 0;
    for (const Event& x : before) {
      if (x.label.object != e.label.object) continue;
      const std::uint64_t bit = std::uint64_t{1} << x.thread;
      const OpKind kind = x.label.kind;
      if (kind == OpKind::kCondWait || (kind == OpKind::kFutexWait && x.label.success))
        asleep |= bit;
      if (kind == OpKind::kCondSignal || kind == OpKind::kFutexWake)
        woken |= x.label.written, asleep &= ~x.label.written;
      if (kind == OpKind::kCondWake || kind == OpKind::kFutexWoken) woken &= ~bit, asleep &= ~bit;
    }
    if (e.label.kind == OpKind::kCondSignal || e.label.kind == OpKind::kFutexWake)
      e.label.written = asleep & static_cast<std::uint64_t>(below(1 << threads));
    if (e.label.kind == OpKind::kCondWake || e.label.kind == OpKind::kFutexWoken)
      e.label.timed = (woken >> e.thread & 1) == 0;
    return e;
  }

 private:
  std::mt19937 random_;
};

}  // namespace mazur
