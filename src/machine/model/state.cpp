#include "machine/model/state.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "trace/comparison.h"

namespace mazur::model {
namespace {

// Parts of a thread's state, each in one number.
std::uint64_t where(const ThreadState& t) {
  return static_cast<std::uint64_t>(t.life) | std::uint64_t{t.second} << 8 |
         std::uint64_t{t.woken} << 9 | std::uint64_t{t.fruitless} << 10 |
         std::uint64_t{t.asked} << 11 | std::uint64_t{t.spurious} << 14 |
         std::uint64_t{t.read_places} << 12 | std::uint64_t{t.pc} << 16 |
         std::uint64_t{t.phase} << 32;
}
std::uint64_t so_far(const ThreadState& t) {
  return t.sent | std::uint64_t{t.wakeups} << 32 | std::uint64_t{t.failures} << 40;
}
std::uint64_t rwlocks_held(const ThreadState& t) {
  return std::bit_cast<std::uint32_t>(t.reads_held) | std::uint64_t{t.writes_held} << 32;
}

struct Hash {
  std::uint64_t h = 0;
  void mix(std::uint64_t v) { h = mixed(h, v); }
  void mix(const ThreadState& t) {
    mix(where(t));
    mix(rwlocks_held(t));
    mix(t.once_running);
    mix(t.mutexes_held);
    mix(t.spawned);
    mix(std::uint64_t{t.wakeups} << 8 | t.failures);
    for (std::int32_t r : t.registers) mix(static_cast<std::uint32_t>(r));
  }
};

// What the register holds, or 0 for kNoRegister.
std::int32_t register_or_zero(const ThreadState& t, std::int8_t reg) {
  return reg == kNoRegister ? 0 : t.registers[static_cast<std::uint8_t>(reg)];
}

}  // namespace

State::State(const Program* program) : program_(program) {
  std::size_t words = 0;
  for (std::size_t c = 0; c < kObjectClasses; ++c) {
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
  stored_.clear();
  newest_.assign(weak_ ? program_->of(ObjectClass::kVariable).size() : 0, kNoStore);
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
  return static_cast<std::int32_t>(std::int64_t{v.constant} + register_or_zero(t, v.reg));
}

unsigned State::resolve(const ThreadState& t, ObjectClass c, const Place& p) const {
  const auto count = static_cast<std::int64_t>(program_->of(c).size());
  if (p.index == kNoRegister && p.base < count) return p.base;  // without a division
  const std::int64_t index = (std::int64_t{p.base} + register_or_zero(t, p.index)) % count;
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
    case Code::kFence:
      if (weak_) return false;
      break;
    default:
      return knows_misuse(t, in) ? over(Life::kMisused) : false;
  }
  t.pc = jump ? in.target : static_cast<std::uint16_t>(t.pc + 1);
  return true;
}

bool State::knows_misuse(const ThreadState& t, const Instruction& in) const {
  const auto holds = [&](const Place& mutex) {
    return (t.mutexes_held >> resolve(t, ObjectClass::kMutex, mutex) & 1) != 0;
  };
  switch (in.code) {
    case Code::kUnlock:
      return !holds(in.place);
    case Code::kCondWait:
    case Code::kCondTimedWait:
      return !holds(in.place2);
    case Code::kRwUnlock: {
      const unsigned lock = resolve(t, ObjectClass::kRwLock, in.place);
      return t.reads_held[lock] == 0 && !(t.writes_held >> lock & 1);
    }
    case Code::kOnceLeave:
    case Code::kOnceAbandon:
      return !(t.once_running >> resolve(t, ObjectClass::kOnce, in.place) & 1);
    case Code::kSpawn:
      return t.spawned >> in.target & 1;
    case Code::kAtomicEnd:
      return true;
    default:
      return false;
  }
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
      const ObjectId mutex = op.kind == OpKind::kLock ? op.object : mutex_of(op);
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
    out.insert(out.end(), {where(t), rwlocks_held(t)});
    out.insert(out.end(), {t.once_running, t.mutexes_held, t.spawned, so_far(t)});
    for (std::int32_t r : t.registers) out.push_back(static_cast<std::uint32_t>(r));
  }
  for (const Message& m : messages_)
    out.insert(out.end(),
               {m.id, std::uint64_t{m.mailbox} << 40 | std::uint64_t{m.alternative} << 32 |
                          static_cast<std::uint32_t>(m.value)});
}

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
