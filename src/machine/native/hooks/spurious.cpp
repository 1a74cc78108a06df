#include "machine/native/hooks/spurious.h"

#include <algorithm>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/program_machine.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/private_heap.h"
#include "trace/fields.h"

namespace mazur::native {

Spurious spurious;

namespace {

std::uint16_t two(const Fiber&) { return 2; }

bool choose(ObjectId what, std::uint32_t most, const volatile void* object, const void* pc) {
  Label& label = visible({.kind = OpKind::kChoose,
                          .size = most,
                          .object = reinterpret_cast<ObjectId>(object),
                          .object2 = what,
                          .value = 2},
                         pc, {.ways = two});
  label.written = chosen();
  if (chosen() == 0) return false;
  note_change();  // it may not do so again for ever
  return true;
}

// Notes that the thread is at the place, and returns how often it has been there before.
std::uint32_t visits(Fiber& fiber, const void* pc) {
  const auto place = reinterpret_cast<std::uint64_t>(pc);
  for (Fiber::Attempts& each : fiber.attempts)
    if (each.pc == place) return each.count++;
  PrivateHeapScope scope;
  fiber.attempts.push_back({place, 1});
  return 0;
}

}  // namespace

void ProgramMachine::try_spurious_wakeups(bool few) {
  constexpr std::uint32_t kFew = 2;
  const std::uint32_t asked = runtime.channel->request.spurious_wakeups;
  spurious.wakeups = few ? std::max(asked, kFew) : asked;
}

bool wakes_spuriously(const volatile void* object, const void* pc) {
  if (!in_execution() || runtime.in_block) return false;
  Fiber& me = *runtime.current;
  if (me.spurious_wakeups >= spurious.wakeups) {
    auto& noted = runtime.channel->no_spurious_wakeup;
    if (noted.load(std::memory_order_relaxed) == 0) noted.store(1, std::memory_order_relaxed);
    return false;
  }
  if (!choose(kSpuriousWakeup, spurious.wakeups, object, pc)) return false;
  ++me.spurious_wakeups;
  return true;
}

bool fails_at_will(const volatile void* object, const void* pc) {
  if (!in_execution() || runtime.in_block) return false;
  Fiber& me = *runtime.current;
  if (me.spurious_failures >= spurious.failures || visits(me, pc) >= spurious.failures)
    return false;
  if (!choose(kSpuriousFailure, spurious.failures, object, pc)) return false;
  ++me.spurious_failures;
  return true;
}

Spurious allowed_in(std::span<const Event> events) {
  Spurious allowed;
  for (const Event& event : events) {
    if (!offers_spurious(event.label)) continue;
    std::uint32_t& most =
        event.label.object2 == kSpuriousWakeup ? allowed.wakeups : allowed.failures;
    most = std::max(most, event.label.size);
  }
  return allowed;
}

}  // namespace mazur::native
