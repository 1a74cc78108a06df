// What a thread of a model program is about to do, and whether it is enabled.
#include <algorithm>
#include <bit>

#include "machine/model/state.h"
#include "trace/comparison.h"
#include "trace/wait_set.h"

namespace mazur::model {
namespace {

// How many subsets of the waiters one wake of up to `n` can choose.
std::uint16_t subsets(unsigned waiters, unsigned n) {
  const unsigned k = std::min(n, waiters);
  std::uint64_t ways = 1;
  for (unsigned i = 1; i <= k; ++i) ways = ways * (waiters - k + i) / i;
  return static_cast<std::uint16_t>(ways);
}

}  // namespace

std::uint64_t State::waiters(ObjectClass c, unsigned index) const {
  const bool condition = c == ObjectClass::kCondition;
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const ThreadState& t = threads_[i];
    if (t.life != Life::kLive || !t.second || t.woken || t.spurious) continue;
    const Instruction& in = program_->threads[i].code[t.pc];
    const bool same_class = condition
                                ? in.code == Code::kCondWait || in.code == Code::kCondTimedWait
                                : in.code == Code::kFutexWait;
    if (same_class && resolve(t, c, in.place) == index) set |= std::uint64_t{1} << i;
  }
  return set;
}

std::uint64_t State::value_at(ObjectId variable) const {
  const auto index = static_cast<unsigned>((variable - object_id(ObjectClass::kVariable, 0)) / 8);
  return widen(word(ObjectClass::kVariable, index));
}

Pending State::pending(ThreadId thread) const {
  const ThreadState& t = threads_[thread];
  Pending p{.thread = thread, .enabled = true, .ways = 1, .op = {}, .pc = t.pc};
  if (t.life == Life::kAssumedAway) {
    p.op.kind = OpKind::kNever;
    p.enabled = false;
    return p;
  }
  const Instruction& in = program_->threads[thread].code[t.pc];
  const Form& f = form(in.code);
  if (t.spurious || offers_spurious(t, in)) {
    pending_spurious(t, in, p);
    return p;
  }
  p.op.kind = t.second ? f.second : f.kind;
  if (p.op.kind == OpKind::kReceive) {
    receive(thread, in, p);
    return p;
  }
  if (!has_part(in.code, Part::kPlace)) {
    pending_without_place(thread, in, p);
    return p;
  }
  const bool at_second_place = in.code == Code::kSpinBoth && t.second;
  const unsigned index = resolve(t, f.of_place, at_second_place ? in.place2 : in.place);
  p.op.object = object_id(f.of_place, index);
  const std::int32_t now = f.of_place == ObjectClass::kCondition ? 0 : word(f.of_place, index);
  if (is_life(p.op.kind)) {
    p.op.value = space_number(f.of_place);
    return p;
  }
  switch (f.of_place) {
    case ObjectClass::kVariable:
    case ObjectClass::kKey:
      pending_memory(t, in, p);
      if (p.op.kind == OpKind::kAwait) pending_await(t, in, now, p);
      if (in.code == Code::kFutexWait || in.code == Code::kFutexWake)
        pending_sleep(t, in, index, p);
      break;
    case ObjectClass::kCondition:
      pending_sleep(t, in, index, p);
      break;
    case ObjectClass::kMailbox:
      p.op.value = message_id(thread, t.sent);
      p.op.object2 = alternatives(t, in) % kAlternatives;
      break;
    default:
      pending_lock_or_count(t, index, now, p);
      break;
  }
  return p;
}

// Threads, kChoose, kYield and kExit; the beginning of an atomic block.
void State::pending_without_place(ThreadId thread, const Instruction& in, Pending& p) const {
  switch (in.code) {
    case Code::kSpawn:
      p.op.object = in.target;
      break;
    case Code::kJoin: {
      p.op.object = in.target;
      const Life child = threads_[in.target].life;
      p.enabled = child != Life::kUnborn && child != Life::kLive && child != Life::kAssumedAway;
      break;
    }
    case Code::kChoose:
      p.ways = in.ways;
      break;
    case Code::kExit:
      p.enabled = !any_enabled_but(thread);
      break;
    case Code::kFence:
      p.op.order = in.order;
      break;
    default:
      break;
  }
}

// Variables and keys of tables: which bytes, and what it compares with.
void State::pending_memory(const ThreadState& t, const Instruction& in, Pending& p) const {
  Operation& op = p.op;
  op.size = 8;
  op.order = in.order;
  if (t.fruitless) {
    const ObjectId other =
        object_id(ObjectClass::kVariable, resolve(t, ObjectClass::kVariable, in.place2));
    const Location second{other, 8};
    const bool two = in.code == Code::kSpinBoth && other != op.object;
    op.object2 = two ? name_wait_set({&second, 1}) : kOwnLocation;
    p.enabled = t.woken;
    // Another store than the newest may have been read, while the newest was there already.
    if (weak_) p.enabled = newest(resolve(t, ObjectClass::kVariable, in.place)) != t.last_read;
  }
  if (is_partial(in.code)) {
    op.object += first_byte(in);
    op.size = 2;
  }
  if (in.code == Code::kObserve) {
    op.order = kObservedSigned;
    op.comparison = in.comparison;
    op.value = widen(evaluate(t, in.value));
  }
  if (op.kind == OpKind::kCas && in.code != Code::kInsertNew) {  // that one expects 0
    op.value = widen(evaluate(t, in.value));
    if (is_partial(in.code)) op.value &= 0xffff;
    // As C++ has it for a compare-exchange with one order.
    op.comparison = as_failure_order(in.order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : in.order);
  }
}

void State::pending_await(const ThreadState& t, const Instruction& in, std::int32_t now,
                          Pending& p) const {
  const std::int32_t value = evaluate(t, in.value);
  p.op.comparison = in.comparison;
  p.op.value = widen(value);
  p.enabled = compare(now, in.comparison, value);
  p.holds = p.enabled;
  if (in.code != Code::kAwaitBoth) return;
  const unsigned second = resolve(t, ObjectClass::kVariable, in.place2);
  p.op.object2 = object_id(ObjectClass::kVariable, second);
  const bool too = compare(word(ObjectClass::kVariable, second), in.comparison, value);
  p.enabled = p.enabled && too;
  p.holds |= too << 1;
}

// Mutexes, rwlocks, semaphores, barriers and once flags.
void State::pending_lock_or_count(const ThreadState& t, unsigned index, std::int32_t now,
                                  Pending& p) const {
  Operation& op = p.op;
  switch (op.kind) {
    case OpKind::kLock:
      p.enabled = now <= 0;
      break;
    case OpKind::kRdLock:
      p.enabled = now != -1;
      break;
    case OpKind::kWrLock:
      p.enabled = now == 0 || now == -2;
      break;
    case OpKind::kRdUnlock:
      if (t.writes_held >> index & 1) op.kind = OpKind::kWrUnlock;
      break;
    case OpKind::kSemWait:
      p.enabled = now != 0;
      break;
    case OpKind::kOnceEnter:
      p.enabled = now != 1;
      [[fallthrough]];
    case OpKind::kOnceLeave:
      op.size = 4;
      break;
    case OpKind::kBarrierDepart:
      op.value = t.phase;
      p.enabled = static_cast<std::uint32_t>(now) > t.phase;
      [[fallthrough]];
    case OpKind::kBarrierArrive:
      op.size = static_cast<std::uint32_t>(program_->of(ObjectClass::kBarrier)[index]);
      break;
    default:
      break;
  }
}

// Condition variables and futexes.
void State::pending_sleep(const ThreadState& t, const Instruction& in, unsigned index,
                          Pending& p) const {
  Operation& op = p.op;
  switch (op.kind) {
    case OpKind::kCondWait:
    case OpKind::kCondWake: {
      const unsigned mutex = resolve(t, ObjectClass::kMutex, in.place2);
      op.object2 = object_id(ObjectClass::kMutex, mutex);
      op.timed = in.code == Code::kCondTimedWait;
      if (t.second) p.enabled = lockable(mutex) && (t.woken || op.timed);
      break;
    }
    case OpKind::kCondSignal: {
      const auto n = std::popcount(waiters(ObjectClass::kCondition, index));
      p.ways = static_cast<std::uint16_t>(std::max(n, 1));
      break;
    }
    case OpKind::kFutexWait:
      op.size = 4;
      op.value = widen(evaluate(t, in.value));
      break;
    case OpKind::kFutexWoken:
      op.size = 4;
      p.enabled = t.woken;
      break;
    case OpKind::kFutexWake:
      op.size = 4;
      p.ways = subsets(static_cast<unsigned>(std::popcount(waiters(ObjectClass::kVariable, index))),
                       in.ways);
      break;
    default:
      break;
  }
}

bool State::any_enabled_but(ThreadId exiting) const {
  for (ThreadId t = 0; t < threads(); ++t) {
    const ThreadState& other = threads_[t];
    if (t == exiting || other.life != Life::kLive) continue;
    if (program_->threads[t].code[other.pc].code == Code::kExit) continue;
    if (pending(t).enabled) return true;
  }
  return false;
}

}  // namespace mazur::model
