#include "trace/blocking/lock_round.h"

#include <algorithm>

#include "trace/blocking/repetition.h"
#include "trace/fields.h"

namespace mazur {
namespace {

// A repetition is found after a few rounds.
constexpr std::size_t kMostVisits = 256;

LockRound::Object object_of(const Label& l) {
  switch (l.kind) {
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock:
      return {Space::kMutex, l.object};
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kSemRead:
      return {Space::kSemaphore, l.object};
    default:
      return {Space::kRwLock, l.object};
  }
}

bool contains(const std::vector<LockRound::Object>& list, const LockRound::Object& object) {
  return std::find(list.begin(), list.end(), object) != list.end();
}

}  // namespace

bool LockRound::note(const Label& did, std::uint64_t step) {
  last = step;
  const Object object = object_of(did);
  if (!may_take(did.kind)) {
    const auto at = std::find(taken.begin(), taken.end(), object);
    if (at == taken.end()) return false;
    taken.erase(at);
    return true;
  }
  if (!contains(met, object)) met.push_back(object);
  if (acquired(did)) taken.push_back(object);
  return true;
}

bool LockRound::is_seen_by(const Label& did) const {
  if (taken.empty() || !looks_for_locks(did)) return false;
  if (did.kind == OpKind::kAtomicBlock || is_life(did.kind)) {
    for (const Access& access : accesses(did))
      if (contains(taken, {access.space, access.object})) return true;
    return false;
  }
  return contains(taken, object_of(did));
}

bool LockRound::met_what_is_given(const Label& did) const {
  return takes_or_gives(did.kind) && !may_take(did.kind) && contains(met, object_of(did));
}

void LoopVisits::clear() {
  any_ = false;
  for (OfThread& thread : threads_) {
    thread.visits.clear();
    thread.changes = 0;
  }
}

void LoopVisits::add(ThreadId thread, std::uint64_t state, std::uint64_t events) {
  any_ = true;
  if (thread >= threads_.size()) threads_.resize(thread + std::size_t{1});
  OfThread& own = threads_[thread];
  if (own.visits.size() < kMostVisits) own.visits.push_back({state, events, own.changes});
}

bool LoopVisits::repeats(ThreadId thread, std::uint64_t last_begin, const Trace& trace) const {
  return Repetition(*this, trace, thread).exists(last_begin);
}

}  // namespace mazur
