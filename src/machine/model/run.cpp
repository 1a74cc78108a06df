// The effects of operations on the state of a model program: one function per family of objects.
#include <bit>

#include "machine/model/state.h"
#include "trace/comparison.h"

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

// The bytes of a variable that an instruction is about: all of them, or two.
class Bytes {
 public:
  explicit Bytes(const Instruction& in) : two_(is_partial(in.code)), shift_(8 * first_byte(in)) {}
  std::int32_t of(std::int32_t word) const {
    return two_ ? of_value(static_cast<std::int32_t>(static_cast<std::uint32_t>(word) >> shift_))
                : word;
  }
  std::int32_t of_value(std::int32_t value) const { return two_ ? value & 0xffff : value; }
  std::int32_t put(std::int32_t word, std::int32_t value) const {
    if (!two_) return value;
    const std::uint32_t others = static_cast<std::uint32_t>(word) & ~(0xffffu << shift_);
    return static_cast<std::int32_t>(others | static_cast<std::uint32_t>(value) << shift_);
  }

 private:
  bool two_;
  unsigned shift_;
};

}  // namespace

Event State::run(Step step) {
  failed_now_ = 0;
  const Pending now = pending(step.thread);
  Event event{.thread = step.thread, .choice = step.choice, .ways = now.ways, .label = {}};
  static_cast<Operation&>(event.label) = now.op;
  event.label.pc = now.pc;
  event.label.ref = step.ref;
  if (weak_) stored_.emplace_back();
  ThreadState& t = threads_[step.thread];
  const Instruction& in = program_->threads[step.thread].code[t.pc];
  const bool was_second = t.second;
  if (in.code == Code::kAtomicBegin) {
    run_atomic_block(step.thread, event);
    return event;
  }
  const bool spurious = t.spurious || offers_spurious(t, in);
  if ((!spurious || t.spurious) && misuses(in, t)) {
    run_misuse(in, t, event);
    end(step.thread, Life::kMisused);
    return event;
  }
  if (!(spurious ? run_spurious(in, t, step.thread, event)
                 : run_operation(in, t, step.thread, event)))
    return event;
  wake_loops(event);
  if (in.code == Code::kObserve && !event.label.success) {
    end(step.thread, Life::kFailedAssertion);
    return event;
  }
  if (t.second && !was_second) return event;  // the instruction has its second event to come
  t.second = t.asked = t.spurious = false;
  t.woken = false;
  t.fruitless = false;
  t.read_places = 0;
  ++t.pc;
  run_local(step.thread);
  if (in.code == Code::kSpawn) start(in.target);
  return event;
}

bool State::run_operation(const Instruction& in, ThreadState& t, ThreadId id, Event& event) {
  if (is_life(event.label.kind)) {
    run_life(in, t, event);
    return true;
  }
  switch (form(in.code).of_place) {
    case ObjectClass::kVariable:
      return run_variable(in, t, id, event);
    case ObjectClass::kMutex:
      run_mutex(in, t, id, event);
      break;
    case ObjectClass::kRwLock:
      run_rwlock(in, t, event);
      break;
    case ObjectClass::kCondition:
      run_waiting(in, t, id, event);
      break;
    case ObjectClass::kSemaphore:
    case ObjectClass::kBarrier:
      run_counting(in, t, event);
      break;
    case ObjectClass::kOnce:
      run_once(in, t, event);
      break;
    case ObjectClass::kMailbox:
      run_message(in, t, id, event);
      break;
    case ObjectClass::kKey:
      run_table(in, t, event);
      break;
  }
  return true;
}

// Also what is about no object.
bool State::run_variable(const Instruction& in, ThreadState& t, ThreadId id, Event& event) {
  switch (in.code) {
    case Code::kSpin:
    case Code::kSpinBoth:
    case Code::kSpinSwap:
      return !run_loop(in, t, event);
    case Code::kFutexWait:
    case Code::kFutexWake:
      run_waiting(in, t, id, event);
      break;
    case Code::kChoose:
      t.registers[in.reg] = event.choice;
      event.label.written = event.choice;
      break;
    case Code::kSpawn:
      event.label.written = in.target;
      t.spawned |= std::uint64_t{1} << in.target;
      break;
    case Code::kExit:
      exited_ = true;
      break;
    default:
      if (has_part(in.code, Part::kPlace)) run_memory(in, t, event);
      break;
  }
  return true;
}

void State::run_memory(const Instruction& in, ThreadState& t, Event& event) {
  const unsigned variable = resolve(t, ObjectClass::kVariable, in.place);
  std::int32_t& x = word(ObjectClass::kVariable, variable);
  Label& label = event.label;
  const Bytes part(in);
  const std::int32_t here = weak_ ? find(variable, label.ref) : part.of(x);
  if (form(in.code).kind != OpKind::kStore) label.read = widen(here);
  const std::int32_t value = part.of_value(evaluate(t, in.value));
  std::int32_t after = 0;
  switch (form(in.code).kind) {
    case OpKind::kLoad:
      if (in.code == Code::kObserve)
        label.success = holds(label, label.read);
      else
        t.registers[in.reg] = here;
      return;
    case OpKind::kStore:
      after = value;
      break;
    case OpKind::kRmw:
      after = static_cast<std::int32_t>(std::int64_t{here} + value);
      t.registers[in.reg] = here;
      break;
    case OpKind::kCas:
      label.success = here == value;
      after = part.of_value(evaluate(t, in.value2));
      t.registers[in.reg] = label.success;
      if (!label.success) return;
      break;
    default:  // an await only reads
      return;
  }
  label.before = widen(here);
  label.written = widen(after);
  if (weak_) return keep(variable, after, event);
  x = part.put(x, after);
}

std::int32_t State::find(unsigned variable, StoreRef ref) const {
  if (ref == kInitial) return program_->of(ObjectClass::kVariable)[variable];
  if (ref == kNewest || ref == kBehind) return word(ObjectClass::kVariable, variable);
  return stored_[ref].value;
}

// Memory holds the newest store. An update of another one comes before that, too.
void State::keep(unsigned variable, std::int32_t value, Event& event) {
  const StoreRef ref = event.label.ref;
  stored_.back() = {static_cast<std::int32_t>(variable), value};
  if (ref != kNewest && ref != newest_[variable]) return;
  word(ObjectClass::kVariable, variable) = value;
  newest_[variable] = static_cast<StoreRef>(stored_.size() - 1);
}

StoreRef State::newest(unsigned variable) const { return newest_[variable]; }

bool State::can_refer(Step step) const {
  if (step.ref == kNewest) return true;
  const ThreadState& t = threads_[step.thread];
  const Instruction& in = program_->threads[step.thread].code[t.pc];
  const OpKind kind = form(in.code).kind;
  if (!weak_ || !is_memory(kind) || form(in.code).of_place != ObjectClass::kVariable ||
      is_partial(in.code))
    return false;
  if (kind == OpKind::kStore) return step.ref == kBehind;
  if (step.ref == kInitial) return true;
  const unsigned variable = resolve(t, ObjectClass::kVariable, t.second ? in.place2 : in.place);
  return step.ref < stored_.size() &&
         stored_[step.ref].variable == static_cast<std::int32_t>(variable);
}

// Runs one access of a loop that waits. Returns whether the loop goes on.
bool State::run_loop(const Instruction& in, ThreadState& t, Event& event) {
  if (!t.second) {  // a new round
    t.woken = t.fruitless = false;
    t.read_places = 0;
  }
  const Place& place = t.second ? in.place2 : in.place;
  const unsigned variable = resolve(t, ObjectClass::kVariable, place);
  std::int32_t& x = word(ObjectClass::kVariable, variable);
  const std::int32_t value = evaluate(t, in.value);
  const std::int32_t here = weak_ ? find(variable, event.label.ref) : x;
  if (weak_) t.last_read = event.label.ref == kNewest ? newest(variable) : event.label.ref;
  event.label.read = widen(here);
  t.read_places |= t.second ? 2 : 1;
  bool again = compare(here, in.comparison, value);
  if (in.code == Code::kSpinSwap) {
    again = here == value;
    event.label.before = widen(here);
    event.label.written = widen(value);
    if (weak_) {
      keep(variable, value, event);
      t.last_read = static_cast<StoreRef>(stored_.size() - 1);
    } else {
      x = value;
    }
    if (again) return t.fruitless = true;
    return false;
  }
  if (!again) return false;
  if (in.code == Code::kSpinBoth && !t.second) return t.second = true;
  // If one variable is loaded twice and was written in between, the next round may begin with
  // another value.
  const bool same =
      resolve(t, ObjectClass::kVariable, in.place) == resolve(t, ObjectClass::kVariable, in.place2);
  t.fruitless = !(t.second && same && t.woken);
  t.second = false;
  if (!t.fruitless) t.read_places = 0;
  return true;
}

// A write ends the waiting of the loops that have read its variable in their last round. An
// exchange that changes nothing does not.
void State::wake_loops(const Event& event) {
  const Label& l = event.label;
  const bool writes =
      l.kind == OpKind::kStore || (l.kind == OpKind::kCas && l.success) || l.kind == OpKind::kRmw;
  if (!writes || (l.kind != OpKind::kStore && l.written == l.before)) return;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    ThreadState& t = threads_[i];
    if (t.life != Life::kLive || t.read_places == 0 || i == event.thread) continue;
    const Instruction& in = program_->threads[i].code[t.pc];
    const auto at = [&](const Place& place) {
      return object_id(ObjectClass::kVariable, resolve(t, ObjectClass::kVariable, place)) ==
             (l.object & ~ObjectId{7});
    };
    if (((t.read_places & 1) != 0 && at(in.place)) || ((t.read_places & 2) != 0 && at(in.place2)))
      t.woken = true;
  }
}

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
