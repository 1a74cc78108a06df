#include "happens_before.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/hash.h"
#include "machine/model/program.h"
#include "trace/atomic_block/block.h"
#include "trace/wait_set.h"

namespace mazur::model {
namespace {

enum class Resource : std::uint8_t {
  kNone,
  kBytes,
  kMutex,
  kRwLock,
  kSemaphore,
  kBarrier,
  kQueue,
  kMail,
  kLetter
};

enum class Mode : std::uint8_t {
  kRead,
  kWrite,
  kAcquire,
  kRelease,
  kProbe,  // a failed trylock
  kShared,
  kExclusive,
  kProbeShared,
  kProbeExclusive,
  kPost,
  kTake,
  kLook,
  kArrive,
  kDepart,
  kEnqueue,
  kSignal,
  kWake,
  kTimedWake,
  kSent,    // to a mailbox
  kMissed,  // a receive that found nothing
  kLife,    // begins or ends
};

struct Touch {
  Resource resource = Resource::kNone;
  Mode mode{};
  ObjectId from = 0;
  ObjectId to = 0;          // one past the last byte
  std::uint64_t extra = 0;  // a barrier's phase, the threads woken, the thread that wakes,
                            // alternatives
};

struct Touches {
  std::array<Touch, 4> list;
  int count = 0;
  std::vector<Touch> block;  // instead, for an atomic block
  void add(Resource resource, Mode mode, ObjectId at, std::uint64_t size = 1,
           std::uint64_t extra = 0) {
    list[count++] = {resource, mode, at, at + size, extra};
  }
  std::span<const Touch> all() const {
    if (!block.empty()) return block;
    return {list.data(), static_cast<std::size_t>(count)};
  }
};

// The model machine numbers its objects by class.
Resource resource_of(ObjectId object) {
  switch (static_cast<ObjectClass>(object / 0x10000 - 1)) {
    case ObjectClass::kMutex:
      return Resource::kMutex;
    case ObjectClass::kRwLock:
      return Resource::kRwLock;
    case ObjectClass::kCondition:
      return Resource::kQueue;
    case ObjectClass::kSemaphore:
      return Resource::kSemaphore;
    case ObjectClass::kBarrier:
      return Resource::kBarrier;
    default:
      return Resource::kNone;
  }
}

bool writes(const Access& a) { return a.mode == mazur::mode::kWrite; }

Touches touches(const Event& event) {
  using enum Mode;
  using enum Resource;
  const Label& l = event.label;
  const std::uint64_t self = std::uint64_t{1} << (event.thread % 64);
  Touches t;
  switch (l.kind) {
    case OpKind::kLoad:
      t.add(kBytes, kRead, l.object, l.size);
      if (l.object2 > kOwnLocation)  // a loop that waits for another location, too
        for (const Location& other : wait_set(l.object2))
          t.add(kBytes, kRead, other.object, other.size);
      break;
    case OpKind::kStore:
    case OpKind::kRmw:
    case OpKind::kOnceLeave:
      t.add(kBytes, kWrite, l.object, l.size);
      break;
    case OpKind::kCas:
    case OpKind::kOnceEnter:
      t.add(kBytes, l.success ? kWrite : kRead, l.object, l.size);
      break;
    case OpKind::kAwait:
      t.add(kBytes, kRead, l.object, l.size);
      if (l.object2 != 0) t.add(kBytes, kRead, l.object2, l.size);
      break;
    case OpKind::kLock:
      t.add(kMutex, kAcquire, l.object);
      break;
    case OpKind::kTryLock:
      t.add(kMutex, l.success ? kAcquire : kProbe, l.object);
      break;
    case OpKind::kUnlock:
      t.add(kMutex, kRelease, l.object);
      break;
    case OpKind::kRdLock:
    case OpKind::kRdUnlock:
      t.add(kRwLock, kShared, l.object);
      break;
    case OpKind::kWrLock:
    case OpKind::kWrUnlock:
      t.add(kRwLock, kExclusive, l.object);
      break;
    case OpKind::kTryRdLock:
      t.add(kRwLock, l.success ? kShared : kProbeShared, l.object);
      break;
    case OpKind::kTryWrLock:
      t.add(kRwLock, l.success ? kExclusive : kProbeExclusive, l.object);
      break;
    case OpKind::kSemPost:
      t.add(kSemaphore, kPost, l.object);
      break;
    case OpKind::kSemWait:
      t.add(kSemaphore, kTake, l.object);
      break;
    case OpKind::kSemTryWait:
      t.add(kSemaphore, l.success ? kTake : kLook, l.object);
      break;
    case OpKind::kSemRead:
      t.add(kSemaphore, kLook, l.object);
      break;
    case OpKind::kBarrierArrive:
      t.add(kBarrier, l.success ? kArrive : kLook, l.object, 1, l.written);
      break;
    case OpKind::kBarrierDepart:
      t.add(kBarrier, kDepart, l.object, 1, l.value);
      break;
    case OpKind::kCondWait:
      t.add(kQueue, kEnqueue, l.object);
      t.add(kMutex, kRelease, l.object2);
      break;
    case OpKind::kCondWake:
      t.add(kQueue, l.timed ? kTimedWake : kWake, l.object, 1, self);
      t.add(kMutex, kAcquire, l.object2);
      break;
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
      t.add(kQueue, kSignal, l.object, 1, l.written);
      break;
    case OpKind::kFutexWait:
      t.add(kBytes, kRead, l.object, l.size);
      if (l.success) t.add(kQueue, kEnqueue, l.object);
      break;
    case OpKind::kFutexWoken:
      t.add(kQueue, l.timed ? kTimedWake : kWake, l.object, 1, self);
      break;
    case OpKind::kSend:
      t.add(kMail, kSent, l.object, 1, std::uint64_t{1} << l.object2);
      t.add(kLetter, kWrite, l.value);
      break;
    case OpKind::kReceive:
      if (l.success)
        t.add(kLetter, kRead, l.read);
      else
        t.add(kMail, kMissed, l.object, 1, l.value);
      break;
    case OpKind::kInit:
    case OpKind::kDestroy:
      t.add(resource_of(l.object), kLife, l.object);
      break;
    case OpKind::kAtomicBlock:
      for (const BlockAccess& b : block_table.contents(l)) {
        const Access& a = b.access;
        const bool mutex = a.space == Space::kMutex;
        // What was free before can be taken or only looked at and left; what was not free was
        // either given back or only looked at.
        Mode mode = writes(a) ? kWrite : kRead;
        if (mutex) mode = b.before == 0 ? kAcquire : b.after == 0 ? kRelease : kProbe;
        t.block.push_back({mutex ? kMutex : kBytes, mode, a.object, a.object + a.size, 0});
      }
      break;
    default:
      break;
  }
  return t;
}

// Whether (a, b) or (b, a) is the unordered pair {x, y}.
bool are(const Touch& a, const Touch& b, Mode x, Mode y) {
  return (a.mode == x && b.mode == y) || (a.mode == y && b.mode == x);
}
bool both(const Touch& a, const Touch& b, Mode x) { return a.mode == x && b.mode == x; }

bool conflict(const Touch& a, const Touch& b) {
  using enum Mode;
  if (a.resource != b.resource || a.to <= b.from || b.to <= a.from) return false;
  // Who has been woken, or finds its phase full, does not look at the object any more.
  if (a.mode == kLife || b.mode == kLife)
    return !are(a, b, kLife, kWake) && !are(a, b, kLife, kDepart);
  switch (a.resource) {
    case Resource::kNone:
      return false;
    case Resource::kBytes:
      return !both(a, b, kRead);
    case Resource::kMutex:
      return !both(a, b, kRelease) && !both(a, b, kProbe);
    case Resource::kRwLock:
      return a.mode == kExclusive || b.mode == kExclusive || are(a, b, kShared, kProbeExclusive);
    case Resource::kSemaphore:
      return !both(a, b, kPost) && !both(a, b, kLook);
    case Resource::kBarrier:
      if (both(a, b, kArrive)) return a.extra != b.extra;
      return are(a, b, kArrive, kDepart) && a.extra == b.extra;
    case Resource::kQueue:
      if (both(a, b, kSignal) || are(a, b, kSignal, kEnqueue) || are(a, b, kSignal, kTimedWake))
        return true;
      return are(a, b, kSignal, kWake) && (a.extra & b.extra) != 0;
    case Resource::kMail:
      return both(a, b, kSent) || (are(a, b, kSent, kMissed) && (a.extra & b.extra) != 0);
    case Resource::kLetter:
      return !both(a, b, kRead);
  }
  return false;
}

}  // namespace

bool conflict(const Event& a, const Event& b) {
  const Touches x = touches(a);
  const Touches y = touches(b);
  for (const Touch& i : x.all())
    for (const Touch& j : y.all())
      if (conflict(i, j)) return true;
  return false;
}

bool conflict(const Event& a, const Event& b, const Exempt& exempt) {
  const auto is_exempt = [&](const Event& e, const Touch& t) {
    return t.resource == Resource::kBytes && t.mode == Mode::kWrite && exempt(e, t.from, t.to);
  };
  const Touches x = touches(a);
  const Touches y = touches(b);
  for (const Touch& i : x.all())
    for (const Touch& j : y.all())
      if (conflict(i, j) && !(is_exempt(a, i) && is_exempt(b, j))) return true;
  return false;
}

void Causality::join_clock(std::vector<std::uint16_t>& clock, std::size_t from) const {
  for (std::size_t t = 0; t < threads_; ++t)
    clock[t] = std::max(clock[t], clocks_[from * threads_ + t]);
}

bool Causality::happens_before(std::size_t e, std::size_t f) const {
  const Record& r = records_[e];
  return clocks_[f * threads_ + r.event.thread] >= r.place;
}

void Causality::append(const Event& event) {
  clock_.assign(threads_, 0);
  std::uint16_t place = 1;
  bool first = true;
  bool child_seen = false;
  for (std::size_t i = records_.size(); i-- > 0;) {
    const Record& r = records_[i];
    const Label& l = r.event.label;
    if (r.event.thread == event.thread) {
      if (first) place = r.place + 1, join_clock(clock_, i);
      first = false;
      continue;
    }
    if (clock_[r.event.thread] >= r.place) continue;
    // Creation comes before the child's first event; the child's last event, or its creation if it
    // has none, before a join.
    bool before = first && l.kind == OpKind::kCreate && l.object == event.thread;
    if (event.label.kind == OpKind::kJoin) {
      const bool of_child = r.event.thread == event.label.object;
      before = before || (of_child && !child_seen) ||
               (l.kind == OpKind::kCreate && l.object == event.label.object);
      child_seen = child_seen || of_child;
    }
    if (before || conflict(r.event, event)) join_clock(clock_, i);
  }
  clock_[event.thread] = place;

  // Posts of a semaphore commute, and so do the arrivals of one phase: the counts that they see are
  // no part of the class.
  const Label& l = event.label;
  const bool post = l.kind == OpKind::kSemPost;
  const bool arrive = l.kind == OpKind::kBarrierArrive;
  std::uint64_t h = mixed(kHashSeed, std::uint64_t{event.thread} << 32 | place);
  h = mixed(h, std::uint64_t{event.choice} << 32 | std::uint64_t{event.ways} << 16 |
                   static_cast<std::uint64_t>(l.kind) << 1 | l.success);
  h = mixed(h, l.object);
  h = mixed(h, l.object2);
  h = mixed(h, post || arrive ? 0 : l.read);
  h = mixed(h, post ? 0 : l.written);
  for (std::uint16_t c : clock_) h = mixed(h, c);
  ClassName name = this->name();
  name.high += mixed_well(h, 0x13198a2e03707344);
  name.low += mixed_well(h, 0xa4093822299f31d0);

  records_.push_back({event, place, name});
  clocks_.insert(clocks_.end(), clock_.begin(), clock_.end());
}

void Causality::truncate(std::size_t size) {
  records_.resize(size);
  clocks_.resize(size * threads_);
}

}  // namespace mazur::model
