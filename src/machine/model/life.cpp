// How objects begin and end. program.h says what is an error.
#include "machine/model/state.h"
#include "trace/access.h"

namespace mazur::model {
namespace {

// A rwlock has -1 for its writer.
constexpr std::int32_t dead(ObjectClass c) { return c == ObjectClass::kRwLock ? -2 : -1; }

}  // namespace

std::uint64_t space_number(ObjectClass c) {
  switch (c) {
    case ObjectClass::kMutex:
      return static_cast<std::uint64_t>(Space::kMutex);
    case ObjectClass::kRwLock:
      return static_cast<std::uint64_t>(Space::kRwLock);
    case ObjectClass::kSemaphore:
      return static_cast<std::uint64_t>(Space::kSemaphore);
    default:
      return static_cast<std::uint64_t>(Space::kQueue);
  }
}

// The word of an object that says whether it is alive. For a barrier that is its arrivals.
std::int32_t& State::life_word(ObjectClass c, unsigned index) {
  return *(&word(c, index) + (c == ObjectClass::kBarrier ? 1 : 0));
}

bool State::is_dead(ObjectClass c, unsigned index) const {
  switch (c) {
    case ObjectClass::kMutex:
    case ObjectClass::kRwLock:
    case ObjectClass::kCondition:
    case ObjectClass::kSemaphore:
    case ObjectClass::kBarrier:
      return const_cast<State*>(this)->life_word(c, index) == dead(c);
    default:
      return false;
  }
}

bool State::is_in_use(ObjectClass c, unsigned index) const {
  if (is_dead(c, index) || c == ObjectClass::kSemaphore) return false;
  if (c == ObjectClass::kCondition) return waiters(c, index) != 0;
  if (const_cast<State*>(this)->life_word(c, index) != 0) return true;
  if (c != ObjectClass::kMutex) return false;
  // Threads that sleep at a condition variable want their mutex back.
  for (const ThreadState& t : threads_) {
    if (t.life != Life::kLive || !t.second) continue;
    const Instruction& in =
        program_->threads[static_cast<std::size_t>(&t - threads_.data())].code[t.pc];
    if ((in.code == Code::kCondWait || in.code == Code::kCondTimedWait) &&
        resolve(t, c, in.place2) == index)
      return true;
  }
  return false;
}

bool State::misuses(const Instruction& in, const ThreadState& t) const {
  const Form& f = form(in.code);
  if (t.spurious)  // it touches a mutex, or memory
    return t.second && is_dead(ObjectClass::kMutex, resolve(t, ObjectClass::kMutex, in.place2));
  if (!has_part(in.code, Part::kPlace) || f.of_place == ObjectClass::kMailbox) return false;
  const unsigned index = resolve(t, f.of_place, in.place);
  if (f.kind == OpKind::kInit) return is_in_use(f.of_place, index);
  if (f.kind == OpKind::kDestroy) return is_dead(f.of_place, index) || is_in_use(f.of_place, index);
  // The second event does not look at the object any more. But a wake-up takes its mutex again.
  if (!t.second) return is_dead(f.of_place, index);
  return f.second == OpKind::kCondWake &&
         is_dead(ObjectClass::kMutex, resolve(t, ObjectClass::kMutex, in.place2));
}

// The label of an operation that ends its thread.
void State::run_misuse(const Instruction& in, const ThreadState& t, Event& event) {
  const Form& f = form(in.code);
  const unsigned index = resolve(t, f.of_place, in.place);
  Label& label = event.label;
  if (label.kind == OpKind::kCondWake) label.success = t.woken;
  if (f.of_place == ObjectClass::kBarrier) {
    const std::uint64_t phase = widen(word(f.of_place, index));
    (is_life(label.kind) ? label.read : label.written) = phase;
    label.success = !is_dead(f.of_place, index);
  }
  if (f.of_place == ObjectClass::kRwLock && !is_life(label.kind)) label.read = 1;
  if (f.of_place == ObjectClass::kSemaphore)
    label.read = label.written = widen(word(f.of_place, index));
}

void State::run_life(const Instruction& in, const ThreadState& t, Event& event) {
  const Form& f = form(in.code);
  const unsigned index = resolve(t, f.of_place, in.place);
  std::int32_t& life = life_word(f.of_place, index);
  Label& label = event.label;
  const bool counts = f.of_place == ObjectClass::kSemaphore;
  if (counts) label.read = widen(life);
  // The phases of a barrier go on where they ended, so that no two have the same number.
  if (f.of_place == ObjectClass::kBarrier) {
    label.read = widen(word(f.of_place, index));
    label.success = !is_dead(f.of_place, index);
  }
  life = f.kind == OpKind::kDestroy ? dead(f.of_place) : counts ? evaluate(t, in.value) & 3 : 0;
  if (counts) label.written = widen(life);
}

}  // namespace mazur::model
