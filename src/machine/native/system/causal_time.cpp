#include "machine/native/system/causal_time.h"

#include <algorithm>

#include "base/hash.h"
#include "trace/access.h"
#include "trace/atomic_block/block.h"
#include "trace/comparison.h"
#include "trace/dependence.h"

namespace mazur::native {
namespace {

ObjectId phase(ObjectId barrier, std::uint64_t number) { return barrier ^ spread(number + 1); }

// A thread at a queue, as labels know it (Label::written).
ObjectId sleeper(ObjectId queue, ThreadId thread) { return queue * 64 + thread % 64; }

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return b > CausalTime::kForever - a ? CausalTime::kForever : a + b;
}

bool reads(const Label& l) { return reads_memory(l) && !is_observed_assertion(l); }

}  // namespace

void CausalTime::clear() {
  threads_.clear();
  objects_.clear();
  memory_.clear();
  sleeps_.clear();
  times_.clear();
  events_ = 0;
}

std::int64_t& CausalTime::time(ThreadId thread) {
  if (thread >= threads_.size()) threads_.resize(thread + std::size_t{1}, 0);
  return threads_[thread];
}

std::int64_t& CausalTime::at(Kind kind, ObjectId object) {
  return objects_[object * 8 + static_cast<std::uint64_t>(kind)];
}

std::int64_t CausalTime::written(ObjectId object, std::uint32_t size) const {
  std::int64_t last = 0;
  for (ObjectId byte = object; byte < object + size; ++byte)
    if (const auto found = memory_.find(byte / 8); found != memory_.end())
      last = std::max(last, found->second.byte[byte % 8]);
    else
      byte |= 7;
  return last;
}

void CausalTime::write(ObjectId object, std::uint32_t size, std::int64_t time) {
  for (ObjectId byte = object; byte < object + size;) {
    Granule& granule = memory_[byte / 8];
    do granule.byte[byte % 8] = time;
    while (++byte % 8 != 0 && byte < object + size);
  }
}

// When the last event was that this one happens after, apart from the earlier events of its thread.
std::int64_t CausalTime::before(const Event& event) {
  const Label& l = event.label;
  switch (l.kind) {
    case OpKind::kLock:
      return at(Kind::kMutex, l.object);
    case OpKind::kTryLock:
      return l.success ? at(Kind::kMutex, l.object) : 0;
    case OpKind::kRdLock:
      return at(Kind::kWriter, l.object);
    case OpKind::kTryRdLock:
      return l.success ? at(Kind::kWriter, l.object) : 0;
    case OpKind::kWrLock:
      return std::max(at(Kind::kWriter, l.object), at(Kind::kReaders, l.object));
    case OpKind::kTryWrLock:
      return l.success ? std::max(at(Kind::kWriter, l.object), at(Kind::kReaders, l.object)) : 0;
    case OpKind::kSemWait:
      return at(Kind::kCount, l.object);
    case OpKind::kSemTryWait:
      return l.success ? at(Kind::kCount, l.object) : 0;
    case OpKind::kBarrierDepart:
      return at(Kind::kBarrier, phase(l.object, l.value));
    case OpKind::kCondWake:
      return std::max(at(Kind::kMutex, l.object2),
                      l.success ? at(Kind::kQueue, sleeper(l.object, event.thread)) : 0);
    case OpKind::kFutexWoken:
      return l.success ? at(Kind::kQueue, sleeper(l.object, event.thread)) : 0;
    case OpKind::kReceive:
      return l.success ? at(Kind::kMessage, l.read) : 0;
    case OpKind::kJoin:
      return l.success ? time(static_cast<ThreadId>(l.object)) : 0;
    case OpKind::kAtomicBlock: {
      if (is_unknown_block(l)) return 0;
      const auto list = block_table.accesses(l);
      std::int64_t last = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].space == Space::kMutex) {
          if (list[i].mode == mode::kAcquire)
            last = std::max(last, at(Kind::kMutex, list[i].object));
        } else if (block_table.reads(l)[i]) {
          last = std::max(last, written(list[i].object, list[i].size));
        }
      }
      return last;
    }
    default:
      if (!reads(l) || l.ref == kNoStore) return 0;
      return l.ref < times_.size() ? times_[l.ref] : written(l.object, l.size);
  }
}

// The event happened at this time: notes it for what can happen after it.
void CausalTime::after(const Event& event, std::int64_t now) {
  const Label& l = event.label;
  const auto raise = [now](std::int64_t& time) { time = std::max(time, now); };
  switch (l.kind) {
    case OpKind::kUnlock:
      return raise(at(Kind::kMutex, l.object));
    case OpKind::kCondWait:
      return raise(at(Kind::kMutex, l.object2));
    case OpKind::kWrUnlock:
      return raise(at(Kind::kWriter, l.object));
    case OpKind::kRdUnlock:
      return raise(at(Kind::kReaders, l.object));
    case OpKind::kSemPost:
      return raise(at(Kind::kCount, l.object));
    case OpKind::kBarrierArrive:
      return raise(at(Kind::kBarrier, phase(l.object, l.written)));
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
      for (ThreadId t = 0; t < 64; ++t)
        if ((l.written & woken_bit(t)) != 0) at(Kind::kQueue, sleeper(l.object, t)) = now;
      return;
    case OpKind::kSend:
      return raise(at(Kind::kMessage, l.value));
    case OpKind::kCreate:
      time(static_cast<ThreadId>(l.object)) = now;
      return;
    case OpKind::kAtomicBlock: {
      if (is_unknown_block(l)) return;
      for (const Access& a : block_table.accesses(l)) {
        if (a.space == Space::kMutex) {
          if (a.mode != mode::kProbe) raise(at(Kind::kMutex, a.object));
        } else if (a.mode == mode::kWrite) {
          write(a.object, a.size, now);
        }
      }
      return;
    }
    default:
      // A store that is not the newest leaves memory as it is; an update of such a one, too.
      if (writes_memory(l) && l.ref == kNewest) write(l.object, l.size, now);
  }
}

void CausalTime::append(const Event& event) {
  pass();
  const std::int64_t start = std::max(time(event.thread), before(event));
  const std::int64_t now = sum(start, kEvent);
  time(event.thread) = now;
  after(event, now);
  times_.push_back(now);
  ++events_;
}

void CausalTime::sleep(std::size_t events, ThreadId thread, std::int64_t duration) {
  sleeps_.push_back({events, thread, duration});
}

// The sleeps before the next event.
void CausalTime::pass() {
  std::size_t done = 0;
  for (; done < sleeps_.size() && sleeps_[done].events <= events_; ++done) {
    std::int64_t& mine = time(sleeps_[done].thread);
    mine = sum(mine, sleeps_[done].duration);
  }
  if (done != 0)
    sleeps_.erase(sleeps_.begin(), sleeps_.begin() + static_cast<std::ptrdiff_t>(done));
}

std::int64_t CausalTime::of(ThreadId thread) {
  pass();
  std::int64_t now = time(thread);
  // Sleeps in an atomic block, which is no event yet.
  for (const Sleep& sleep : sleeps_)
    if (sleep.thread == thread) now = sum(now, sleep.duration);
  return now;
}

}  // namespace mazur::native
