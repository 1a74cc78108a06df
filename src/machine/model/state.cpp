#include "machine/model/state.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
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

State::State(const Program* program) : program_(program) {
  std::size_t words = 0;
  for (int c = 0; c < kObjectClasses; ++c) {
    offset_[c] = static_cast<std::uint16_t>(words);
    const bool barrier = static_cast<ObjectClass>(c) == ObjectClass::kBarrier;
    words += program->objects[c].size() * (barrier ? 2 : 1);
  }
  words_.resize(words);
  reset();
}

void State::reset() {
  std::fill(words_.begin(), words_.end(), 0);
  for (ObjectClass c : {ObjectClass::kVariable, ObjectClass::kSemaphore})
    std::copy(program_->of(c).begin(), program_->of(c).end(),
              words_.begin() + offset_[static_cast<std::size_t>(c)]);
  threads_.assign(program_->threads.size(), ThreadState{});
  messages_.clear();
  exited_ = false;
  failed_now_ = 0;
  for (ThreadId t = 0; t < threads(); ++t)
    if (!program_->threads[t].spawned) start(t);
}

void State::start(ThreadId thread) {
  threads_[thread].life = Life::kLive;
  run_local(thread);
}

void State::end(ThreadId thread, Life life) {
  threads_[thread].life = life;
  if (life != Life::kEnded && life != Life::kAssumedAway) failed_now_ |= std::uint64_t{1} << thread;
}

std::int32_t State::evaluate(const ThreadState& t, const Value& v) const {
  const std::int64_t sum =
      std::int64_t{v.constant} + (v.reg == kNoRegister ? 0 : t.registers[v.reg]);
  return static_cast<std::int32_t>(sum);
}

unsigned State::resolve(const ThreadState& t, ObjectClass c, const Place& p) const {
  const auto count = static_cast<std::int64_t>(program_->of(c).size());
  const std::int64_t index =
      (std::int64_t{p.base} + (p.index == kNoRegister ? 0 : t.registers[p.index])) % count;
  return static_cast<unsigned>(index < 0 ? index + count : index);
}

std::int32_t& State::word(ObjectClass c, unsigned index) {
  const unsigned stride = c == ObjectClass::kBarrier ? 2 : 1;
  return words_[offset_[static_cast<std::size_t>(c)] + index * stride];
}
std::int32_t State::word(ObjectClass c, unsigned index) const {
  return const_cast<State*>(this)->word(c, index);
}

void State::run_local(ThreadId thread) {
  for (int steps = 0; steps < kMaxLocalSteps; ++steps)
    if (!run_one_local(thread)) return;
  end(thread, Life::kDiverged);
}

bool State::run_one_local(ThreadId thread) {
  ThreadState& t = threads_[thread];
  const std::vector<Instruction>& code = program_->threads[thread].code;
  const auto over = [&](Life life) {
    end(thread, life);
    return false;
  };
  if (t.pc >= code.size()) return over(Life::kEnded);
  const Instruction& in = code[t.pc];
  std::int32_t& reg = t.registers[in.reg];
  bool jump = false;
  switch (in.code) {
    case Code::kSet:
      reg = evaluate(t, in.value);
      break;
    case Code::kAdd:
      reg = static_cast<std::int32_t>(std::int64_t{reg} + evaluate(t, in.value));
      break;
    case Code::kMul:
      reg = static_cast<std::int32_t>(std::int64_t{reg} * evaluate(t, in.value));
      break;
    case Code::kMod:
      if (const std::int64_t by = evaluate(t, in.value); by != 0)
        reg = static_cast<std::int32_t>(std::int64_t{reg} % by);
      break;
    case Code::kIf:
      jump = compare(reg, in.comparison, in.value.constant);
      break;
    case Code::kLoop:
      jump = ++reg < in.value.constant;
      break;
    case Code::kAssert:
      if (!compare(reg, in.comparison, in.value.constant)) return over(Life::kFailedAssertion);
      break;
    case Code::kAssume:
      if (!compare(reg, in.comparison, in.value.constant)) return over(Life::kAssumedAway);
      break;
    case Code::kUnlock:
      if (!(t.mutexes_held >> resolve(t, ObjectClass::kMutex, in.place) & 1))
        return over(Life::kMisused);
      return false;
    case Code::kCondWait:
    case Code::kCondTimedWait:
      if (!(t.mutexes_held >> resolve(t, ObjectClass::kMutex, in.place2) & 1))
        return over(Life::kMisused);
      return false;
    case Code::kRwUnlock: {
      const unsigned lock = resolve(t, ObjectClass::kRwLock, in.place);
      if (t.reads_held[lock] == 0 && !(t.writes_held >> lock & 1)) return over(Life::kMisused);
      return false;
    }
    case Code::kOnceLeave:
    case Code::kOnceAbandon:
      if (!(t.once_running >> resolve(t, ObjectClass::kOnce, in.place) & 1))
        return over(Life::kMisused);
      return false;
    case Code::kSpawn:
      if (t.spawned >> in.target & 1) return over(Life::kMisused);
      return false;
    case Code::kAtomicEnd:
      return over(Life::kMisused);
    default:
      return false;
  }
  t.pc = jump ? in.target : static_cast<std::uint16_t>(t.pc + 1);
  return true;
}

std::uint64_t State::waiters(ObjectClass c, unsigned index) const {
  const bool condition = c == ObjectClass::kCondition;
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const ThreadState& t = threads_[i];
    if (t.life != Life::kLive || !t.second || t.woken) continue;
    const Instruction& in = program_->threads[i].code[t.pc];
    const bool same_class = condition
                                ? in.code == Code::kCondWait || in.code == Code::kCondTimedWait
                                : in.code == Code::kFutexWait;
    if (same_class && resolve(t, c, in.place) == index) set |= std::uint64_t{1} << i;
  }
  return set;
}

Pending State::pending(ThreadId thread) const {
  const ThreadState& t = threads_[thread];
  Pending p{.thread = thread, .enabled = true, .ways = 1, .op = {}, .pc = t.pc};
  Operation& op = p.op;
  if (t.life == Life::kAssumedAway) {
    op.kind = OpKind::kNever;
    p.enabled = false;
    return p;
  }
  const Instruction& in = program_->threads[thread].code[t.pc];
  const Form& f = form(in.code);
  op.kind = t.second ? f.second : f.kind;
  if (in.code == Code::kSpawn || in.code == Code::kJoin) {
    op.object = in.target;
    if (in.code == Code::kJoin) {
      const Life child = threads_[in.target].life;
      p.enabled = child != Life::kUnborn && child != Life::kLive && child != Life::kAssumedAway;
    }
    return p;
  }
  if (op.kind == OpKind::kReceive) {
    receive(thread, in, p);
    return p;
  }
  if (!has_part(in.code, Part::kPlace)) {  // kChoose, kYield, kExit
    if (in.code == Code::kChoose) p.ways = in.ways;
    if (in.code == Code::kExit) p.enabled = !any_enabled_but(thread);
    return p;
  }
  const bool at_second_place = in.code == Code::kSpinBoth && t.second;
  const unsigned index = resolve(t, f.of_place, at_second_place ? in.place2 : in.place);
  op.object = object_id(f.of_place, index);
  if (t.fruitless) {
    const ObjectId other =
        object_id(ObjectClass::kVariable, resolve(t, ObjectClass::kVariable, in.place2));
    const Location second{other, 8};
    const bool two = in.code == Code::kSpinBoth && other != op.object;
    op.object2 = two ? name_wait_set({&second, 1}) : kOwnLocation;
    p.enabled = t.woken;
  }
  const std::int32_t word_now = f.of_place == ObjectClass::kCondition ? 0 : word(f.of_place, index);
  if (f.of_place == ObjectClass::kVariable || f.of_place == ObjectClass::kKey) op.size = 8;
  if (is_partial(in.code)) {
    op.object += first_byte(in);
    op.size = 2;
  }
  if (in.code == Code::kRwUnlock && (t.writes_held >> index & 1)) op.kind = OpKind::kWrUnlock;
  if (in.code == Code::kObserve) {
    op.order = kObservedSigned;
    op.comparison = in.comparison;
    op.value = static_cast<std::uint64_t>(std::int64_t{evaluate(t, in.value)});
  }
  switch (op.kind) {
    case OpKind::kLock:
      p.enabled = word_now <= 0;
      break;
    case OpKind::kRdLock:
      p.enabled = word_now != -1;
      break;
    case OpKind::kWrLock:
      p.enabled = word_now == 0 || word_now == -2;
      break;
    case OpKind::kSemWait:
      p.enabled = word_now != 0;
      break;
    case OpKind::kInit:
    case OpKind::kDestroy:
      op.value = space_of(f.of_place);
      break;
    case OpKind::kOnceEnter:
      p.enabled = word_now != 1;
      [[fallthrough]];
    case OpKind::kOnceLeave:
      op.size = 4;
      break;
    case OpKind::kBarrierArrive:
      op.size = static_cast<std::uint32_t>(program_->of(ObjectClass::kBarrier)[index]);
      break;
    case OpKind::kBarrierDepart:
      op.size = static_cast<std::uint32_t>(program_->of(ObjectClass::kBarrier)[index]);
      op.value = t.phase;
      p.enabled = static_cast<std::uint32_t>(word_now) > t.phase;
      break;
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
    case OpKind::kSend:
      op.value = message_id(thread, t.sent);
      op.object2 = alternatives(t, in) % kAlternatives;
      break;
    case OpKind::kCas:
      if (in.code == Code::kInsertNew) break;  // expects 0
      op.value = static_cast<std::uint64_t>(std::int64_t{evaluate(t, in.value)});
      if (op.size == 2) op.value &= 0xffff;
      break;
    case OpKind::kFutexWait:
      op.size = 4;
      op.value = static_cast<std::uint64_t>(std::int64_t{evaluate(t, in.value)});
      break;
    case OpKind::kFutexWoken:
      op.size = 4;
      p.enabled = t.woken;
      break;
    case OpKind::kFutexWake:
      op.size = 4;
      p.ways = subsets(std::popcount(waiters(ObjectClass::kVariable, index)), in.ways);
      break;
    case OpKind::kAwait: {
      op.comparison = in.comparison;
      op.value = static_cast<std::uint64_t>(std::int64_t{evaluate(t, in.value)});
      p.enabled = compare(word_now, in.comparison, static_cast<std::int64_t>(op.value));
      p.holds = p.enabled;
      if (in.code == Code::kAwaitBoth) {
        const unsigned second = resolve(t, ObjectClass::kVariable, in.place2);
        op.object2 = object_id(ObjectClass::kVariable, second);
        const bool too = compare(word(ObjectClass::kVariable, second), in.comparison,
                                 static_cast<std::int64_t>(op.value));
        p.enabled = p.enabled && too;
        p.holds |= too << 1;
      }
      break;
    }
    default:
      break;
  }
  return p;
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

void State::frontier(std::vector<Pending>& out) const {
  out.clear();
  if (exited_) return;
  for (ThreadId t = 0; t < threads(); ++t)
    if (threads_[t].life == Life::kLive || threads_[t].life == Life::kAssumedAway)
      out.push_back(pending(t));
}

bool State::finished() const {
  if (exited_) return true;
  return std::none_of(threads_.begin(), threads_.end(), [](const ThreadState& t) {
    return t.life == Life::kLive || t.life == Life::kAssumedAway;
  });
}

ThreadId State::holder(const Operation& op) const {
  const auto index_of = [](ObjectClass c, ObjectId object) {
    return static_cast<unsigned>((object - object_id(c, 0)) / 8);
  };
  const auto find = [this](auto holds) {
    const auto found = std::find_if(threads_.begin(), threads_.end(), holds);
    return found == threads_.end() ? kNoThread : static_cast<ThreadId>(found - threads_.begin());
  };
  switch (op.kind) {
    case OpKind::kLock:
    case OpKind::kCondWake: {
      const ObjectId mutex = op.kind == OpKind::kLock ? op.object : op.object2;
      const unsigned i = index_of(ObjectClass::kMutex, mutex);
      return find([i](const ThreadState& t) { return t.mutexes_held >> i & 1; });
    }
    case OpKind::kRdLock:
    case OpKind::kWrLock: {
      const unsigned i = index_of(ObjectClass::kRwLock, op.object);
      return find(
          [i](const ThreadState& t) { return t.reads_held[i] > 0 || (t.writes_held >> i & 1); });
    }
    case OpKind::kOnceEnter: {
      const unsigned i = index_of(ObjectClass::kOnce, op.object);
      return find([i](const ThreadState& t) { return t.once_running >> i & 1; });
    }
    default:
      return kNoThread;
  }
}

void State::name(std::vector<std::uint64_t>& out) const {
  out.push_back(exited_ ? 1 : 0);
  for (std::int32_t w : words_) out.push_back(static_cast<std::uint32_t>(w));
  for (const ThreadState& t : threads_) {
    out.push_back(static_cast<std::uint64_t>(t.life) | std::uint64_t{t.second} << 8 |
                  std::uint64_t{t.woken} << 9 | std::uint64_t{t.fruitless} << 10 |
                  std::uint64_t{t.read_places} << 12 | std::uint64_t{t.pc} << 16 |
                  std::uint64_t{t.phase} << 32);
    out.push_back(std::bit_cast<std::uint32_t>(t.reads_held) | std::uint64_t{t.writes_held} << 32);
    out.insert(out.end(), {t.once_running, t.mutexes_held, t.spawned, t.sent});
    for (std::int32_t r : t.registers) out.push_back(static_cast<std::uint32_t>(r));
  }
  for (const Message& m : messages_)
    out.insert(out.end(),
               {m.id, std::uint64_t{m.mailbox} << 40 | std::uint64_t{m.alternative} << 32 |
                          static_cast<std::uint32_t>(m.value)});
}

namespace {

struct Hash {
  std::uint64_t h = 0;
  void mix(std::uint64_t v) { h = mixed(h, v); }
  void mix(const ThreadState& t) {
    mix(static_cast<std::uint64_t>(t.life) | std::uint64_t{t.second} << 8 |
        std::uint64_t{t.woken} << 9 | std::uint64_t{t.fruitless} << 10 |
        std::uint64_t{t.read_places} << 12 | std::uint64_t{t.pc} << 16 |
        std::uint64_t{t.phase} << 32);
    mix(std::bit_cast<std::uint32_t>(t.reads_held) | std::uint64_t{t.writes_held} << 32);
    mix(t.once_running);
    mix(t.mutexes_held);
    mix(t.spawned);
    for (std::int32_t r : t.registers) mix(static_cast<std::uint32_t>(r));
  }
};

}  // namespace

std::uint64_t State::hash() const {
  Hash hash{exited_ ? kHashSeed : 0};
  for (std::int32_t w : words_) hash.mix(static_cast<std::uint32_t>(w));
  for (const ThreadState& t : threads_) hash.mix(t);
  return hash.h;
}

std::uint64_t State::hash_of(ThreadId thread) const {
  Hash hash;
  hash.mix(threads_[thread]);
  return hash.h;
}

}  // namespace mazur::model
