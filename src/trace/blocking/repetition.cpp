#include "trace/blocking/repetition.h"

#include <algorithm>
#include <map>
#include <set>

#include "trace/access.h"
#include "trace/blocking/read_past.h"
#include "trace/fields.h"

namespace mazur {
namespace {

constexpr int kMostTries = 300;

struct Key {
  Space space;
  ObjectId object;
  friend auto operator<=>(const Key&, const Key&) = default;  // NOLINT(modernize-use-nullptr)
};

// The lock that an event takes, gives or looks at.
bool lock_of(const Label& l, Key& key) {
  switch (l.kind) {
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock:
      key = {Space::kMutex, l.object};
      return true;
    case OpKind::kCondWait:
    case OpKind::kCondWake:
      key = {Space::kMutex, mutex_of(l)};
      return true;
    case OpKind::kRdLock:
    case OpKind::kWrLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
    case OpKind::kRdUnlock:
    case OpKind::kWrUnlock:
      key = {Space::kRwLock, l.object};
      return true;
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kSemRead:
      key = {Space::kSemaphore, l.object};
      return true;
    default:
      return false;
  }
}

// Who holds a lock. A mutex and a writer hold it alone.
struct State {
  ThreadId alone = kNoThread;
  std::vector<ThreadId> readers;  // sorted; a thread may be in it several times
  std::int64_t missing = 0;       // of a semaphore: taken and not posted
  friend bool operator==(const State&, const State&) = default;

  void add_reader(ThreadId t) {
    readers.insert(std::lower_bound(readers.begin(), readers.end(), t), t);
  }
  void remove_reader(ThreadId t) {
    if (const auto at = std::find(readers.begin(), readers.end(), t); at != readers.end())
      readers.erase(at);
  }
  bool is_free() const { return alone == kNoThread && readers.empty(); }

  // Does what the event did.
  void apply(const Event& e) {
    const Label& l = e.label;
    switch (l.kind) {
      case OpKind::kLock:
      case OpKind::kCondWake:
      case OpKind::kWrLock:
        alone = e.thread;
        break;
      case OpKind::kTryLock:
      case OpKind::kTryWrLock:
        if (acquired(l)) alone = e.thread;
        break;
      case OpKind::kUnlock:
      case OpKind::kCondWait:
      case OpKind::kWrUnlock:
        alone = kNoThread;
        break;
      case OpKind::kRdLock:
        add_reader(e.thread);
        break;
      case OpKind::kTryRdLock:
        if (acquired(l)) add_reader(e.thread);
        break;
      case OpKind::kRdUnlock:
        remove_reader(e.thread);
        break;
      case OpKind::kSemWait:
        ++missing;
        break;
      case OpKind::kSemTryWait:
        if (acquired(l)) ++missing;
        break;
      case OpKind::kSemPost:
        --missing;
        break;
      default:
        break;
    }
  }

  // Whether the event would be the same in this state as it was in the state `then`.
  bool allows(const Event& e, const State& then) const {
    const Label& l = e.label;
    const std::int64_t more = then.missing - missing;  // what the semaphore has more than then
    switch (l.kind) {
      case OpKind::kLock:
      case OpKind::kCondWake:
      case OpKind::kWrLock:
        return is_free();
      case OpKind::kTryLock:
      case OpKind::kTryWrLock:
        return acquired(l) == is_free();
      case OpKind::kRdLock:
        return alone == kNoThread;
      case OpKind::kTryRdLock:
        return acquired(l) == (alone == kNoThread);
      case OpKind::kUnlock:
      case OpKind::kCondWait:
      case OpKind::kWrUnlock:
        return alone == e.thread;
      case OpKind::kRdUnlock:
        return std::find(readers.begin(), readers.end(), e.thread) != readers.end();
      case OpKind::kSemWait:
        return static_cast<std::int64_t>(count_before(l)) + more > 0;
      case OpKind::kSemTryWait:
        return acquired(l) == (static_cast<std::int64_t>(count_before(l)) + more > 0);
      case OpKind::kSemRead:
        return more == 0;
      default:
        return true;
    }
  }
};

}  // namespace

Repetition::Repetition(const LoopVisits& visits, const Trace& trace, ThreadId thread)
    : visits_(visits), trace_(trace), thread_(thread), budget_(kMostTries) {
  const EventIndex own = trace.last_of(thread);
  if (own == kNoEvent) return;
  if (!trace.keeps_order()) {
    known_ = read_past(trace, own);
    return;
  }
  for (EventIndex e = 0; e <= own; ++e)
    if (trace.happens_before(e, own)) known_.push_back(e);
}

bool Repetition::exists(std::uint64_t last_begin) {
  std::vector<Window> own;
  find_windows(thread_, own);
  for (const Window& window : own) {
    if (window.end > last_begin + 1) continue;
    left_out_.assign(1, window);
    if (works()) return true;
  }
  return false;
}

void Repetition::find_windows(ThreadId thread, std::vector<Window>& out) const {
  if (thread >= visits_.threads_.size()) return;
  // The thread's last event that is known.
  EventIndex last = kNoEvent;
  for (const EventIndex e : known_)
    if (trace_[e].thread == thread) last = e;
  if (last == kNoEvent) return;
  const auto& visits = visits_.threads_[thread].visits;
  for (std::size_t length = 1; length < visits.size(); ++length)
    for (std::size_t i = 0; i + length < visits.size(); ++i) {
      const auto& from = visits[i];
      const auto& to = visits[i + length];
      if (from.state == to.state && from.changes == to.changes &&
          to.events <= last + std::uint64_t{1})
        out.push_back({thread, from.events, to.events});
    }
}

bool Repetition::is_left_out(EventIndex e) const {
  return std::any_of(left_out_.begin(), left_out_.end(), [&](const Window& w) {
    return w.thread == trace_[e].thread && w.begin <= e && e < w.end;
  });
}

EventIndex Repetition::first_conflict(bool& impossible) const {
  std::map<Key, std::pair<State, State>> states;  // in the execution, and without what is left out
  std::set<Key> touched;                          // by what is left out, so far
  for (const EventIndex e : known_) {
    const Event& event = trace_[e];
    Key key;
    // What these have seen is not asked.
    if (event.label.kind == OpKind::kAtomicBlock || is_life(event.label.kind))
      for (const Access& access : accesses(event.label))
        if (touched.contains({access.space, access.object})) {
          impossible = true;
          return e;
        }
    if (!lock_of(event.label, key)) continue;
    auto& [then, now] = states[key];
    if (is_left_out(e)) {
      touched.insert(key);
    } else {
      if (!now.allows(event, then)) return e;
      now.apply(event);
    }
    then.apply(event);
  }
  for (const auto& [key, state] : states)
    if (!(state.first == state.second)) impossible = true;
  return kNoEvent;
}

bool Repetition::works() {
  if (--budget_ < 0) return false;
  bool impossible = false;
  const EventIndex e = first_conflict(impossible);
  if (e == kNoEvent) return !impossible;
  const ThreadId other = trace_[e].thread;
  if (impossible || std::any_of(left_out_.begin(), left_out_.end(),
                                [&](const Window& w) { return w.thread == other; }))
    return false;
  std::vector<Window> windows;
  find_windows(other, windows);
  for (const Window& window : windows) {
    if (e < window.begin || e >= window.end) continue;
    left_out_.push_back(window);
    if (works()) return true;
    left_out_.pop_back();
  }
  return false;
}

}  // namespace mazur
