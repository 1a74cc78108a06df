// Operations of model programs that end spuriously. program.h says what they do.
#include "machine/model/state.h"
#include "trace/fields.h"

namespace mazur::model {
namespace {

bool is_wait(Code code) {
  return code == Code::kCondWait || code == Code::kCondTimedWait || code == Code::kFutexWait;
}
bool is_try(Code code) {
  return code == Code::kTryLock || code == Code::kTryRdLock || code == Code::kTryWrLock;
}
bool can_fail(Code code) { return code == Code::kCas || code == Code::kCasPart || is_try(code); }

}  // namespace

bool State::offers_spurious(const ThreadState& t, const Instruction& in) const {
  if (t.asked || t.second) return false;
  return (is_wait(in.code) && t.wakeups < program_->spurious_wakeups) ||
         (can_fail(in.code) && t.failures < program_->spurious_failures);
}

void State::pending_spurious(const ThreadState& t, const Instruction& in, Pending& p) const {
  const Form& f = form(in.code);
  const unsigned index = resolve(t, f.of_place, in.place);
  p.op.object = object_id(f.of_place, index);
  if (!t.spurious) {
    p.op.kind = OpKind::kChoose;
    p.op.object2 = is_wait(in.code) ? kSpuriousWakeup : kSpuriousFailure;
    p.op.size = is_wait(in.code) ? program_->spurious_wakeups : program_->spurious_failures;
    p.ways = 2;
  } else if (f.of_place == ObjectClass::kCondition) {
    const unsigned mutex = resolve(t, ObjectClass::kMutex, in.place2);
    p.op.object = object_id(ObjectClass::kMutex, mutex);
    p.op.kind = t.second ? OpKind::kLock : OpKind::kUnlock;
    p.enabled = !t.second || lockable(mutex);
  } else {
    p.op.kind = OpKind::kLoad;
    p.op.object += first_byte(in);
    p.op.size = is_partial(in.code) ? 2 : in.code == Code::kFutexWait ? 4 : 8;
  }
}

bool State::run_spurious(const Instruction& in, ThreadState& t, ThreadId id, Event& event) {
  if (!t.spurious) {
    t.asked = true;
    t.spurious = event.choice == 1;
    event.label.written = event.choice;
    if (!t.spurious) return false;
    ++(is_wait(in.code) ? t.wakeups : t.failures);
    if (!is_try(in.code)) return false;
    t.registers[in.reg] = 0;
    return true;
  }
  const ObjectClass c = form(in.code).of_place;
  if (c == ObjectClass::kCondition) {
    const unsigned mutex = resolve(t, ObjectClass::kMutex, in.place2);
    if (t.second) {
      take_mutex(mutex, t, id);
      if (in.code == Code::kCondTimedWait) t.registers[in.reg] = 1;  // it is no timeout
    } else {
      drop_mutex(mutex, t);
      t.second = true;
    }
    return true;
  }
  const std::int32_t now = word(c, resolve(t, c, in.place));
  event.label.read = is_partial(in.code)
                         ? static_cast<std::uint32_t>(now) >> 8 * first_byte(in) & 0xffff
                         : widen(now);
  const bool slept = in.code == Code::kFutexWait && now == evaluate(t, in.value);
  t.registers[in.reg] = slept ? 1 : 0;
  return true;
}

}  // namespace mazur::model
