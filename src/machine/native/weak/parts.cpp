#include "machine/native/weak/parts.h"

#include <algorithm>
#include <vector>

#include "machine/native/engine/per_execution.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/primitives/condition.h"
#include "machine/native/primitives/primitive.h"

namespace mazur::native {

bool operations_in_parts = false;

namespace {

// More waiters than there are threads: all.
constexpr std::uint32_t kAll = kMaxThreads;

// The futexes whose lock is held.
std::vector<ObjectId>& held() {
  static auto& all = *new std::vector<ObjectId>;
  return all;
}
const PerExecution reset_held([] { held().clear(); });

bool is_free(const Fiber& fiber) {
  return std::ranges::find(held(), fiber.op->object) == held().end();
}

void lock(const void* word, const void* pc) {
  visible({.kind = OpKind::kLock, .order = kKernelLock, .object = object_of(word)}, pc,
          {.enabled = is_free});
  const PrivateHeapScope scope;
  held().push_back(object_of(word));
}

void unlock(const void* word, const void* pc) {
  visible({.kind = OpKind::kUnlock, .order = kKernelLock, .object = object_of(word)}, pc);
  std::erase(held(), object_of(word));
}

bool was_signalled(const Fiber& fiber) { return fiber.woken; }

}  // namespace

Slept futex_wait_in_parts(std::uint32_t* word, std::uint32_t expected, std::uint32_t mask,
                          Deadline limit, const void* pc) {
  lock(word, pc);
  Label& looked =
      visible({.kind = OpKind::kLoad, .size = sizeof *word, .object = object_of(word)}, pc);
  const std::uint32_t value = *word;
  looked.read = value;
  if (value != expected) {
    unlock(word, pc);
    return Slept::kNot;
  }
  visible({.kind = OpKind::kCondWait,
           .order = kKernelLock,
           .object = object_of(word),
           .object2 = object_of(word),
           .value = futex_mask_value(mask)},
          pc);
  std::erase(held(), object_of(word));
  start_waiting(word, mask);
  return leave_waiters(word, limit, pc) ? Slept::kWoken : Slept::kTimedOut;
}

long futex_wake_in_parts(std::uint32_t* word, std::uint32_t count, std::uint32_t mask,
                         const void* pc) {
  const auto signal = [&](OpKind kind) -> Operation {
    return {.kind = kind, .object = object_of(word), .value = futex_mask_value(mask)};
  };
  long woken = 0;
  lock(word, pc);
  if (count >= kAll) {
    Label& label = visible(signal(OpKind::kCondBroadcast), pc);
    wake_all(word, label);
    woken = static_cast<long>(label.read);
  } else {
    for (std::uint32_t i = 0; i < count; ++i) {
      Label& label = visible(signal(OpKind::kCondSignal), pc, {.ways = waiter_count});
      wake_chosen(word, label);
      if (label.read == 0) break;
      ++woken;
    }
  }
  unlock(word, pc);
  return woken;
}

bool leave_waiters(const void* object, Deadline limit, const void* pc) {
  Label& left = visible({.kind = OpKind::kFutexWoken,
                         .order = limit.order,
                         .timed = limit.strikes,
                         .object = object_of(object)},
                        pc, {.enabled = limit.strikes ? nullptr : was_signalled});
  Fiber& me = *runtime.current;
  left.success = me.woken;
  me.waiting_on = nullptr;
  return me.woken;
}

}  // namespace mazur::native
