// The effects of operations on the state of a model program: variables, threads and loops.
#include "machine/model/state.h"
#include "trace/comparison.h"

namespace mazur::model {
namespace {

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
  if (ref == kNoStore) return program_->of(ObjectClass::kVariable)[variable];
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
  if (step.ref == kNoStore) return true;
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

}  // namespace mazur::model
