#include "machine/native/primitives/life.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/races/race_report.h"
#include "trace/lock_change.h"

namespace mazur::native {
namespace {

std::uint64_t as_number(const void* pc) { return reinterpret_cast<std::uint64_t>(pc); }

struct Life {
  const void* object;
  const void* pc;
  ThreadId thread;
  bool begins;
};
std::vector<Life>& lives() {
  static auto& all = *new std::vector<Life>;
  return all;
}
std::size_t lives_at_snapshot = 0;

const PerExecution reset_lives([] { lives().resize(lives_at_snapshot); },
                               [] { lives_at_snapshot = lives().size(); });

// The object of an error whose other side is looked for while the execution is run again, and the
// call stack of that.
const void* wanted = nullptr;
std::vector<std::uint64_t>& wanted_stack() {
  static auto& stack = *new std::vector<std::uint64_t>;
  return stack;
}
// The stacks that were found, by the two places.
using Places = std::pair<std::uint64_t, std::uint64_t>;
std::map<Places, std::vector<std::uint64_t>>& known_stacks() {
  static auto& all = *new std::map<Places, std::vector<std::uint64_t>>;
  return all;
}

const Life* last_life(const void* object) {
  const auto& all = lives();
  for (auto life = all.rbegin(); life != all.rend(); ++life)
    if (life->object == object) return &*life;
  return nullptr;
}

// Of the other side only its place is known. Its call stack is found by running the execution once
// more, and is kept.
[[noreturn]] void fail_with(Message message, const void* pc, const void* object, OtherSide other) {
  {
    const Places places{as_number(pc), other.stack.empty() ? 0 : other.stack[0]};
    auto& known = known_stacks();
    if (watching && object == wanted && !wanted_stack().empty()) known[places] = wanted_stack();
    if (const auto found = known.find(places); found != known.end()) {
      other.stack = found->second;
    } else if (!watching) {
      wanted = object;
      wanted_stack().clear();
      race_state.found = true;
    }
    Failure failure;
    failure.kind = FailureKind::kMisuse;
    failure.thread = current_thread();
    failure.message = std::move(message);
    failure.stack = call_stack(as_number(pc));
    failure.other = std::move(other);
    machine->failed(failure);
  }
  runtime.current->failed = true;
  machine->thread_ended(*runtime.current);
  abandon();
}

}  // namespace

Label& life_event_even_alone(OpKind kind, Space space, const void* object, const void* pc) {
  return visible(
      {.kind = kind, .object = object_of(object), .value = static_cast<std::uint64_t>(space)}, pc);
}

Label& life_event(OpKind kind, Space space, const void* object, const void* pc) {
  static Label nobody_looks;
  if (!is_alone()) return life_event_even_alone(kind, space, object, pc);
  nobody_looks = Label{};
  return nobody_looks;
}

void note_life(OpKind kind, const void* object, const void* pc) {
  const PrivateHeapScope scope;
  lives().push_back({object, pc, current_thread(), kind == OpKind::kInit});
  if (__builtin_expect(watching, 0) && object == wanted && kind == OpKind::kDestroy)
    wanted_stack() = call_stack(as_number(pc));
}

std::uint32_t lives_of(const void* object) {
  const auto& all = lives();
  return static_cast<std::uint32_t>(std::count_if(
      all.begin(), all.end(), [=](const Life& l) { return l.object == object && l.begins; }));
}

void fail_dead(ObjectName name, const void* object, const char* done, const void* pc) {
  const Life* end = last_life(object);
  if (end != nullptr && end->begins) end = nullptr;
  if (!in_execution() || end == nullptr)
    fail(FailureKind::kMisuse, "%s %p is %s by %s, but was never initialised", name, object, done,
         ThreadName(my_tag()).text());
  const PrivateHeapScope scope;
  Message message;
  message.add("%s %p is %s by %s, but %s has destroyed it", name, object, done,
              ThreadName(my_tag()).text(), ThreadName(tag_of(end->thread)).text());
  fail_with(std::move(message), pc, object, {end->thread, "destruction", {as_number(end->pc)}, {}});
}

void fail_in_use(ObjectName name, const void* object, const char* done, ThreadId user,
                 const char* use, const void* pc) {
  if (user >= known_threads()) fail_dead(name, object, done, pc);  // it is no such object
  const PrivateHeapScope scope;
  Message message;
  message.add("%s %p is %s by %s while %s %s it", name, object, done, ThreadName(my_tag()).text(),
              ThreadName(tag_of(user)).text(), use);
  OtherSide other{user, "use", machine->place_of_use(user, object_of(object)), {}};
  if (watching && object == wanted) wanted_stack() = other.stack;
  fail_with(std::move(message), pc, object, std::move(other));
}

ThreadId known_holder(const void* object) {
  ThreadId holder = kNoThread;
  machine->for_each_event([&](const Event& event) {
    const LockChange change = lock_change(event.label);
    if (change.lock != object_of(object)) return;
    if (change.kind == LockChange::kTaken) holder = event.thread;
    if (change.kind == LockChange::kReleased && holder == event.thread) holder = kNoThread;
  });
  return holder;
}

bool wants_other_side() { return wanted != nullptr && !watching; }

void other_side_is_known() { wanted = nullptr; }

}  // namespace mazur::native
