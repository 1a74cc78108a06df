// The effects of operations on what the threads of a model program synchronise with: one function per
// family of objects.
#include <bit>

#include "machine/model/state.h"

namespace mazur::model {
namespace {

// The subset with number `choice` among those with k of the members of `set`, in lexicographic
// order of their sorted members.
std::uint64_t subset(std::uint64_t set, unsigned k, unsigned choice) {
  std::uint64_t chosen = 0;
  while (k > 0 && set != 0) {
    const std::uint64_t lowest = set & -set;
    set ^= lowest;
    // How many of the subsets contain `lowest`: those that choose k - 1 of the rest.
    std::uint64_t with = 1;
    const auto rest = static_cast<unsigned>(std::popcount(set));
    if (k - 1 > rest) return chosen | lowest | set;
    for (unsigned i = 1; i <= k - 1; ++i) with = with * (rest - (k - 1) + i) / i;
    if (choice < with) {
      chosen |= lowest;
      --k;
    } else {
      choice -= static_cast<unsigned>(with);
    }
  }
  return chosen;
}

}  // namespace

void State::take_mutex(unsigned mutex, ThreadState& t, ThreadId id) {
  word(ObjectClass::kMutex, mutex) = id + 1;
  t.mutexes_held |= std::uint64_t{1} << mutex;
}

void State::drop_mutex(unsigned mutex, ThreadState& t) {
  word(ObjectClass::kMutex, mutex) = 0;
  t.mutexes_held &= ~(std::uint64_t{1} << mutex);
}

void State::run_mutex(const Instruction& in, ThreadState& t, ThreadId id, Event& event) {
  const unsigned mutex = resolve(t, ObjectClass::kMutex, in.place);
  if (in.code == Code::kUnlock) return drop_mutex(mutex, t);
  event.label.success = lockable(mutex);
  if (event.label.success) take_mutex(mutex, t, id);
  if (in.code == Code::kTryLock) t.registers[in.reg] = event.label.success;
}

void State::run_rwlock(const Instruction& in, ThreadState& t, Event& event) {
  const unsigned lock = resolve(t, ObjectClass::kRwLock, in.place);
  std::int32_t& readers = word(ObjectClass::kRwLock, lock);
  const std::uint32_t bit = std::uint32_t{1} << lock;
  if (in.code == Code::kRwUnlock) {
    const bool writer = (t.writes_held & bit) != 0;
    readers = writer ? 0 : readers - 1;
    if (writer)
      t.writes_held &= ~bit;
    else
      --t.reads_held[lock];
    return;
  }
  const bool read = in.code == Code::kRdLock || in.code == Code::kTryRdLock;
  event.label.success = read ? readers >= 0 : readers == 0;
  if (event.label.success) {
    readers = read ? readers + 1 : -1;
    if (read)
      ++t.reads_held[lock];
    else
      t.writes_held |= bit;
  }
  if (has_part(in.code, Part::kResult)) t.registers[in.reg] = event.label.success;
}

void State::wake(std::uint64_t chosen, Event& event) {
  event.label.read = static_cast<std::uint64_t>(std::popcount(chosen));
  event.label.written = chosen;
  for (; chosen != 0; chosen &= chosen - 1)
    threads_[static_cast<std::size_t>(std::countr_zero(chosen))].woken = true;
}

void State::run_waiting(const Instruction& in, ThreadState& t, ThreadId id, Event& event) {
  const ObjectClass c = form(in.code).of_place;
  const unsigned index = resolve(t, c, in.place);
  Label& label = event.label;
  switch (in.code) {
    case Code::kCondWait:
    case Code::kCondTimedWait: {
      const unsigned mutex = resolve(t, ObjectClass::kMutex, in.place2);
      if (!t.second) {
        drop_mutex(mutex, t);
        t.second = true;
        return;
      }
      take_mutex(mutex, t, id);
      label.success = t.woken;
      if (in.code == Code::kCondTimedWait) t.registers[in.reg] = t.woken;
      return;
    }
    case Code::kSignal:
      return wake(subset(waiters(c, index), 1, event.choice), event);
    case Code::kBroadcast:
      return wake(waiters(c, index), event);
    case Code::kFutexWait:
      // The result comes last: the place it sleeps at may be indexed by the same register.
      if (t.second) {
        t.registers[in.reg] = 1;
        return;
      }
      label.read = widen(word(c, index));
      label.success = word(c, index) == evaluate(t, in.value);
      if (!label.success) t.registers[in.reg] = 0;
      t.second = label.success;
      return;
    case Code::kFutexWake:
      return wake(subset(waiters(c, index), in.ways, event.choice), event);
    default:
      return;
  }
}

void State::run_counting(const Instruction& in, ThreadState& t, Event& event) {
  const ObjectClass c = form(in.code).of_place;
  const unsigned index = resolve(t, c, in.place);
  Label& label = event.label;
  if (c == ObjectClass::kBarrier) {
    if (t.second) return;  // the departure changes nothing
    std::int32_t& phase = word(c, index);
    std::int32_t& arrived = *(&phase + 1);
    label.read = widen(arrived);
    label.written = widen(phase);
    t.phase = static_cast<std::uint32_t>(phase);
    if (++arrived == program_->of(c)[index]) {
      arrived = 0;
      ++phase;
    }
    t.second = in.code == Code::kBarrier;
    return;
  }
  std::int32_t& count = word(c, index);
  label.read = widen(count);
  if (in.code == Code::kSemPost) {
    ++count;
  } else if (in.code == Code::kSemRead) {
    t.registers[in.reg] = count;
  } else {
    label.success = count > 0;
    count -= label.success;
    if (in.code == Code::kSemTryWait) t.registers[in.reg] = label.success;
  }
  label.written = widen(count);
}

void State::run_once(const Instruction& in, ThreadState& t, Event& event) {
  const unsigned flag = resolve(t, ObjectClass::kOnce, in.place);
  std::int32_t& once = word(ObjectClass::kOnce, flag);
  const std::uint32_t bit = std::uint32_t{1} << flag;
  Label& label = event.label;
  if (in.code == Code::kOnceEnter) {
    label.read = widen(once);
    label.success = once == 0;
    t.registers[in.reg] = label.success;
    if (!label.success) return;
    t.once_running |= bit;
  } else {
    label.success = in.code == Code::kOnceLeave;
    t.once_running &= ~bit;
  }
  label.before = widen(once);
  once = in.code == Code::kOnceEnter ? 1 : label.success ? 2 : 0;
  label.written = widen(once);
}

}  // namespace mazur::model
